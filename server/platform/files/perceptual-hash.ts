import sharp from "sharp";

/** The picture is compared as a grid of this many cells a side. */
const side = 16;

/** Brightness steps smaller than this are noise: a flat ground stays flat when a picture is saved again. */
const noise = 3;

/**
 * What a picture looks like, as 256 bits written 0 and 1: for each cell whether it is darker than its right
 * neighbour. Saved again, shrunk or sent through a messenger, a picture keeps nearly all of them.
 */
export async function perceptualHash(picture: Uint8Array): Promise<string> {
  const { data } = await sharp(picture)
    .greyscale()
    .resize({ width: side + 1, height: side, fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  let bits = "";
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const at = row * (side + 1) + column;
      bits += (data[at + 1] ?? 0) - (data[at] ?? 0) > noise ? "1" : "0";
    }
  }
  return bits;
}
