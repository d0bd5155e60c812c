import type { Coin } from "#core/asset.ts";
import { bounds } from "#core/payments/bounds.ts";
import { smallestPayment } from "#core/payments/withdrawal.ts";

/**
 * The most that can be left of a coin, where a withdrawal of it costs `feeUnits`: what is not worth sending, and of bitcoin what no
 * transaction can carry. In the coin's smallest unit.
 */
export function mostToLeave(coin: Coin, feeUnits: bigint): bigint {
  const cost = feeUnits < bounds.left[coin] ? feeUnits : bounds.left[coin];
  const tooSmall = smallestPayment[coin] - 1n;
  return cost > tooSmall ? cost : tooSmall;
}

/** Whether what is there of a coin is something, and no more than `most`. */
export function mayBeLeft(
  { available, held }: { available: bigint; held: bigint },
  most: bigint,
): boolean {
  return held === 0n && available > 0n && available <= most;
}
