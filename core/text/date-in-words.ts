import { formatDay } from "../utc-day.ts";

/** A moment in prose, in UTC: "24 Nov 2026, 00:40 UTC". */
export function momentInWords(at: Date | string): string {
  const iso = typeof at === "string" ? at : at.toISOString();
  return `${formatDay(iso)}, ${iso.slice(11, 16)} UTC`;
}
