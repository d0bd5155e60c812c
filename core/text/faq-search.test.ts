import { expect, test } from "vitest";
import { countFound, findMatches } from "./faq-search.ts";

const texts = [
  "How do I withdraw from Zürich? At 50%",
  "What does a deposit cost? Fees of the network are yours",
  "Is a profit guaranteed? No withdrawal is",
];

test.each([
  ["", [0, 1, 2]],
  ["  ", [0, 1, 2]],
  ["WITHDRAW how", [0, 2]],
  ["zurich", [0]],
  ["50%", [0]],
  [".*", []],
  ["How long does a withdrawal take?", [0, 2]],
  ["deposits, costing", [1]],
  ["fee", [1]],
  ["what", [1]],
  ["nothing", []],
])("searching for %o finds %o", (search, places) => {
  expect(findMatches(texts, search)).toEqual({ places, isWhole: places.length > 0 });
});

test.each([
  ["guaranteed withdrawel", [2]],
  ["deposit fee card", [1]],
  ["card deposit pizza", []],
])("no text holds all of %o; most of them %o", (search, places) => {
  expect(findMatches(texts, search)).toEqual({ places, isWhole: false });
});

test("says how many were found", () => {
  expect(countFound({ places: [1, 2, 3], isWhole: true }, 20)).toBe("3 of 20 questions");
  expect(countFound({ places: [1], isWhole: false }, 20)).toBe(
    "No question has all of these words. The closest: 1 of 20 questions",
  );
  expect(countFound({ places: [], isWhole: false }, 20)).toBe(
    "No results. Try other words, or write to us.",
  );
});
