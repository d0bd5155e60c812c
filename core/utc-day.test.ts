import { expect, test } from "vitest";
import { addDays, isDay } from "./utc-day.ts";

test.each(["2026-02-28", "2028-02-29", "1900-01-01", "2999-12-31"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
  expect(isDay(addDays(text, -1))).toBe(true);
});

// PostgreSQL refuses year 0, and the day after the last one of four digits cannot be written.
test.each(["0000-01-01", "0001-01-01", "9999-12-31", "2026-02-29", "2026-13-01", "2026-1-1", ""])(
  "%s is none that can be meant",
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);
