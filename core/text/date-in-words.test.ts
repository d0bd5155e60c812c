import { expect, test } from "vitest";
import { formatDay } from "../utc-day.ts";
import { momentInWords } from "./date-in-words.ts";

test("days and moments are written as prose says them, in UTC", () => {
  expect(formatDay("2026-11-04")).toBe("4 Nov 2026");
  expect(momentInWords(new Date("2026-11-24T00:40:59Z"))).toBe("24 Nov 2026, 00:40 UTC");
  expect(momentInWords("2026-01-01T23:05:00.000Z")).toBe("1 Jan 2026, 23:05 UTC");
});
