import type { Coin } from "../asset.ts";
import { terms } from "../terms.ts";
import { addDays, utcDay } from "../utc-day.ts";
import type { WalletChain } from "../wallet/wallet-key.ts";

/** The chain that a coin leaves on. Each day one batch is formed for each chain: Ether and USDT leave together. */
export const chainOf: Record<Coin, WalletChain> = {
  BTC: "bitcoin",
  ETH: "ethereum",
  USDT: "ethereum",
};

/** What one pays for a withdrawal of a coin, and the least that can be asked for. In its smallest unit. */
export interface CoinTerms {
  /** Taken from the amount, whatever the network costs. */
  feeUnits: bigint;
  minimumUnits: bigint;
}

/** A coin within a sentence. */
export const coinWords: Record<Coin, string> = { BTC: "bitcoin", ETH: "ether", USDT: "USDT" };

/** Below this a payment cannot be sent at all: nodes relay no smaller output of bitcoin. */
export const smallestPayment: Record<Coin, bigint> = { BTC: 546n, ETH: 1n, USDT: 1n };

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

/** A batch pays withdrawals, or makes one coin of the wallet's many. */
export type BatchPurpose = "withdrawals" | "consolidation";

/** A proposal to end a batch of which no version can be mined. */
export type AbandonmentState = "open" | "confirmed" | "declined";

/**
 * What became of a payment on Ethereum once its nonce was taken for good: it was paid; two people found that its transaction
 * moved something else than it was told; its transaction is in a block and moved nothing; ours that pays nobody took the nonce;
 * a transaction that is not ours did. Or two people ended its batch, which was never taken away to be signed.
 */
export type PaymentOutcome =
  | "paid"
  | "undelivered"
  | "reverted"
  | "voided"
  | "overtaken"
  | "abandoned";

/** What people say of a payment whose transaction succeeded, and of which the token announced something else. */
export const resolutionsOnPayments = ["paid", "undelivered"] as const;
export type ResolutionSays = (typeof resolutionsOnPayments)[number];
export type ResolutionState = "open" | "confirmed" | "declined";

export const withdrawalTerms = {
  newAddressHours: 24,
  confirmLinkHours: 24,
  /** Blocks above and with the one that holds the payment, until it counts as final. */
  confirmations: 3,
  /** So many blocks after a batch's coin has left the chain, two people may end the batch. */
  abandonAfterBlocks: 100,
  holdDays: terms.cardHoldDays,
  /** Each coin has one final payment of a closing in this time, though the closing can be taken back and asked for again. */
  finalPaymentDays: 30,
  addressLabelMax: 60,
  reasonMax: 1000,
  /** Addresses in the book of one customer. */
  addressesMax: 50,
  /** Satoshis per virtual byte, and gwei per unit of gas: above it is a slip of the finger. */
  maxFeeRate: 1000,
  /** Satoshis per 1,000 virtual bytes: the least that nodes relay unless they are told otherwise. Each says what it asks itself. */
  minFeePerKvb: 100,
} as const;

/** The UTC day of the batch: the one after the request, or after the address may be paid. */
export function dueDay(requestedAt: Date, payableFrom: Date): string {
  const from = payableFrom > requestedAt ? payableFrom : requestedAt;
  return addDays(utcDay(from), terms.withdrawalProcessedAfterDays);
}

/** A hold stands until it is lifted, or ends; no further than its withdrawal can be held. */
export function standingHold<Hold extends { liftedAt: Date | null; endsAt: Date }>(
  { holds, state }: { holds: Hold[]; state: WithdrawalState },
  now: Date,
): Hold | undefined {
  if (!cancellableStates.includes(state)) return undefined;
  return holds.find(({ liftedAt, endsAt }) => !liftedAt && endsAt > now);
}

/** The UTC day on which it leaves at the earliest, as things stand: not on a day that is over, nor while it is held. */
export function leavesOn(
  { dueOn, heldUntil }: { dueOn: string; heldUntil: Date | null },
  now: Date,
): string {
  const free = utcDay(heldUntil && heldUntil > now ? heldUntil : now);
  return dueOn > free ? dueOn : free;
}

/** Why an amount of a coin cannot be withdrawn, or null. The fee is part of the amount. */
export function amountFault(
  coin: Coin,
  units: bigint,
  facts: CoinTerms & { available: bigint; isFinal: boolean },
): "below-minimum" | "too-small-to-send" | "insufficient-balance" | null {
  const { available, feeUnits, minimumUnits, isFinal } = facts;
  if (units > available) return "insufficient-balance";
  if (!isFinal && units < minimumUnits) return "below-minimum";
  return units - feeUnits < smallestPayment[coin] ? "too-small-to-send" : null;
}
