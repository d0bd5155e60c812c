import { expect, test } from "vitest";
import { formatAge, formatUtc, formatWithZone } from "./format-time.ts";

test("a moment is written in UTC whatever the machine's zone", () => {
  expect(formatUtc("2026-11-21T00:05:59Z")).toBe("21 Nov 2026, 00:05 UTC");
  expect(formatUtc(new Date("2026-06-01T23:59:00+02:00"))).toBe("1 Jun 2026, 21:59 UTC");
});

test.each([
  ["UTC", "2026-06-01T10:00:00Z", "1 Jun 2026, 10:00 UTC"],
  ["Europe/Berlin", "2026-06-01T10:00:00Z", "1 Jun 2026, 12:00 UTC+2"],
  ["Europe/Berlin", "2026-12-01T10:00:00Z", "1 Dec 2026, 11:00 UTC+1"],
  ["Asia/Kolkata", "2026-06-01T20:00:00Z", "2 Jun 2026, 01:30 UTC+5:30"],
  ["America/St_Johns", "2026-01-01T00:00:00Z", "31 Dec 2025, 20:30 UTC-3:30"],
])("a clock in %s at %s shows %s", (timeZone, at, shown) => {
  expect(formatWithZone(at, { locale: null, timeZone })).toBe(shown);
});

test.each([
  ["2026-11-21T00:00:00Z", "2026-11-21T00:00:12.900Z", "12 s ago"],
  ["2026-11-21T00:00:00Z", "2026-11-21T00:01:00Z", "1 min ago"],
  ["2026-11-21T00:00:00Z", "2026-11-21T23:59:59Z", "23 h ago"],
  ["2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z", "1 day ago"],
  ["2026-11-01T00:00:00Z", "2026-11-21T00:00:00Z", "20 days ago"],
  ["2026-11-21T00:00:05Z", "2026-11-21T00:00:00Z", "0 s ago"],
])("%s seen at %s is %s", (at, now, age) => {
  expect(formatAge(at, now)).toBe(age);
});
