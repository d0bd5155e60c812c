import { expect, test } from "vitest";
import { countFound, matchesSearch } from "./faq-search.ts";

test.each([
  ["", true],
  ["  ", true],
  ["withdraw", true],
  ["WITHDRAW how", true],
  ["zurich", true],
  ["withdraw card", false],
  ["50%", true],
  [".*", false],
])("searching for %o finds it: %s", (search, found) => {
  expect(matchesSearch("How do I withdraw from Zürich? At 50%", search)).toBe(found);
});

test("says how many were found", () => {
  expect(countFound(3, 20)).toBe("3 of 20 questions");
  expect(countFound(0, 20)).toBe("No question holds all of these words.");
});
