import { Refusal } from "#core/refusal.ts";
import { runInWorkerThread } from "../run-in-worker-thread.ts";
import { maxPixels, type Pixels } from "./clean-image.ts";

/** A 48-megapixel photo takes some 6 s on a slow core. */
const timeoutMs = 30_000;

export type HeicAnswer = { pixels: Pixels } | { refusal: string };

/**
 * Decodes a HEIC photo, as iPhones take them: sharp's build reads AVIF only, so libheif compiled to
 * WebAssembly does it, in a thread of its own that can be ended. Whatever ends it without an answer (a crash in
 * the decoder, the time limit) is the file's fault.
 *
 * Refuses with files/damaged and files/too-many-pixels.
 */
export async function decodeHeic(bytes: Uint8Array): Promise<Pixels> {
  const answer = await runInWorkerThread<HeicAnswer>(new URL("./heic-worker.ts", import.meta.url), {
    of: { bytes, maxPixels },
    timeoutMs,
    // What its memory is limited by is WebAssembly's own 4 GB at most; the pixel limit keeps it far below.
    memory: { maxOldGenerationSizeMb: 512 },
  });
  if (answer === null) throw new Refusal("files/damaged");
  if ("refusal" in answer) throw new Refusal(answer.refusal);
  return answer.pixels;
}
