import { isMonth } from "#core/months.ts";
import type { BusinessPeriod } from "#server/console/business/read-business.ts";

/** No transfer is older: Bitcoin's first block. */
export const firstPeriod = "2009-01";

/** Which period an address asks for; the days of this month where it names none that can be meant. */
export function readPeriod(params: URLSearchParams, today: string): BusinessPeriod {
  const period = params.get("period") ?? "";
  const isPast = period >= firstPeriod.slice(0, period.length) && period <= today;
  if (params.get("by") === "month") {
    const year = isPast && /^\d{4}$/.test(period) ? period : today.slice(0, 4);
    return { by: "month", year };
  }
  return { by: "day", month: isPast && isMonth(period) ? period : today.slice(0, 7) };
}

/** How such a period is named in an address. */
export function periodParams(period: BusinessPeriod): { by: string; period: string } {
  return period.by === "day"
    ? { by: "day", period: period.month }
    : { by: "month", period: period.year };
}
