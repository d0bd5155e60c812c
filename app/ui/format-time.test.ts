import { expect, test } from "vitest";
import { formatAge, formatUtc } from "./format-time.ts";

test("a moment is written in UTC whatever the machine's zone", () => {
  expect(formatUtc("2026-11-21T00:05:59Z")).toBe("21 Nov 2026, 00:05 UTC");
  expect(formatUtc(new Date("2026-06-01T23:59:00+02:00"))).toBe("01 Jun 2026, 21:59 UTC");
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
