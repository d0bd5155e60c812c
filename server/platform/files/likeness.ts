import sharp from "sharp";

/** What a picture looks like, small enough to keep beside every slip and to compare by the thousand. */
export interface Likeness {
  /** 256 bits written 0 and 1. A coarse sieve: pictures that look the same differ in few of them. */
  hash: string;
  /** The picture in 80 x 80 greys. Decides. */
  thumbnail: Uint8Array;
}

/** Bits in which the hashes of the same picture may differ after it was saved again. */
export const alikeHashBits = 40;

const side = 80;
const cells = 16;

/** A brightness step below this is noise: a flat ground stays flat when a picture is saved again. */
const noise = 5;

/** Side of the tiles that are compared, and how far apart the greys of the worst tile may be. */
const tile = 4;
const alikeGreys = 9;

/** Reduces a picture to its looks. */
export async function likenessOf(picture: Uint8Array): Promise<Likeness> {
  const greys = (width: number, height: number, blur?: number) => {
    // Shrinking while the JPEG is read would make the result depend on its size.
    const small = { width, height, fit: "fill", fastShrinkOnLoad: false } as const;
    const reduced = sharp(picture).greyscale().resize(small);
    return (blur ? reduced.blur(blur) : reduced).raw().toBuffer();
  };
  return {
    hash: brightSteps(await greys(cells + 1, cells)),
    thumbnail: await greys(side, side, 1),
  };
}

/** For each cell of a row whether its right neighbour is clearly brighter. */
function brightSteps(greys: Uint8Array): string {
  let bits = "";
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const at = row * (cells + 1) + column;
      bits += (greys[at + 1] ?? 0) - (greys[at] ?? 0) > noise ? "1" : "0";
    }
  }
  return bits;
}

/**
 * Whether two pictures show the same. One that was shrunk, saved again or sent through a messenger does;
 * a receipt of the same app with another amount does not: the tile with the amount tells them apart.
 */
export function looksAlike(one: Uint8Array, other: Uint8Array): boolean {
  for (let top = 0; top < side; top += tile) {
    for (let left = 0; left < side; left += tile) {
      if (tileDistance(one, other, top, left) > alikeGreys) return false;
    }
  }
  return true;
}

function tileDistance(one: Uint8Array, other: Uint8Array, top: number, left: number): number {
  let sum = 0;
  for (let row = top; row < top + tile; row += 1) {
    for (let at = row * side + left; at < row * side + left + tile; at += 1) {
      sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    }
  }
  return sum / tile ** 2;
}
