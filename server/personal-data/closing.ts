import type { Coin } from "#core/asset.ts";
import { smallestPayment } from "#core/payments/withdrawal.ts";

/**
 * How far somebody has got with leaving: something is owed and paid out first (`waiting`); the account is closed and
 * can be opened again for a while (`leaving`); taken back (`kept`); what is personal is gone (`erased`).
 */
export type ClosingState = "waiting" | "leaving" | "kept" | "erased";

/** Whatever a withdrawal costs, more than this of a coin is never left. In its smallest unit. */
const mostLeft: Record<Coin, bigint> = {
  BTC: smallestPayment.BTC - 1n,
  ETH: 10n ** 16n,
  USDT: 50n * 10n ** 6n,
};

/**
 * The most that can be left of a coin, where a withdrawal of it costs `feeUnits`. Of bitcoin it is what no transaction can carry;
 * of the others what is not worth sending. In the coin's smallest unit.
 */
export function mostToLeave(coin: Coin, feeUnits: bigint): bigint {
  const most = mostLeft[coin];
  return coin === "BTC" || feeUnits > most ? most : feeUnits;
}

/** Whether what is there of a coin is something, and no more than `most`. */
export function mayBeLeft(
  { available, held }: { available: bigint; held: bigint },
  most: bigint,
): boolean {
  return held === 0n && available > 0n && available <= most;
}
