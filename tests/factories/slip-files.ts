import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A picture of a receipt: a dark bar, lines of grey "text", and an amount whose shape depends on its value. */
export async function receiptPicture(receipt: { amount: number }): Promise<Buffer> {
  const width = 360;
  const height = 640;
  const greys = Buffer.alloc(width * height, 255);
  const fill = (left: number, top: number, wide: number, high: number, grey: number) => {
    for (let y = top; y < top + high; y += 1)
      greys.fill(grey, y * width + left, y * width + left + wide);
  };
  fill(0, 0, width, 60, 35);
  for (let line = 0; line < 8; line += 1)
    fill(20, 220 + line * 45, 60 + ((line * 37) % 90), 12, 120);
  for (let bit = 0; bit < 10; bit += 1) {
    if ((receipt.amount >> bit) & 1) fill(60 + bit * 24, 110, 20, 40, 20);
  }
  const picture = sharp(greys, { raw: { width, height, channels: 1 } });
  return picture.png().toBuffer();
}

/** A small whole PDF; parts can be added to its catalog, its trailer and between its objects. */
export function receiptPdf(
  parts: { catalog?: string; trailer?: string; extra?: string } = {},
): Buffer {
  return Buffer.from(
    [
      "%PDF-1.7",
      `1 0 obj\n<</Type/Catalog/Pages 2 0 R ${parts.catalog ?? ""}>>\nendobj`,
      "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj",
      "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>\nendobj",
      parts.extra ? `4 0 obj\n${parts.extra}\nendobj` : "",
      `trailer\n<</Root 1 0 R/Size 5 ${parts.trailer ?? ""}>>`,
      "startxref\n0\n%%EOF\n",
    ].join("\n"),
    "latin1",
  );
}

/** Objects of a PDF as producers pack them, to stand between others; `also` stands in the dictionary. */
export function packedObjects(objects: string, also = ""): string {
  const packed = deflateSync(Buffer.from(`9 0 ${objects}`, "latin1")).toString("latin1");
  return packedBy(packed, `${also}/Filter/FlateDecode`);
}

/** A list of objects as it was packed, and how its dictionary says that it was. */
export function packedBy(packed: string, how: string): string {
  return `<</Type/ObjStm/N 1/First 4${how}/Length ${packed.length}>>stream\n${packed}\nendstream`;
}

/** A PNG of some kilobytes that is drawn as a black square of this many pixels a side. */
export function pixelBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, grey.
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))));
  const chunks = [chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
