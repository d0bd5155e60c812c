import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { inlineStyles } from "./inline-styles.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-styles-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, "assets"));
writeFileSync(path.join(folder, "assets", "root-1.css"), ":root{--a:1}\n");
writeFileSync(path.join(folder, "assets", "page-1.css"), ".x{color:red}\n");

const linkTo = (sheet: string) => `<link rel="stylesheet" href="/assets/${sheet}.css"/>`;

test("a page gets its sheets in their order, in place of the first link", () => {
  const page = `<head>${linkTo("root-1")}${linkTo("page-1")}</head><p class="x"></p>`;
  expect(inlineStyles(page, folder, "n")).toBe(
    '<head><style nonce="n">:root{--a:1}.x{color:red}</style></head><p class="x"></p>',
  );
});

test("a page of which one sheet cannot be read keeps all links", () => {
  const page = `${linkTo("root-1")}${linkTo("gone")}<p class="x"></p>`;
  expect(inlineStyles(page, folder, "n")).toBe(page);
});
