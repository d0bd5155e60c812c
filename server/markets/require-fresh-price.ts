import type { PricedAsset } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findFreshPrice } from "./find-fresh-price.ts";
import type { Price } from "./price.ts";

/**
 * The price that something is quoted at in this moment. Nothing is, when the last one is too old, or exchanges have disagreed since:
 * whoever knows which of them is right would choose.
 *
 * @throws Refusal `markets/price-too-old`, `markets/sources-disagree`
 */
export async function requireFreshPrice(
  db: Db | Tx,
  asset: PricedAsset,
  now: Date,
): Promise<Price> {
  const price = await findFreshPrice(db, asset, now);
  if (!price) throw new Refusal("markets/price-too-old");
  if (price.trouble === "sources-disagree") throw new Refusal("markets/sources-disagree");
  return price;
}
