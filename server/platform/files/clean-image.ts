import sharp, { type Raw, type Sharp } from "sharp";
import { Refusal } from "#core/refusal.ts";

/** More than any phone takes (48 megapixels); beyond it a file is a bomb or a poster. */
export const maxPixels = 50_000_000;

/** Kept at most this large: enough to read a receipt that is one long screenshot. */
const kept = { width: 4000, height: 12_000 };

// One decoder thread, no cache of other people's pictures, and no loader but those that are needed.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});

export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/**
 * Draws a picture anew as a JPEG, upright, on white, without its metadata.
 *
 * Refuses with files/damaged and files/too-many-pixels.
 */
export async function cleanImage(input: Uint8Array | Pixels): Promise<Uint8Array> {
  try {
    return await open(input)
      .autoOrient()
      .resize({ ...kept, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 88, chromaSubsampling: "4:4:4" })
      .timeout({ seconds: 30 })
      .toBuffer();
  } catch (error) {
    throw asRefusal(error);
  }
}

function open(input: Uint8Array | Pixels): Sharp {
  const options = { limitInputPixels: maxPixels, failOn: "error" } as const;
  if (input instanceof Uint8Array) return sharp(input, options);
  const raw: Raw = { width: input.width, height: input.height, channels: 4 };
  return sharp(input.data, { ...options, raw });
}

/** sharp says what is wrong in words only. Whatever cannot be drawn is damaged as far as its sender can tell. */
function asRefusal(error: unknown): Refusal {
  const words = error instanceof Error ? error.message : "";
  return new Refusal(/pixel limit/i.test(words) ? "files/too-many-pixels" : "files/damaged");
}
