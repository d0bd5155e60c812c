import { Worker } from "node:worker_threads";
import { Refusal } from "#core/refusal.ts";
import { maxPixels, type Pixels } from "./clean-image.ts";

/** A 48-megapixel photo takes some 6 s on a slow core. */
const timeoutMs = 30_000;

export type HeicAnswer = { pixels: Pixels } | { refusal: string };

/**
 * Decodes a HEIC photo, as iPhones take them: sharp's build reads AVIF only, so libheif compiled to
 * WebAssembly does it, in a thread of its own that can be ended.
 *
 * Refuses with files/damaged and files/too-many-pixels.
 */
export async function decodeHeic(bytes: Uint8Array): Promise<Pixels> {
  const worker = new Worker(new URL("./heic-worker.ts", import.meta.url), {
    workerData: { bytes, maxPixels },
    // What its memory is limited by is WebAssembly's own 4 GB at most; the pixel limit keeps it far below.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    stdout: true,
    stderr: true,
    env: {},
  });
  const timer = setTimeout(() => void worker.terminate(), timeoutMs);
  try {
    const answer = await firstAnswer(worker);
    if ("refusal" in answer) throw new Refusal(answer.refusal);
    return answer.pixels;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Whatever ends the thread without an answer (a crash in the decoder, the time limit) is the file's fault. */
function firstAnswer(worker: Worker): Promise<HeicAnswer> {
  return new Promise((resolve) => {
    worker.once("message", resolve);
    worker.once("error", () => resolve({ refusal: "files/damaged" }));
    worker.once("exit", () => resolve({ refusal: "files/damaged" }));
  });
}
