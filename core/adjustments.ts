import type { Coin } from "./asset.ts";

/** What moves the operator's own money: what he gives, what he pays in, and taking either back. */
export const adjustmentKinds = ["goodwill", "subsidy", "equity-funding", "reversal"] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];

/** What is given to a customer. */
export const giftKinds = ["goodwill", "subsidy"] as const;
export type GiftKind = (typeof giftKinds)[number];

export const adjustmentStates = ["open", "approved", "rejected", "withdrawn"] as const;
export type AdjustmentState = (typeof adjustmentStates)[number];

/** What staff call each kind. */
export const adjustmentKindWords: Record<AdjustmentKind, string> = {
  goodwill: "Goodwill",
  subsidy: "Subsidy",
  "equity-funding": "Own money paid in",
  reversal: "Reversal",
};

/** Fits into the journal's memo beside nothing else. */
export const adjustmentReasonMax = 400;
export const adjustmentNoteMax = 2000;

/** More than this at once is a slip of the finger; who means it proposes twice. */
export const maxAdjustmentUnits: Record<Coin, bigint> = {
  BTC: 1_000n * 10n ** 8n,
  ETH: 10_000n * 10n ** 18n,
  USDT: 100_000_000n * 10n ** 6n,
};
