import { type Coin, coins } from "#core/asset.ts";
import { oneOf, readRows } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";

/** The coins of which a customer ever had any. */
export async function listOwnCoins(db: Db, customerId: string): Promise<Coin[]> {
  const rows = await readRows(
    db,
    sql`select distinct asset from ledger_accounts where owner_id = ${customerId}`,
    { asset: oneOf(coins) },
  );
  return rows.map(({ asset }) => asset);
}
