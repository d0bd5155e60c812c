import { writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { markLetter, markOutline } from "#app/ui/browser/mark.ts";
import { light } from "../app/ui/theme/tokens.ts";
import { demoToPicture } from "./demo-to-picture.ts";

/** Makes what stands in public/ out of the mark and the first page's drawing: `node scripts/make-pictures.ts`. */
const folder = path.resolve(import.meta.dirname, "../public");

const mark = `<path fill="${light.copper}" d="${markOutline}"/><path fill="none" stroke="${light.onCopper}" stroke-width="1.25" stroke-linecap="round" stroke-linejoin="round" d="${markLetter}"/>`;

await makeIcons();
await makePreview();

async function makeIcons(): Promise<void> {
  const icons: [name: string, size: number, svg: string][] = [
    ["apple-touch-icon.png", 180, markOnPaper(0.62)],
    ["icon-192.png", 192, markAlone()],
    ["icon-512.png", 512, markAlone()],
    // A phone may cut away all but the inner 80 %.
    ["icon-maskable-512.png", 512, markOnPaper(0.56)],
  ];
  for (const [name, size, svg] of icons) write(name, await png(svg, size));
  write("favicon.ico", icoOf([await png(markAlone(), 16), await png(markAlone(), 32)], [16, 32]));
}

function markAlone(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="1 1 14 14">${mark}</svg>`;
}

function markOnPaper(part: number): string {
  const width = 13.6 / part;
  const edge = 8 - width / 2;
  const ground = `<path fill="${light.paper}" d="M${edge} ${edge}h${width}v${width}h${-width}z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${edge} ${edge} ${width} ${width}">${ground}${mark}</svg>`;
}

function png(svg: string, size: number): Promise<Buffer> {
  const density = Math.min(2400, 6 * size);
  return sharp(Buffer.from(svg), { density })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** An ICO file whose pictures are PNG, as every browser of this century reads it. */
function icoOf(pictures: Buffer[], sizes: number[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach((picture, index) => {
    const at = 6 + 16 * index;
    const size = sizes[index] ?? 0;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  });
  return Buffer.concat([head, ...pictures]);
}

/** What a link to the site shows elsewhere. It bears no name: operators give the site their own. */
async function makePreview(): Promise<void> {
  await demoToPicture(async ({ browser, url }) => {
    const viewport = { width: 1200, height: 630 };
    const page = await browser.newPage({ viewport, colorScheme: "light" });
    await page.goto(url);
    await page.evaluate(() => {
      const drawing = document.querySelector("[data-balance]")?.outerHTML ?? "";
      const stamp = document.querySelector("header svg")?.outerHTML ?? "";
      const sheet = document.createElement("div");
      sheet.style.cssText = `position:fixed;inset:0;z-index:9999;display:grid;gap:48px;
        grid-template-columns:1fr 470px;align-items:center;padding:0 72px;background:var(--assay-paper)`;
      sheet.innerHTML = `
        <div>
          <div style="zoom:2.6">${stamp}</div>
          <p style="margin:32px 0 0;font:560 56px/1.12 var(--assay-font-serif);letter-spacing:-.02em;
            text-wrap:balance">Bitcoin cloud mining whose every figure carries its evidence</p>
        </div>
        <div>${drawing}</div>
        <div style="position:absolute;inset:auto 0 0;height:10px;background:var(--assay-copper)"></div>`;
      document.documentElement.style.scrollbarGutter = "auto";
      document.body.append(sheet);
    });
    await page.evaluate(() => document.fonts.ready);
    const shot = await page.screenshot();
    write("preview.png", await sharp(shot).png({ palette: true, colours: 64 }).toBuffer());
  });
}

function write(name: string, bytes: Buffer): void {
  writeFileSync(path.join(folder, name), bytes);
  console.log(`public/${name}: ${bytes.length} bytes`);
}
