import { expect, test } from "vitest";
import { otherParams, sortDirection, withParams } from "./list-params.ts";

test("a list keeps its filters when one of them changes", () => {
  const current = new URLSearchParams("q=a+b&show=25&page=3");
  expect(withParams(current, { page: 4 })).toBe("?q=a+b&show=25&page=4");
  expect(withParams(current, { q: "", page: null })).toBe("?show=25");
  expect(withParams(new URLSearchParams("page=2"), { page: null })).toBe("?");
});

test("a form that changes a filter starts the list again from its beginning", () => {
  const current = new URLSearchParams("q=x&show=25&page=3&after=abc&sort=date");
  expect(otherParams(current, "q")).toEqual([
    ["show", "25"],
    ["sort", "date"],
  ]);
});

test.each([
  ["", "date", "desc", "desc"],
  ["", "amount", undefined, null],
  ["sort=amount", "date", "desc", null],
  ["sort=amount&dir=desc", "amount", undefined, "desc"],
  ["sort=amount&dir=sideways", "amount", undefined, "asc"],
] as const)("%j sorts %s (initially %s) %s", (query, column, initial, direction) => {
  expect(sortDirection(new URLSearchParams(query), column, initial)).toBe(direction);
});
