const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "21 November 2026" from 2026-11-21. */
export function dayInWords(day: string): string {
  return words.format(new Date(`${day}T00:00:00Z`));
}
