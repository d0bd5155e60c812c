import type { Coin } from "./asset.ts";
import { terms } from "./terms.ts";
import { addDays, utcDay } from "./utc-day.ts";

/** The coins that can be withdrawn. */
export const withdrawalCoins = ["BTC"] as const satisfies Coin[];
export type WithdrawalCoin = (typeof withdrawalCoins)[number];

/**
 * What becomes of a withdrawal: asked for, confirmed by the mailed link, approved by staff, in a batch, sent, confirmed on
 * chain. Or cancelled, rejected with a reason, or returned because no transaction can pay it any more.
 */
export const withdrawalStates = [
  "requested",
  "confirmed",
  "approved",
  "batched",
  "broadcast",
  "settled",
  "cancelled",
  "rejected",
  "returned",
] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

/** The states in which money is still held for it. */
export const openWithdrawalStates = [
  "requested",
  "confirmed",
  "approved",
  "batched",
  "broadcast",
] as const satisfies WithdrawalState[];

/** The states in which its customer can still take it back. */
export const cancellableStates: readonly WithdrawalState[] = ["requested", "confirmed", "approved"];

export const withdrawalStateWords: Record<WithdrawalState, string> = {
  requested: "Confirm by mail",
  confirmed: "In review",
  approved: "Approved",
  batched: "In batch",
  broadcast: "Sent",
  settled: "Confirmed on chain",
  cancelled: "Cancelled",
  rejected: "Rejected",
  returned: "Returned",
};

/** Who ended a withdrawal before it left. */
export type WithdrawalEnder = "customer" | "mail-link" | "time" | "staff" | "chain";

export const batchStates = ["formed", "broadcast", "settled", "failed"] as const;
export type BatchState = (typeof batchStates)[number];

export const withdrawalTerms = {
  newAddressHours: 24,
  confirmLinkHours: 24,
  /** Blocks above and with the one that holds the payment, until it counts as final. */
  confirmations: 3,
  holdDays: terms.cardHoldDays,
  addressLabelMax: 60,
  reasonMax: 1000,
  /** Addresses in the book of one customer. */
  addressesMax: 50,
  /** Below this a node relays no output. */
  dustSats: 546n,
  maxFeeRate: 1000,
} as const;

/** The UTC day of the batch: the one after the request, or after the address may be paid. */
export function dueDay(requestedAt: Date, payableFrom: Date): string {
  const from = payableFrom > requestedAt ? payableFrom : requestedAt;
  return addDays(utcDay(from), terms.withdrawalProcessedAfterDays);
}

/** Why an amount cannot be withdrawn, or null. Units are satoshis, the fee is part of the amount. */
export function amountFault(
  units: bigint,
  facts: { available: bigint; feeUnits: bigint; isFinal: boolean },
): "below-minimum" | "too-small-to-send" | "insufficient-balance" | null {
  const { available, feeUnits, isFinal } = facts;
  if (units > available) return "insufficient-balance";
  if (!isFinal && units < terms.minimumWithdrawalSats) return "below-minimum";
  return units - feeUnits < withdrawalTerms.dustSats ? "too-small-to-send" : null;
}
