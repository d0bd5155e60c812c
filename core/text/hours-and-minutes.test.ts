import { expect, test } from "vitest";
import { hoursAndMinutes } from "./hours-and-minutes.ts";

test.each([
  [86_400_000, "24 hours"],
  [86_399_999, "24 hours"],
  [82_860_000, "23 hours 1 minute"],
  [3_600_001, "1 hour 1 minute"],
  [1, "1 minute"],
  [-5, "1 minute"],
])("%i ms are %s", (ms, words) => {
  expect(hoursAndMinutes(ms)).toBe(words);
});
