import type { Coin } from "../asset.ts";

/** Bounds that are the same for every site, in a coin's smallest unit. PostgreSQL has them by the same names: `bound`. */
export const bounds = {
  /** What one person records of payouts alone within 24 hours where a colleague could look. */
  recordedAlone: { BTC: 1_000_000n },
  /** What one person approves alone in that time of slips that no payment on the chain shows. */
  approvedAlone: { BTC: 1_000_000n, ETH: 3n * 10n ** 17n, USDT: 1_000_000_000n },
  /**
   * What one person forms and orders alone in that time, fees included, however small the batches are. One above
   * `WITHDRAWAL_TWO_PEOPLE_…` takes two people by itself.
   */
  orderedAlone: { BTC: 10_000_000n, ETH: 2n * 10n ** 18n, USDT: 5_000_000_000n },
  /** A transaction's fee of no more is never too high; a higher one takes a tenth of what is paid, or moved, at most. */
  smallFee: { BTC: 100_000n },
  /** A payment of no more keeps nobody from leaving: anybody can send it to a known address. */
  dust: { BTC: 545n, ETH: 10n ** 14n, USDT: 100_000n },
  /** Whatever a withdrawal costs, more than this is never left by who leaves. */
  left: { BTC: 50_000n, ETH: 10n ** 16n, USDT: 50_000_000n },
} satisfies Record<string, Partial<Record<Coin, bigint>>>;
