import { flag, getRow } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** Whether the wallets hold less of any coin than the ledger says: then we sell nothing. */
export async function areSalesStopped(db: Db | Tx): Promise<boolean> {
  const stopped = sql`select exists (select from custody_coverage where units < custody_units) as stopped`;
  return (await getRow(db, stopped, { stopped: flag })).stopped;
}
