import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { markCrack, markLetter, markOutline } from "../browser/mark.ts";

test.each(["hallmark.module.css", "../market/stamp.module.css"])(
  "the stamp that %s draws has the lines of the logo",
  (name) => {
    const css = readFileSync(path.join(import.meta.dirname, name), "utf8");
    for (const line of [markOutline, markLetter, markCrack]) expect(css).toContain(`d='${line}'`);
  },
);
