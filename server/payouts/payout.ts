export const payoutStates = ["proposed", "recorded", "refused"] as const;
export type PayoutState = (typeof payoutStates)[number];

/** What a pool says of a day. */
export interface DayOfPool {
  /** A UTC day, YYYY-MM-DD. */
  day: string;
  units: bigint;
  /** The hashrate that the pool saw, on average over the day. */
  deliveredGhs: bigint;
  txid: string | null;
}

/** No pool paid more, or saw more: all bitcoin there will ever be, and a thousand times the network of 2026. */
export const mostUnits = 2_100_000_000_000_000n;
export const mostDeliveredGhs = 1_000_000_000_000_000n;

/** A file of a pool holds at most so much, and so many lines. */
export const statementMaxBytes = 2 * 1024 * 1024;
export const statementMaxLines = 2000;

/** Until somebody sets another limit: a payout above 1 BTC needs two people. */
export const defaultLimitSats = 100_000_000n;

/** What a pool says of a day now, where something else is recorded. */
export interface Difference {
  day: string;
  sats: string;
  deliveredGhs: string;
  payoutId: string;
}
