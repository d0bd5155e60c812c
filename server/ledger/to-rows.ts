import type { Db, Tx } from "#server/platform/database.ts";
import type { SQL } from "#server/platform/sql.ts";

/** The rows of a hand-written read. Numbers beyond 32 bits come as text. */
export async function toRows<Row>(db: Db | Tx, query: SQL): Promise<Row[]> {
  return (await db.execute(query)).rows as Row[];
}
