import type { PricedAsset } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findFreshPrice } from "./find-fresh-price.ts";
import type { Price } from "./price.ts";

/**
 * The price that money is valued or converted with at this moment. Nothing is, when the last one is too old.
 *
 * @throws Refusal `markets/price-too-old`
 */
export async function requireFreshPrice(
  db: Db | Tx,
  asset: PricedAsset,
  now: Date,
): Promise<Price> {
  const price = await findFreshPrice(db, asset, now);
  if (!price) throw new Refusal("markets/price-too-old");
  return price;
}
