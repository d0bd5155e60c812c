import { expect, test } from "vitest";
import { readPeriod } from "./read-period.ts";

const today = "2026-11-24";
const read = (query: string) => readPeriod(new URLSearchParams(query), today);

test.each([
  ["", { by: "day", month: "2026-11" }],
  ["by=day&period=2026-02", { by: "day", month: "2026-02" }],
  ["by=month&period=2025", { by: "month", year: "2025" }],
  ["by=day&period=2025", { by: "day", month: "2026-11" }],
  ["by=month&period=2025-03", { by: "month", year: "2026" }],
])("%s asks for a period that was", (query, period) => {
  expect(read(query)).toEqual(period);
});

test.each(["0000-01", "2008-12", "2026-12", "9999-12", "__proto__", "2026-11-24"])(
  "%s is no month that can be meant, so it is this one",
  (period) => {
    expect(read(`by=day&period=${period}`)).toEqual({ by: "day", month: "2026-11" });
  },
);

test.each(["0000", "2008", "2027", "9999"])("nor is %s such a year", (period) => {
  expect(read(`by=month&period=${period}`)).toEqual({ by: "month", year: "2026" });
});
