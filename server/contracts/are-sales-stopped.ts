import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** Whether less lies in the operator's wallets than the journal says, of any coin: then nothing is sold. */
export async function areSalesStopped(db: Db | Tx): Promise<boolean> {
  const { rows } = await db.execute<{ stopped: boolean }>(
    sql`select exists (select from custody_coverage where units < custody_units) as stopped`,
  );
  return rows[0]?.stopped ?? false;
}
