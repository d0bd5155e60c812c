import { allowMinutes, type Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/**
 * Publishes the digest of each UTC day that is over by PostgreSQL's clock and has none. Any number of processes may call it: one
 * publishes, the others find it done, or under way. A million customers take half a minute.
 */
export async function publishProofDays(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await allowMinutes(tx, 10);
    await tx.execute(sql`select publish_proof_days()`);
  });
}
