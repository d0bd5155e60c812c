import { startOfDay } from "#core/utc-day.ts";

/** "21 November 2026" from 2026-11-21. */
export function dayInWords(day: string): string {
  return startOfDay(day).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}
