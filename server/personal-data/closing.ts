import { smallestPayment } from "#core/withdrawal.ts";

/**
 * How far somebody has got with leaving: something is owed and paid out first (`waiting`); the account is closed and
 * can be opened again for a while (`leaving`); taken back (`kept`); what is personal is gone (`erased`).
 */
export type ClosingState = "waiting" | "leaving" | "kept" | "erased";

/** Whether what is there of bitcoin is something, and less than any transaction can carry. Units are satoshis. */
export function isTooLittleToSend({
  available,
  held,
}: {
  available: bigint;
  held: bigint;
}): boolean {
  return held === 0n && available > 0n && available < smallestPayment.BTC;
}
