import { expect, test } from "vitest";
import { type SortValue, sortRows } from "./sort-rows.ts";

const sorted = (values: SortValue[], direction: "asc" | "desc") =>
  sortRows(values, (value) => value, direction);

test.each<[string, SortValue[], SortValue[]]>([
  ["amounts by their size", [300n, 20n, 1000n], [20n, 300n, 1000n]],
  [
    "words without regard to case, figures in them by their size",
    ["b10", "B9", "a"],
    ["a", "B9", "b10"],
  ],
  ["moments", [new Date(2), new Date(1)], [new Date(1), new Date(2)]],
])("sorts %s", (_, given, expected) => {
  expect(sorted(given, "asc")).toEqual(expected);
  expect(sorted(given, "desc")).toEqual(expected.toReversed());
});

test("what has no value comes last, whichever way", () => {
  expect(sorted([null, 2, 1], "asc")).toEqual([1, 2, null]);
  expect(sorted([null, 2, 1], "desc")).toEqual([2, 1, null]);
});
