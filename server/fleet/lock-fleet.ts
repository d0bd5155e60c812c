import { sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";

/** Who changes the machines waits for who is selling, and the same form sent twice at once for itself. */
export async function lockFleet(tx: Tx): Promise<void> {
  await tx.execute(sql`select lock_fleet()`);
}
