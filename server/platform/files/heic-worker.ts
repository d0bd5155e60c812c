import { parentPort, workerData } from "node:worker_threads";
import libheif from "libheif-js/wasm-bundle.js";
import type { HeicAnswer } from "./decode-heic.ts";

/** The thread of `decodeHeic`: one file, one answer. */
const { bytes, maxPixels } = workerData as { bytes: Uint8Array; maxPixels: number };

async function decode(): Promise<HeicAnswer> {
  const images = new libheif.HeifDecoder().decode(bytes);
  const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
  if (!image) return { refusal: "files/damaged" };
  const width = image.get_width();
  const height = image.get_height();
  if (width * height > maxPixels) return { refusal: "files/too-many-pixels" };
  const data = new Uint8ClampedArray(width * height * 4);
  const drawn = await new Promise((resolve) => image.display({ data, width, height }, resolve));
  if (!drawn) return { refusal: "files/damaged" };
  return { pixels: { data: new Uint8Array(data.buffer), width, height } };
}

const answer = await decode();
parentPort?.postMessage(
  answer,
  "pixels" in answer ? [answer.pixels.data.buffer as ArrayBuffer] : [],
);
