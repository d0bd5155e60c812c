import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/**
 * Makes the fonts in app/ui/theme/fonts out of those of @fontsource-variable: only the characters of English pages and
 * the weights that the site uses, at half the size. The rest stays in the packages' files, for who needs it.
 * `node scripts/make-fonts.ts`, again when a package or this list changes; what cuts is in a package.json of its own.
 */
const place = path.join(import.meta.dirname, "fonts");
const folder = path.resolve(import.meta.dirname, "../app/ui/theme/fonts");

/** As `unicode-range` in app/ui/theme/fonts.css has them. */
const ranges: [from: number, to: number][] = [
  [0x20, 0x7e],
  ...[
    0xa0, 0xa3, 0xa7, 0xa9, 0xb0, 0xb1, 0xb7, 0xd7, 0xf7, 0x202f, 0x20ac, 0x2122, 0x2191, 0x2193,
  ].map((one): [number, number] => [one, one]),
  [0x2009, 0x200a],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x2212, 0x2212],
];

const inter = "inter/files/inter-latin-wght-normal.woff2";
const sourceSerif = "source-serif-4/files/source-serif-4-latin-wght-normal.woff2";

type Weights = number | { min: number; max: number };

const fonts: { made: string; from: string; wght: Weights }[] = [
  { made: "assay-sans", from: inter, wght: { min: 400, max: 700 } },
  // Headings have one weight; what customers say, on the first page, has the other.
  { made: "assay-serif-600", from: sourceSerif, wght: 600 },
  { made: "assay-serif-400", from: sourceSerif, wght: 400 },
];

type SubsetFont = (
  font: Buffer,
  text: string,
  options: { targetFormat: "woff2"; variationAxes: Record<string, Weights> },
) => Promise<Buffer>;

const subsetFont = loadSubsetFont();
const characters = ranges
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n))
  .map((code) => String.fromCodePoint(code))
  .join("");

for (const { made, from, wght } of fonts) {
  const whole = readFileSync(path.resolve("node_modules/@fontsource-variable", from));
  const cut = await subsetFont(whole, characters, {
    targetFormat: "woff2",
    variationAxes: { wght },
  });
  writeFileSync(path.join(folder, `${made}.woff2`), cut);
  console.log(`${made}.woff2: ${cut.length} bytes of ${whole.length}`);
}

function loadSubsetFont(): SubsetFont {
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  spawnSync("npm", args, { cwd: place, stdio: ["ignore", "ignore", "inherit"], shell: true });
  return createRequire(path.join(place, "package.json"))("subset-font") as SubsetFont;
}
