import { expect, test } from "vitest";
import { parseInline, withoutMarks } from "./inline.ts";

test("takes links and code out of a sentence", () => {
  expect(parseInline("See [the terms](/terms#fees), cookie `flash`.")).toEqual([
    { text: "See " },
    { text: "the terms", href: "/terms#fees" },
    { text: ", cookie " },
    { text: "flash", code: true },
    { text: "." },
  ]);
  expect(withoutMarks("See [the terms](/terms#fees), cookie `flash`.")).toBe(
    "See the terms, cookie flash.",
  );
});
