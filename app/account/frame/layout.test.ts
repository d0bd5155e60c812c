import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sidebarBreakpointPx } from "#core/terms.ts";

test("the sidebar's styles turn at the breakpoint that the terms name", () => {
  const css = readFileSync(path.join(import.meta.dirname, "layout.module.css"), "utf8");
  const em = sidebarBreakpointPx / 16;
  expect(css).toContain(`@media (max-width: ${em}em)`);
  expect(css).toContain(`@media (min-width: ${em + 0.0625}em)`);
});
