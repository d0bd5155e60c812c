/** The UTC day of a moment, as YYYY-MM-DD. A mining day is a UTC day. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Whether the text is a real calendar day written YYYY-MM-DD. PostgreSQL has no year 0, and the day after year 9999 has five digits. */
export function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && utcDay(at) === text;
}

/** The moment at which a UTC day begins. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** The day that many days later, or earlier where it is below zero. */
export function addDays(day: string, days: number): string {
  return utcDay(new Date(startOfDay(day).getTime() + days * 86_400_000));
}

/** How many days lie between two: 1 from a day to the next. */
export function daysBetween(from: string, to: string): number {
  return Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / 86_400_000);
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A UTC day as a sentence has it: "9 Oct 2026". Tables of days keep YYYY-MM-DD. */
export function formatDay(day: string): string {
  return `${Number(day.slice(8, 10))} ${formatMonth(day)}`;
}

/** A moment as mails have it: "9 Oct 2026, 21:40 UTC". */
export function formatMoment(at: Date): string {
  return `${formatDay(utcDay(at))}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** The month of a UTC day, or one written YYYY-MM: "Oct 2026". */
export function formatMonth(day: string): string {
  return `${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}
