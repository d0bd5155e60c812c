import { sql } from "#server/platform/sql.ts";
import type { Db } from "../database.ts";

/** How often a worker starts some work of its schedule: several jobs run each minute. */
export const workerPeriodSeconds = 60;

/** When a worker last started work of its schedule, or began to know it; null: there was never one. */
export async function findWorkerSeen(db: Db): Promise<Date | null> {
  const { rows } = await db.execute<{ seenAt: string | null }>(sql`
    select max(greatest(last_execution, known_since))::text as "seenAt" from graphile_worker._private_known_crontabs`);
  const seenAt = rows[0]?.seenAt;
  return seenAt ? new Date(seenAt) : null;
}
