import type { Coin } from "#core/asset.ts";

/** How a figure on chain was found: by two people who read the wallets, or by a watcher of the chain. */
export type HoldingSource = "count" | "watcher";

/** What lay in the operator's wallets on chain: all of a coin, at one moment. The shape in which every source gives it. */
export interface Holding {
  asset: Coin;
  units: bigint;
  asOf: Date;
  /** The block at that moment; null: not said. */
  blockHeight: number | null;
  source: HoldingSource;
  /** The count that it was confirmed by, of the source `count`; of others null. */
  countId: string | null;
}
