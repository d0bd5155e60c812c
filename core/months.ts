import { addDays } from "./utc-day.ts";

/** Whether the text is a calendar month written YYYY-MM. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** The month that many months later, or earlier where it is below zero: "2026-12", 1 -> "2027-01". */
export function addMonths(month: string, months: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months;
  const year = Math.floor(count / 12);
  return `${String(year).padStart(4, "0")}-${String(count - year * 12 + 1).padStart(2, "0")}`;
}

/** All months from one to another, the newest first. */
export function listMonths(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = last; month >= first; month = addMonths(month, -1)) months.push(month);
  return months;
}

/** The last UTC day of a month. */
export function lastDayOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1);
}
