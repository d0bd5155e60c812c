import { expect, test } from "vitest";
import {
  changeWords,
  dayChangeWords,
  newestAge,
  priceNote,
  priceState,
  pricesStatus,
} from "./price-words.ts";

const minute = 60_000;

test.each([
  [1.234, "up", "+1.23% up"],
  [-0.4, "down", "−0.40% down"],
  [0, "flat", "0.00% flat"],
  [null, "unknown", "change unknown"],
] as const)("a change of %s is told by sign and word", (percent, tone, text) => {
  expect(changeWords(percent)).toEqual({ tone, text });
});

test("beside a price a change says that it is of 24 hours", () => {
  expect(dayChangeWords(-0.4).text).toBe("−0.40% down in\u00a024\u00a0h");
  expect(dayChangeWords(null).text).toBe("change unknown");
});

test.each([
  [5_000, "fresh", "", "5 s ago"],
  [3 * minute, "fresh", "3 min old", "3 min ago"],
  [10 * minute, "fresh", "10 min old", "10 min ago"],
  [10 * minute + 1, "old", "10 min old", "too old: 10 min"],
  [25 * minute, "old", "25 min old", "too old: 25 min"],
  [null, "none", "no price", "unavailable"],
] as const)("a price of the age %s is %s and says so", (ageMs, state, note, status) => {
  expect(priceState(ageMs)).toBe(state);
  expect(priceNote(ageMs)).toBe(note);
  expect(pricesStatus(ageMs)).toBe(status);
});

test("the line for all tells the age of the newest", () => {
  expect(newestAge([])).toBeNull();
  expect(newestAge([{ ageMs: 9_000 }, { ageMs: 4_000 }])).toBe(4_000);
});
