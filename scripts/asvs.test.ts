import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/security/asvs.md", "utf8");
const overview = readFileSync("docs/security/README.md", "utf8");
const [, summary = ""] = page.split("| chapter |");
const chapters = page.split(/^## V(?=\d)/m).slice(1);

interface Line {
  numbers: string[];
  is: string;
}

/** The lines of one table: `| 1.2.6, 1.2.7 | asks | n/a | where |`. */
function linesOf(chapter: string): Line[] {
  return [...chapter.matchAll(/^\| (\d[\d., ]*) \| .* \| (met|n\/a|not met) \| /gm)].map(
    ([, numbers = "", is = ""]) => ({ numbers: numbers.split(", "), is }),
  );
}

test("every file that the checklist names exists", () => {
  for (const file of ["docs/security/asvs.md", "docs/security/README.md"]) {
    for (const [, named = ""] of readFileSync(file, "utf8").matchAll(/`([\w./-]+\.\w+)`/g)) {
      if (named.includes("/")) expect(existsSync(named), `${named}, in ${file}`).toBe(true);
    }
  }
});

test("every test that it names is in its file", () => {
  for (const [, file = "", titles = ""] of (page + overview).matchAll(
    /`([^`]+\.ts)` ("[^"]+"(?:, "[^"]+")*)/g,
  )) {
    const source = readFileSync(file, "utf8");
    for (const [, title = ""] of titles.matchAll(/"([^"]+)"/g)) expect(source).toContain(title);
  }
});

test("every requirement of levels 1 and 2 has one line, and the summary counts them", () => {
  const numbers = chapters.flatMap(linesOf).flatMap((line) => line.numbers);
  expect(numbers).toHaveLength(253);
  expect(new Set(numbers).size).toBe(253);
  for (const [index, chapter] of chapters.entries()) {
    const counts = ["met", "n/a", "not met"].map((is) =>
      linesOf(chapter)
        .filter((line) => line.is === is)
        .reduce((sum, line) => sum + line.numbers.length, 0),
    );
    const title = chapter.split("\n")[0]?.replace(/^\d+ /, "");
    expect(summary).toContain(`| V${index + 1} ${title} | ${counts.join(" | ")} |`);
  }
});

test("what is not met stands at the top, and nothing else", () => {
  const [, top = ""] = page.split("## What is not met");
  const listed = [...(top.split("## V1 ")[0] ?? "").matchAll(/^\| (\d[\d., ]*) \|/gm)];
  const unmet = chapters.flatMap(linesOf).filter(({ is }) => is === "not met");
  expect(listed.flatMap(([, numbers = ""]) => numbers.split(", ")).sort()).toEqual(
    unmet.flatMap((line) => line.numbers).sort(),
  );
});
