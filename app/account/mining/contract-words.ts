import type { Coin } from "#core/asset.ts";
import { addDays, daysBetween, utcDay } from "#core/utc-day.ts";

interface Totals {
  coin: Coin;
  usdCents: bigint;
  units: bigint;
  creditedUsdMicros: bigint;
  feesUsdMicros: bigint;
  refundedUnits: bigint | null;
}

/** The order form, filled in as this contract was ordered. */
export function orderAgain(contract: { slug: string; quantity: number; coin: Coin }): string {
  return `/account/mining/buy?plan=${contract.slug}&units=${contract.quantity}&coin=${contract.coin}`;
}

/** What was mined less maintenance so far, each day at its own price, less the price paid: below zero until break-even. */
export function resultUsdMicros(contract: Totals): bigint {
  const { usdCents, units, creditedUsdMicros, feesUsdMicros, refundedUnits } = contract;
  const refunded = refundedUnits === null ? 0n : (refundedUnits * usdCents * 10_000n) / units;
  return creditedUsdMicros - feesUsdMicros + refunded - usdCents * 10_000n;
}

/**
 * When mined less maintenance covers the price, if every day goes on as the average so far; null: never. An estimate that
 * says so, and none before a first day.
 */
export function breakEvenWords(
  contract: Totals & {
    startsOn: string;
    countedUntil: string | null;
    lastDay: string | null;
    termDays: number;
    servedDays: number;
  },
): string {
  const result = resultUsdMicros(contract);
  if (result >= 0n) return "reached";
  if (contract.lastDay !== null) return "not reached";
  const days = contract.countedUntil
    ? daysBetween(contract.startsOn, contract.countedUntil) + 1
    : 0;
  if (days <= 0) return "not known before the first day";
  if (contract.creditedUsdMicros === 0n && contract.feesUsdMicros === 0n) {
    return "not known before the first credit";
  }
  const net = contract.creditedUsdMicros - contract.feesUsdMicros;
  if (net <= 0n) return "not at the current rate";
  const more = (-result * BigInt(days) + net - 1n) / net;
  const left = BigInt(Math.max(0, contract.termDays - contract.servedDays));
  return more > left ? "not at the current rate" : `in about ${more} days at the current rate`;
}

/** What a day's maintenance took, or will: nothing where it lapsed with its contract, as on its receipt. */
export function dueSats({ feeSats, feeState }: { feeSats: bigint; feeState: string }): bigint {
  return feeState === "lapsed" ? 0n : feeSats;
}

/** The days of a contract that are over and not credited yet; null: none. `nextDay` is the one that is worked out next. */
export function awaitedDays(
  contract: { startsOn: string; lastDay: string | null; endReason: string | null },
  nextDay: string | null,
  now: Date,
): { first: string; last: string } | null {
  if (nextDay === null || contract.endReason === "given-back") return null;
  const yesterday = addDays(utcDay(now), -1);
  const first = nextDay > contract.startsOn ? nextDay : contract.startsOn;
  const last =
    contract.lastDay !== null && contract.lastDay < yesterday ? contract.lastDay : yesterday;
  return first > last ? null : { first, last };
}

/** How many UTC days a contract still runs, today included; before its first day all of them. */
export function daysLeft(startsOn: string, lastDay: string | null, now: Date): number {
  const today = utcDay(now);
  const from = startsOn > today ? startsOn : today;
  return lastDay === null ? 0 : Math.max(0, daysBetween(from, lastDay) + 1);
}
