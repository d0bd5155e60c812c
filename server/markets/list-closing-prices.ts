import type { Coin } from "#core/asset.ts";
import { and, gte, inArray, lte } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { marketCandles } from "./schema.ts";

/** The last price of a coin on a UTC day, in 10^-8 dollars. */
export interface ClosingPrice {
  day: string;
  coin: Coin;
  usdE8: bigint;
}

/** The last prices of the coins on the UTC days from one to another, both included; of today the newest. */
export async function listClosingPrices(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<ClosingPrice[]> {
  const c = marketCandles;
  const rows = await db
    .select({ day: c.day, asset: c.asset, usdE8: c.closeUsdE8 })
    .from(c)
    .where(and(inArray(c.asset, ["BTC", "ETH", "USDT"]), gte(c.day, from), lte(c.day, until)));
  return rows.map(({ day, asset, usdE8 }) => ({ day, coin: asset as Coin, usdE8 }));
}
