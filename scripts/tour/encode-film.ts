import type { Browser } from "@playwright/test";
import type { Picture } from "./camera.ts";
import { type Chunk, writeWebm } from "./write-webm.ts";

const size = { width: 1280, height: 720 };

/** Encodes pictures as a WebM file, with the VP9 encoder that the browser brings along (WebCodecs). */
export async function encodeFilm(
  browser: Browser,
  secureUrl: string,
  pictures: readonly Picture[],
): Promise<Buffer> {
  const page = await browser.newPage();
  // Encoders exist only where the browser trusts the address: this machine's own is one.
  await page.goto(secureUrl);
  await page.evaluate(openEncoder, size);
  let timeMs = 0;
  for (const { png, durationMs, startsChapter } of pictures) {
    const picture = { png: png.toString("base64"), timeMs, durationMs, isKey: startsChapter };
    await page.evaluate(encodePicture, picture);
    timeMs += durationMs;
  }
  const encoded = await page.evaluate(closeEncoder);
  await page.close();
  const chunks: Chunk[] = encoded.map(({ base64, ...chunk }) => ({
    ...chunk,
    bytes: Buffer.from(base64, "base64"),
  }));
  return writeWebm({ ...size, durationMs: timeMs, chunks });
}

interface Encoded {
  timeMs: number;
  isKey: boolean;
  base64: string;
}

interface Studio {
  encoder: VideoEncoder;
  chunks: Encoded[];
}

/** The three below run in the browser's page, and know nothing of this file. */
function openEncoder({ width, height }: { width: number; height: number }): void {
  const chunks: Encoded[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      let binary = "";
      for (const byte of bytes) binary += String.fromCharCode(byte);
      const timeMs = Math.round(chunk.timestamp / 1000);
      chunks.push({ timeMs, isKey: chunk.type === "key", base64: btoa(binary) });
    },
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({
    codec: "vp09.00.31.08",
    width,
    height,
    bitrate: 300_000,
    bitrateMode: "variable",
    latencyMode: "quality",
  });
  Object.assign(window, { studio: { encoder, chunks } satisfies Studio });
}

async function encodePicture(picture: {
  png: string;
  timeMs: number;
  durationMs: number;
  isKey: boolean;
}): Promise<void> {
  const { encoder } = (window as unknown as { studio: Studio }).studio;
  const bytes = Uint8Array.from(atob(picture.png), (each) => each.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const timing = { timestamp: picture.timeMs * 1000, duration: picture.durationMs * 1000 };
  const frame = new VideoFrame(bitmap, timing);
  encoder.encode(frame, { keyFrame: picture.isKey });
  frame.close();
  bitmap.close();
  while (encoder.encodeQueueSize > 4) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function closeEncoder(): Promise<Encoded[]> {
  const { encoder, chunks } = (window as unknown as { studio: Studio }).studio;
  await encoder.flush();
  encoder.close();
  return chunks;
}
