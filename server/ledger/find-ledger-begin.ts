import { getRow, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** The number from which on transfers are here: 0 unless older months were taken out. */
export async function findLedgerBegin(db: Db | Tx): Promise<bigint> {
  return (await getRow(db, sql`select ledger_begin() as begin`, { begin: units })).begin;
}
