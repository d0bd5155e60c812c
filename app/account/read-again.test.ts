import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

test("a page with a form is read again when what it showed was old, so that the form is sent for what holds", () => {
  const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => ({ file, source: readFileSync(path.join(import.meta.dirname, file), "utf8") }))
    .filter(({ source }) => /^export (async )?(function|const) action\b/m.test(source));
  expect(pages.length).toBeGreaterThan(10);
  const forgetful = pages.filter(
    ({ source }) => !source.includes("export const shouldRevalidate = readAfterConflict;"),
  );
  expect(forgetful.map(({ file }) => file)).toEqual([]);
});
