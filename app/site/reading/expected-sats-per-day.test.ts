import { expect, test } from "vitest";
import { expectedSatsPerDay } from "./expected-sats-per-day.ts";

test("works out what 100 TH/s find in a day, and half of it at twice the difficulty", () => {
  const day = { hashrateThs: 100, difficulty: 150e12, blockRewardSats: 312_500_000 };
  expect(expectedSatsPerDay(day)).toBe(4191);
  expect(expectedSatsPerDay({ ...day, difficulty: 300e12 })).toBe(2095);
});
