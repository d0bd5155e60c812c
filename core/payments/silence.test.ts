import { expect, test } from "vitest";
import { isSilent } from "./silence.ts";

const now = new Date("2026-11-23T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  ["asked a moment ago", 1, 10, false],
  ["a short period, for less than five minutes", 299, 10, false],
  ["a short period, for more than five minutes", 301, 10, true],
  ["ten minutes, missed four times", 2_999, 600, false],
  ["ten minutes, missed five times", 3_001, 600, true],
  ["a clock that runs ahead", -60, 10, false],
])("%s", (_, age, period, silent) => {
  expect(isSilent(ago(age), period, now)).toBe(silent);
});
