import { coins } from "#core/asset.ts";
import { oneOf, type RowOf, readRows, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = { asset: oneOf(coins), units };
type OwnMoney = RowOf<typeof columns>;

/** The operator's own money of each coin: no more of it can be given or taken out. */
export function listOwnMoney(db: Db | Tx): Promise<OwnMoney[]> {
  return readRows(db, sql`select asset, units from own_money() order by asset`, columns);
}

/** What credits that are being reversed lack, per coin; it does not count as the operator's own. */
export function listLackingOfDeposits(db: Db | Tx): Promise<OwnMoney[]> {
  return readRows(db, sql`select asset, units from lacking_of_deposits() order by asset`, columns);
}
