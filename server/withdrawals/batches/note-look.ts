import { eq, sql } from "#server/platform/sql.ts";
import type { SourceTrouble } from "../../chain/source-condition.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalBatchTroubles } from "../schema.ts";

/** Writes down how a look at a batch ended: null, or what kept it from being followed, and since when that does. */
export async function noteLook(
  db: Db,
  batchId: string,
  trouble: SourceTrouble | null,
  now: Date,
): Promise<void> {
  const t = withdrawalBatchTroubles;
  if (!trouble) {
    await db.delete(t).where(eq(t.batchId, batchId));
    return;
  }
  const { condition, message: detail } = trouble;
  const since = sql`case when ${t.condition} = ${condition} then ${t.since} else ${now} end`;
  await db
    .insert(t)
    .values({ batchId, condition, detail, since: now, lookedAt: now })
    .onConflictDoUpdate({ target: t.batchId, set: { condition, detail, since, lookedAt: now } });
}
