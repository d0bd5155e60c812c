import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { inlineStyles } from "./inline-styles.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-styles-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, "assets"));
const sheet = ":root{--mantine-a:1;--mantine-b:2;--mantine-c:3}.x{color:red}.y{color:blue}";
writeFileSync(path.join(folder, "assets", "page-1.css"), sheet);

const link = '<link rel="stylesheet" href="/assets/page-1.css"/>';
const styled = (body: string) => inlineStyles(`${link}${body}`, folder, "n");

test("a page gets the rules that it needs, in place of the link", () => {
  expect(styled('<p class="x"></p>')).toBe(
    '<style nonce="n">.x{color:red}</style><p class="x"></p>',
  );
});

test.each([
  ["another class", '<p class="y"></p>', ".y{"],
  ["a variable in a style", '<p class="x" style="top:var(--mantine-a)"></p>', "--mantine-a:1"],
  ["one in a drawing", '<p class="x"></p><path fill="var(--mantine-b)"/>', "--mantine-b:2"],
  ["one in a script", '<p class="x"></p><script>"--mantine-c"</script>', "--mantine-c:3"],
])("a page that differs by %s is not given what was found for the one before", (_, body, rule) => {
  styled('<p class="x"></p>');
  expect(styled(body)).toContain(rule);
});

test("a page whose sheet cannot be read keeps its link", () => {
  const page = '<link rel="stylesheet" href="/assets/gone.css"/><p class="x"></p>';
  expect(inlineStyles(page, folder, "n")).toBe(page);
});
