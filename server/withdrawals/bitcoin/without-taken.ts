import { and, inArray, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { withdrawalBatchCoins } from "../schema.ts";
import { type Coin, outpointOf } from "./coin.ts";

/** Coins without those that a batch spends. */
export async function withoutTaken<Each extends Coin>(db: Db | Tx, coins: Each[]): Promise<Each[]> {
  const c = withdrawalBatchCoins;
  const txids = coins.map(({ txid }) => txid);
  const taken = await db
    .select({ txid: c.txid, vout: c.vout })
    .from(c)
    .where(and(isNull(c.releasedAt), inArray(c.txid, txids)));
  const names = new Set(taken.map(outpointOf));
  return coins.filter((coin) => !names.has(outpointOf(coin)));
}
