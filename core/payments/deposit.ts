import type { Coin } from "../asset.ts";

/** How a customer may pay in, in the words that the screen shows. */
export const depositMethods = ["Bitcoin", "Ethereum", "USDT"] as const;
export type DepositMethod = (typeof depositMethods)[number];

/** The coin that arrives by a method. */
export const coinOfMethod: Record<DepositMethod, Coin> = {
  Bitcoin: "BTC",
  Ethereum: "ETH",
  USDT: "USDT",
};

/**
 * What happened to a deposit. It waits, then it is approved or rejected, once and for good; but what a payment on chain
 * credited is taken back when its block leaves the chain: `orphaned` until that is done, then `reversed`.
 */
export const depositStates = ["pending", "approved", "rejected", "orphaned", "reversed"] as const;
export type DepositState = (typeof depositStates)[number];

export const depositStatuses = ["Pending", "Approved", "Rejected", "Reversed"] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** What the customer reads: Rejected with its reason, Reversed, else Approved when `imageUrl` is non-empty, else Pending. */
export function depositStatus(deposit: {
  state: DepositState;
  imageUrl: string | null;
}): DepositStatus {
  if (deposit.state === "rejected") return "Rejected";
  if (deposit.state === "orphaned" || deposit.state === "reversed") return "Reversed";
  return deposit.imageUrl ? "Approved" : "Pending";
}

/** A deposit that a customer claimed with a slip. The others were made by a payment on chain, and claim nothing. */
export type Claimed<Deposit> = Deposit & {
  claimedUsdCents: bigint;
  usdCents: bigint;
  slipName: string;
  slipMediaType: "image/jpeg" | "application/pdf";
  slipByteSize: number;
  slipSha256: string;
};

export function isClaimed<Deposit extends { slipName: string | null }>(
  deposit: Deposit,
): deposit is Claimed<Deposit> {
  return deposit.slipName !== null;
}

/** So many claims of one customer wait for review at most. PostgreSQL has the same (`claims_wait_for_review`). */
export const maxWaitingClaims = 20;

/** Nobody pays in more than $100,000,000 at once: a larger figure is a slip of the finger. */
export const maxDepositUsdCents = 10_000_000_000n;

/** More than this is not a quantity that can arrive: all bitcoin, and as much again of the others. */
export const maxDepositUnits: Record<Coin, bigint> = {
  BTC: 21_000_000n * 10n ** 8n,
  ETH: 1_000_000_000n * 10n ** 18n,
  USDT: 1_000_000_000_000n * 10n ** 6n,
};

/**
 * A transaction id as explorers write it, in one spelling: 64 hexadecimal digits on Bitcoin, 0x and 64 on
 * Ethereum, where USDT lives too. Null when it is not one.
 */
export function parseTxid(text: string, method: DepositMethod): string | null {
  const id = text.trim().toLowerCase();
  const shape = method === "Bitcoin" ? /^[0-9a-f]{64}$/ : /^0x[0-9a-f]{64}$/;
  return shape.test(id) ? id : null;
}

/** What a slip may be, as a browser's file input and a drop zone take it. */
export const slipMediaTypes = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/heic",
  "image/heif",
  "application/pdf",
] as const;

/** The same by the ends of names: some systems do not know what HEIC is. */
export const slipExtensions = [".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".pdf"] as const;
