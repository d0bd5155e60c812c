import type { Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** Plans and versions are begun one after another. */
export async function lockPlans(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('plans', 0))`);
}
