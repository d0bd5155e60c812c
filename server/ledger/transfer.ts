import type { Coin } from "#core/asset.ts";
import type { AccountKind } from "./account.ts";

/** The business facts that can move value, and what each may debit and credit. The table ledger_movements holds the same list. */
export const movements = {
  deposit: { debit: ["custody"], credit: ["available"] },
  "contract-purchase": { debit: ["available"], credit: ["contract_prepaid"] },
  "contract-day": { debit: ["contract_prepaid"], credit: ["contract_revenue"] },
  "pool-payout": { debit: ["custody"], credit: ["pool_receivable"] },
  "mining-credit": { debit: ["pool_receivable"], credit: ["available", "rounding"] },
  "rounding-carry": {
    debit: ["pool_receivable", "rounding"],
    credit: ["pool_receivable", "rounding"],
  },
  "maintenance-fee": { debit: ["available"], credit: ["maintenance_revenue"] },
  "inactivity-fee": { debit: ["available"], credit: ["inactivity_revenue"] },
  hold: { debit: ["available"], credit: ["held"] },
  "hold-release": { debit: ["held"], credit: ["available"] },
  "withdrawal-request": { debit: ["available"], credit: ["held"] },
  "withdrawal-sent": { debit: ["held"], credit: ["custody", "withdrawal_fee_revenue"] },
  "withdrawal-cancelled": { debit: ["held"], credit: ["available"] },
  "network-fee": { debit: ["network_fee_expense"], credit: ["custody"] },
  // Listed by no database but those of tests and benches.
  conversion: { debit: ["available", "conversion"], credit: ["available", "conversion"] },
  goodwill: { debit: ["operator_equity"], credit: ["available"] },
  subsidy: { debit: ["operator_equity"], credit: ["available"] },
  "equity-funding": { debit: ["custody"], credit: ["operator_equity"] },
  "equity-drawing": { debit: ["network_fee_expense", "operator_drawings"], credit: ["custody"] },
  "wallet-transfer": { debit: ["network_fee_expense"], credit: ["custody"] },
  "remainder-left": { debit: ["available"], credit: ["operator_equity"] },
  "contract-refund": { debit: ["contract_prepaid"], credit: ["available"] },
  "contract-forfeit": { debit: ["contract_prepaid"], credit: ["contract_revenue"] },
  "operator-share": { debit: ["pool_receivable"], credit: ["operator_equity"] },
  "mining-correction": {
    debit: ["available", "operator_equity", "pool_receivable"],
    credit: ["available", "operator_equity", "pool_receivable"],
  },
} as const satisfies Record<string, { debit: AccountKind[]; credit: AccountKind[] }>;

/** A kind that can be posted. Reversals come from `reverseTransfer` alone. */
export type PostedKind = keyof typeof movements;
export type TransferKind = PostedKind | "reversal";

/** One signed side of a transfer: positive units credit the account, negative units debit it. */
export interface Leg {
  account: AccountKind;
  asset: Coin;
  /** "house", or the id of the customer whom the transfer belongs to. */
  owner: string;
  units: bigint;
}

/** One business fact about to be written down. */
export interface Transfer {
  kind: PostedKind;
  /** Names the fact, for good: the same key never posts twice. */
  key: string;
  /** The one customer it belongs to, or "house". */
  ownerId: string;
  /** The UTC day it counts for, YYYY-MM-DD. */
  day: string;
  occurredAt: Date;
  /** The document that caused it, for instance `deposit:<id>`. */
  source: string;
  memo: string;
  /** One leg per account and asset; they sum to zero per asset. */
  legs: Leg[];
}
