import type { ConfirmationStep } from "../platform/config.ts";

/**
 * What became of a payment: it waits for a block (`seen`), is in a block of the chain (`mined`), nobody waits with it any
 * more because its sender replaced it (`dropped`), or its block is no longer in the chain (`orphaned`).
 */
export type PaymentState = "seen" | "mined" | "dropped" | "orphaned";

/** New coins of a block cannot be spent before so many blocks (Bitcoin's COINBASE_MATURITY). */
export const coinbaseMaturity = 100;

/** What a payment waits for: so many blocks, its own included, or that its block is final. */
export type Needed = ConfirmationStep["blocks"];

export function isConfirmed(
  { confirmations, isFinal }: { confirmations: number; isFinal: boolean },
  needed: Needed,
): boolean {
  return needed === "finalized" ? isFinal : confirmations >= needed;
}

export function confirmationsNeeded(
  steps: ConfirmationStep[],
  { units, coinbase }: { units: bigint; coinbase: boolean },
): Needed {
  const blocks = steps.findLast(({ fromUnits }) => units >= fromUnits)?.blocks ?? 1;
  return coinbase && blocks !== "finalized" ? Math.max(blocks, coinbaseMaturity) : blocks;
}
