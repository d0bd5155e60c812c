import { addDays, daysBetween, isDay } from "../utc-day.ts";

export const statementPeriods = ["month", "year", "tax-year"] as const;
export type PeriodKind = (typeof statementPeriods)[number];

/** The UTC days that a statement is about, both ends included. */
export interface StatementPeriod {
  kind: PeriodKind;
  /** YYYY-MM-DD. */
  fromDay: string;
  throughDay: string;
}

/** Where a tax year begins in countries with days that every month has: at most the 28th. */
export interface TaxYearStart {
  /** 1 to 12. */
  month: number;
  /** 1 to 28. */
  day: number;
}

export const calendarYear: TaxYearStart = { month: 1, day: 1 };

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** For a choice: "1" to "12" with the months' names. */
export const monthOptions = months.map((label, place) => ({ value: String(place + 1), label }));

/**
 * Reads what a form chose: `month:2026-11`, `year:2026`, or `tax-year:2025` for the one that begins in 2025. Null where
 * it is none of these.
 */
export function readPeriod(chosen: string, start: TaxYearStart): StatementPeriod | null {
  const [kind, value = ""] = chosen.split(":");
  if (kind === "month") return isDay(`${value}-01`) ? monthFrom(`${value}-01`) : null;
  if (!/^20\d\d$/.test(value)) return null;
  if (kind === "year") return yearFrom("year", `${value}-01-01`);
  return kind === "tax-year" ? yearFrom("tax-year", `${value}-${monthAndDay(start)}`) : null;
}

/** The start of a tax year as a form chose it; null where no tax year can start on it. */
export function readTaxYearStart(month: string, day: string): TaxYearStart | null {
  const start = { month: Number(month), day: Number(day) };
  const fits = (value: number, most: number) =>
    Number.isInteger(value) && value >= 1 && value <= most;
  return fits(start.month, 12) && fits(start.day, 28) ? start : null;
}

/** Every period that has begun and reaches back to the first day, newest first; at most 24 months. */
export function listPeriods(
  firstDay: string,
  today: string,
  start: TaxYearStart,
): StatementPeriod[] {
  const begun: StatementPeriod[] = [];
  let month = monthFrom(`${today.slice(0, 7)}-01`);
  while (month.throughDay >= firstDay && begun.length < 24) {
    begun.push(month);
    month = monthFrom(`${addDays(month.fromDay, -1).slice(0, 7)}-01`);
  }
  for (const [kind, from] of [
    ["year", "01-01"],
    ["tax-year", monthAndDay(start)],
  ] as const) {
    for (let year = Number(today.slice(0, 4)); ; year -= 1) {
      const period = yearFrom(kind, `${year}-${from}`);
      if (period.throughDay < firstDay) break;
      if (period.fromDay <= today) begun.push(period);
    }
  }
  return begun;
}

/** As `readPeriod` reads it. */
export function periodValue({ kind, fromDay }: StatementPeriod): string {
  return `${kind}:${fromDay.slice(0, kind === "month" ? 7 : 4)}`;
}

/** "November 2026", "2026", "6 April 2025 to 5 April 2026". */
export function periodWords({ kind, fromDay, throughDay }: StatementPeriod): string {
  if (kind === "month") return `${monthName(fromDay)} ${fromDay.slice(0, 4)}`;
  if (kind === "year") return fromDay.slice(0, 4);
  return `${dayWords(fromDay)} to ${dayWords(throughDay)}`;
}

function monthFrom(fromDay: string): StatementPeriod {
  // Every month is over 31 days later.
  const next = `${addDays(fromDay, 31).slice(0, 7)}-01`;
  return { kind: "month", fromDay, throughDay: addDays(next, -1) };
}

function yearFrom(kind: PeriodKind, fromDay: string): StatementPeriod {
  const next = `${Number(fromDay.slice(0, 4)) + 1}${fromDay.slice(4)}`;
  return { kind, fromDay, throughDay: addDays(fromDay, daysBetween(fromDay, next) - 1) };
}

function monthAndDay({ month, day }: TaxYearStart): string {
  return `${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function dayWords(day: string): string {
  return `${Number(day.slice(8))} ${monthName(day)} ${day.slice(0, 4)}`;
}

function monthName(day: string): string {
  return months[Number(day.slice(5, 7)) - 1] ?? "";
}
