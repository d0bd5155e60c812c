import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { toRows } from "./to-rows.ts";

/** The number from which on transfers are here: 0 unless older months were taken out. */
export async function findJournalBegin(db: Db | Tx): Promise<bigint> {
  const [row] = await toRows<{ begin: string }>(db, sql`select ledger_begin() as begin`);
  return BigInt(row?.begin ?? 0);
}
