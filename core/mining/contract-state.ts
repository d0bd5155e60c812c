import { utcDay } from "../utc-day.ts";

/** What a contract does at a moment, for people: it can still be given back, waits for its first day, runs, or has ended. */
export type ContractState = "cooling-off" | "waiting" | "active" | "ended" | "given-back";

interface Dates {
  startsOn: string;
  lastDay: string | null;
  endReason: string | null;
  coolingOffUntil: Date | null;
}

/** Where a contract stands at this moment. */
export function contractState(contract: Dates, now: Date): ContractState {
  const { startsOn, lastDay, endReason } = contract;
  if (endReason === "given-back") return "given-back";
  const today = utcDay(now);
  if (lastDay !== null && lastDay < today) return "ended";
  if (canBeGivenBack(contract, now)) return "cooling-off";
  return startsOn > today ? "waiting" : "active";
}

/** Whether a contract is a first one whose owner may still think again. */
export function canBeGivenBack(
  { coolingOffUntil, lastDay }: Pick<Dates, "coolingOffUntil" | "lastDay">,
  now: Date,
): boolean {
  return coolingOffUntil !== null && lastDay === null && now <= coolingOffUntil;
}
