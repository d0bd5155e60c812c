import type { Coin } from "#core/asset.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { toRows } from "./to-rows.ts";

/** What is the operator's own of each coin: no more of it can be given or taken out. */
export async function listOwnMoney(db: Db | Tx): Promise<Array<{ asset: Coin; units: bigint }>> {
  const rows = await toRows<{ asset: Coin; units: string }>(
    db,
    sql`select asset, units from own_money() order by asset`,
  );
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}

/** What credits that are being taken back lack, per coin; it is left out of what is the operator's own. */
export async function listLackingOfDeposits(
  db: Db | Tx,
): Promise<Array<{ asset: Coin; units: bigint }>> {
  const rows = await toRows<{ asset: Coin; units: string }>(
    db,
    sql`select asset, units from lacking_of_deposits() order by asset`,
  );
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}
