import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** Whether anything stands in the account, or waits to be decided. */
export async function isOwed(db: Db | Tx, customerId: string): Promise<boolean> {
  const { rows } = await db.execute<{ owed: boolean }>(
    sql`select something_is_owed(${customerId}) as owed`,
  );
  return rows[0]?.owed === true;
}
