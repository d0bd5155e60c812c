import type { PricedAsset } from "#core/price.ts";
import type { Db, Tx } from "../platform/database.ts";
import { asPrice, selectLatest } from "./list-prices.ts";
import type { Price } from "./price.ts";

/** The last known price of one asset, however old; null when there was none yet. */
export async function findLastPrice(
  db: Db | Tx,
  asset: PricedAsset,
  now: Date,
): Promise<Price | null> {
  const [row] = await selectLatest(db, { assets: [asset] });
  return row ? asPrice(row, now) : null;
}

/**
 * The price that money may be valued with at this moment; null when the last one is too old. A simulated one is only
 * ever in a demo: PostgreSQL keeps them out of every other database (`simulated_figures_stay_in_demos`).
 */
export async function findFreshPrice(
  db: Db | Tx,
  asset: PricedAsset,
  now: Date,
): Promise<Price | null> {
  const price = await findLastPrice(db, asset, now);
  return price?.fresh ? price : null;
}
