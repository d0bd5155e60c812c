import { eq, sql } from "#server/platform/sql.ts";
import type { SourceIncident } from "../../chain/source-health.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalBatchIncidents } from "../schema.ts";

/** Writes down how a look at a batch ended: null, or what kept it from being followed, and since when that does. */
export async function recordPoll(
  db: Db,
  batchId: string,
  incident: SourceIncident | null,
  now: Date,
): Promise<void> {
  const t = withdrawalBatchIncidents;
  if (!incident) {
    await db.delete(t).where(eq(t.batchId, batchId));
    return;
  }
  const { health, message: detail } = incident;
  const since = sql`case when ${t.health} = ${health} then ${t.since} else ${now} end`;
  await db
    .insert(t)
    .values({ batchId, health, detail, since: now, lastPolledAt: now })
    .onConflictDoUpdate({ target: t.batchId, set: { health, detail, since, lastPolledAt: now } });
}
