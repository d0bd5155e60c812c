import { terms } from "../terms.ts";
import { addDays, startOfDay, utcDay } from "../utc-day.ts";

/** Until when a first contract can be given back. */
export function coolingOffUntil(boughtAt: Date): Date {
  return new Date(boughtAt.getTime() + terms.coolingOffHours * 3_600_000);
}

/**
 * The first UTC day that a contract is served: the one after the purchase; of a first contract the first that begins
 * when it can no longer be given back.
 */
export function firstDay(boughtAt: Date, isFirst: boolean): string {
  if (!isFirst) return addDays(utcDay(boughtAt), 1);
  const until = coolingOffUntil(boughtAt);
  const day = utcDay(until);
  return startOfDay(day).getTime() === until.getTime() ? day : addDays(day, 1);
}
