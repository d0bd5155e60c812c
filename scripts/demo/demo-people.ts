import { createHash } from "node:crypto";
import sharp from "sharp";

/** From where the invented people do everything. */
export const demoBrowser = { ipAddress: "127.0.0.1", userAgent: "demo" };

/** A sheet of paper with lines, different for every seed: payment slips, documents, pictures of wallets. */
export async function drawPaper(seed: string): Promise<Uint8Array> {
  const random = createHash("sha256").update(seed).digest();
  const bar = (top: number, width: number, shade: number) => ({
    input: {
      create: {
        width,
        height: 18,
        channels: 3 as const,
        background: { r: shade, g: shade, b: shade },
      },
    },
    left: 60,
    top,
  });
  const lines = [...random.subarray(0, 18)].map((byte, i) =>
    bar(90 + i * 46, 60 + byte * 2, 70 + (byte % 90)),
  );
  const paper = {
    create: { width: 660, height: 960, channels: 3 as const, background: "#fbfaf7" },
  };
  return sharp(paper).composite(lines).jpeg().toBuffer();
}
