const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "21 November 2026" from 2026-11-21. */
export function dayInWords(day: string): string {
  return words.format(new Date(`${day}T00:00:00Z`));
}

const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** "21 Nov 2026" from 2026-11-21. */
export function shortDay(day: string): string {
  return short.format(new Date(`${day}T00:00:00Z`));
}
