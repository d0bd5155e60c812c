import { getRow, moment, orNull } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db } from "../database.ts";

/** How often a worker starts some work of its schedule: several jobs run each minute. */
export const workerPeriodSeconds = 60;

/** When a worker last started work of its schedule, or began to know it; null: there was never one. */
export async function findWorkerSeen(db: Db): Promise<Date | null> {
  const { seenAt } = await getRow(
    db,
    sql`select max(greatest(last_execution, known_since)) as "seenAt" from graphile_worker._private_known_crontabs`,
    { seenAt: orNull(moment) },
  );
  return seenAt;
}
