import { startOfDay } from "../utc-day.ts";

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A UTC day in prose: "2026-11-04" is "4 Nov 2026". */
export function dayInWords(day: string): string {
  const at = startOfDay(day.slice(0, 10));
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** A moment in prose, in UTC: "24 Nov 2026, 00:40 UTC". */
export function momentInWords(at: Date | string): string {
  const iso = typeof at === "string" ? at : at.toISOString();
  return `${dayInWords(iso)}, ${iso.slice(11, 16)} UTC`;
}
