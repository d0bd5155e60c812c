import type { Coin } from "../asset.ts";

/** What moves the operator's own money: given, paid in, taken out, moved between own wallets, and undoing one of these. */
export const adjustmentKinds = [
  "goodwill",
  "subsidy",
  "equity-funding",
  "equity-drawing",
  "wallet-transfer",
  "reversal",
] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];

/** What is given to a customer. */
export const giftKinds = ["goodwill", "subsidy"] as const;
export type GiftKind = (typeof giftKinds)[number];

/** What the operator sent from the wallets for customers: it names its transaction and what the network took. */
export const outlayKinds = ["equity-drawing", "wallet-transfer"] as const;
export type OutlayKind = (typeof outlayKinds)[number];

export function isOutlay(kind: AdjustmentKind): kind is OutlayKind {
  return kind === "equity-drawing" || kind === "wallet-transfer";
}

/** The coin that the network of a coin is paid in. */
export function feeCoinOf(coin: Coin): "BTC" | "ETH" {
  return coin === "BTC" ? "BTC" : "ETH";
}

export const adjustmentStates = ["open", "approved", "rejected", "withdrawn"] as const;
export type AdjustmentState = (typeof adjustmentStates)[number];

/** What staff call each kind. */
export const adjustmentKindWords: Record<AdjustmentKind, string> = {
  goodwill: "Goodwill",
  subsidy: "Subsidy",
  "equity-funding": "Own money paid in",
  "equity-drawing": "Own money taken out",
  "wallet-transfer": "Moved between own wallets",
  reversal: "Reversal",
};

/** Fits into the ledger's memo beside nothing else. */
export const adjustmentReasonMax = 400;
export const adjustmentNoteMax = 2000;

/** More than this at once is a slip of the finger; who means it proposes twice. */
export const maxAdjustmentUnits: Record<Coin, bigint> = {
  BTC: 1_000n * 10n ** 8n,
  ETH: 10_000n * 10n ** 18n,
  USDT: 100_000_000n * 10n ** 6n,
};
