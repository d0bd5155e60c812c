import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/**
 * Publishes the digest of each UTC day that is over by PostgreSQL's clock and has none. Any number of processes may call it: one
 * publishes, the others find it done.
 */
export async function publishProofDays(db: Db): Promise<void> {
  await db.execute(sql`select publish_proof_days()`);
}
