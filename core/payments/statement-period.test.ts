import { expect, test } from "vitest";
import {
  calendarYear,
  listPeriods,
  periodValue,
  periodWords,
  readPeriod,
  readTaxYearStart,
} from "./statement-period.ts";

const april = { month: 4, day: 6 };

test.each([
  ["month:2026-11", "2026-11-01", "2026-11-30", "November 2026"],
  ["month:2024-02", "2024-02-01", "2024-02-29", "February 2024"],
  ["month:2026-12", "2026-12-01", "2026-12-31", "December 2026"],
  ["year:2024", "2024-01-01", "2024-12-31", "2024"],
  ["tax-year:2025", "2025-04-06", "2026-04-05", "6 April 2025 to 5 April 2026"],
])("%s is %s to %s", (chosen, fromDay, throughDay, words) => {
  const period = readPeriod(chosen, april);
  expect(period).toMatchObject({ fromDay, throughDay });
  if (!period) throw new Error("unreachable");
  expect(periodWords(period)).toBe(words);
  expect(periodValue(period)).toBe(chosen);
});

test.each([
  "",
  "month",
  "month:2026-13",
  "month:2026",
  "year:26",
  "year:99999",
  "tax-year:",
  "day:2026",
])("%j is no period", (chosen) => expect(readPeriod(chosen, april)).toBeNull());

test.each([
  ["4", "6", april],
  ["13", "1", null],
  ["2", "29", null],
  ["1", "1.5", null],
  ["", "", null],
])("a tax year from month %j, day %j", (month, day, start) =>
  expect(readTaxYearStart(month, day)).toEqual(start),
);

test("offers what has begun, back to the first day", () => {
  const offered = (start = april) =>
    listPeriods("2025-12-24", "2026-02-01", start).map(periodValue);
  const months = ["month:2026-02", "month:2026-01", "month:2025-12"];
  expect(offered()).toEqual([...months, "year:2026", "year:2025", "tax-year:2025"]);
  expect(offered(calendarYear)).toEqual([
    ...[...months, "year:2026", "year:2025"],
    ...["tax-year:2026", "tax-year:2025"],
  ]);
});
