import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folders = ["app", "bench", "core", "database", "docs", "scripts", "server", "tests"];
const files = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  ),
  // A bench has brought Lighthouse, where somebody ran it.
].filter((file) => !file.includes("/node_modules/"));

/** A file may be named by the end of its path: `price.ts`, `markets/price.ts`. */
const ends = new Set(
  [...files, "vite.config.ts", "playwright.config.ts", "vitest.config.ts"].flatMap((file) => {
    const parts = file.split("/");
    return parts.map((_, from) => parts.slice(from).join("/"));
  }),
);

const name = /(?<![\w@/.*<>{}$-])(?:\.{0,2}\/)*([\w@][\w./@-]*\.(?:tsx?|sql|css|mjs))\b(?![\w(])/g;

/** The lines of a file that are written for its readers: all of a document, of a program its comments. */
function* readersLines(file: string, text: string): Generator<string> {
  let isInside = false;
  for (const line of text.split("\n")) {
    const words = line.trim();
    if (words.startsWith("/*")) isInside = true;
    const [, beside = ""] =
      (file.endsWith(".sql") ? /(--.*)/ : /(?:^|\s)(\/\/ .*)/).exec(line) ?? [];
    yield file.endsWith(".md") || isInside ? line : beside;
    if (words.includes("*/")) isInside = false;
  }
}

test("every file that a document or a comment names is there", () => {
  const missing = files
    .filter((file) => /\.(?:tsx?|md|sql|css)$/.test(file))
    .flatMap((file) =>
      [...readersLines(file, readFileSync(file, "utf8"))].flatMap((line) =>
        [...line.matchAll(name)]
          .filter(([, named = ""]) => !ends.has(named))
          .map(([, named]) => `${file}: ${named}`),
      ),
    );
  expect(missing).toEqual([]);
});
