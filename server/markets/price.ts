import { isSilent } from "#core/payments/silence.ts";
import type { PricedAsset, PriceMessage, PriceTrouble, RoundTrouble } from "#core/price.ts";
import { formatPrice, toUsd } from "#core/price.ts";
import { terms } from "#core/terms.ts";

/** The age from which nothing is valued or converted with a price any more. */
export const priceMaxAgeMs = terms.priceMaxAgeMinutes * 60_000;

/** The median of the exchanges that agreed, and how old it is. */
export interface Price {
  priceId: string;
  asset: PricedAsset;
  /** Dollars for one whole unit of the asset, in 10^-8 dollars. */
  usdE8: bigint;
  /** The same as an exact decimal. */
  usd: string;
  /** How many exchanges agreed. */
  sources: number;
  /** Which they were, by name. */
  agreed: string[];
  observedAt: Date;
  ageMs: number;
  /** Not older than `terms.priceMaxAgeMinutes`: money may be valued with it. */
  fresh: boolean;
  simulated: boolean;
  /** Per cent in 24 hours, two decimals, for show; null: not known. */
  change24h: number | null;
  /** Why nothing newer came of the last questions; null: something did. */
  trouble: PriceTrouble | null;
}

/** What came of one exchange's quote: it agreed, lay too far off, or was too old. */
export const verdicts = ["agreed", "outlier", "stale"] as const;
export type Verdict = (typeof verdicts)[number];

/** Why an exchange's quotes of an asset are left out at present. */
export type DropReason = Exclude<Verdict, "agreed"> | "unreadable";

/** `limiting`: it told us to ask less often. */
export type SourceState = "answering" | "failing" | "limiting";

/** Whether a price of that age may value money. A price of the future never does. */
export function isFresh(observedAt: Date, now: Date): boolean {
  const ageMs = now.getTime() - observedAt.getTime();
  return ageMs <= priceMaxAgeMs && ageMs >= -clockToleranceMs;
}

/** How far the clocks of machines may differ before a price counts as one of the future. */
const clockToleranceMs = 60_000;

/** The change from one price to another in per cent, to two decimals. */
export function changePercent(fromE8: bigint, toE8: bigint): number {
  return Number(((toE8 - fromE8) * 10_000n) / fromE8) / 100;
}

/** A price as browsers are told it, its age as of this moment. */
export function toMessage(price: Price, now: Date): PriceMessage {
  const { priceId: _, usdE8, observedAt, ...rest } = price;
  return {
    ...rest,
    usd: toUsd(usdE8),
    shown: formatPrice(usdE8),
    observedAt: observedAt.toISOString(),
    ageMs: ageOf(observedAt, now),
    fresh: isFresh(observedAt, now),
  };
}

/** Exchanges are asked once a minute at the least (`PRICE_POLL_SECONDS`). */
const longestPeriodSeconds = 60;

/** Why nothing newer came: what the last round came to says nothing any more once nobody has asked for long. */
export function troubleNow(
  round: { askedAt: Date; trouble: RoundTrouble | null } | null,
  now: Date,
): PriceTrouble | null {
  if (!round) return null;
  return isSilent(round.askedAt, longestPeriodSeconds, now) ? "not-asked" : round.trouble;
}

/** Never below zero: a clock that runs behind makes no price of the future. */
export function ageOf(observedAt: Date, now: Date): number {
  return Math.max(0, now.getTime() - observedAt.getTime());
}
