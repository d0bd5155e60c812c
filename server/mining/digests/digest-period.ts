import type { DigestEvery } from "#core/notice-events.ts";

export interface DigestPeriod {
  fromDay: string;
  throughDay: string;
}

/** The last day, week (from Monday) or month that is complete when a day is. */
export function lastDigestPeriod(every: Exclude<DigestEvery, "off">, day: string): DigestPeriod {
  if (every === "day") return { fromDay: day, throughDay: day };
  if (every === "week") {
    const sundays = new Date(`${day}T00:00:00Z`).getUTCDay();
    const throughDay = plus(day, -sundays);
    return { fromDay: plus(throughDay, -6), throughDay };
  }
  const endsMonth = plus(day, 1).slice(8) === "01";
  const throughDay = endsMonth ? day : plus(`${day.slice(0, 7)}-01`, -1);
  return { fromDay: `${throughDay.slice(0, 7)}-01`, throughDay };
}

function plus(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
