import type { Coin } from "../asset.ts";
import { formatWhole } from "../money.ts";

export const countStates = ["open", "confirmed", "rejected", "withdrawn"] as const;
export type CountState = (typeof countStates)[number];

/** There are not more of them, or hardly: a slip of the finger. */
export const maxCountUnits: Record<Coin, bigint> = {
  BTC: 21_000_000n * 10n ** 8n,
  ETH: 200_000_000n * 10n ** 18n,
  USDT: 1_000_000_000_000n * 10n ** 6n,
};

/** Characters of the words about the wallets that were read. */
export const countWalletsMax = 400;

export const explanationMax = 1000;

/** Counts are of the last so many days; an older one says nothing of today. */
export const countMaxAgeDays = 7;

/**
 * What lies in the wallets of what the ledger says, in hundredths of a per cent, rounded down, so that anything less
 * than all of it is below 10,000. Where nothing is in custody all of it is there.
 */
export function coveragePoints(units: bigint, custodyUnits: bigint): bigint {
  return custodyUnits <= 0n ? 10_000n : (units * 10_000n) / custodyUnits;
}

/** "100.00 %" */
export function coverageWords(units: bigint, custodyUnits: bigint): string {
  const points = coveragePoints(units, custodyUnits);
  return `${formatWhole(points / 100n)}.${String(points % 100n).padStart(2, "0")} %`;
}
