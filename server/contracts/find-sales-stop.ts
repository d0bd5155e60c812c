import { type SalesStop, salesStops } from "#core/mining/sales-stop.ts";
import { getRow, oneOf, orNull } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** Why we sell nothing; null: we sell. */
export async function findSalesStop(db: Db | Tx): Promise<SalesStop | null> {
  const row = await getRow(db, sql`select sales_stop() as reason`, {
    reason: orNull(oneOf(salesStops)),
  });
  return row.reason;
}
