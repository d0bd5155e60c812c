import { Refusal } from "#core/refusal.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { listRuns } from "#server/mining/days/list-runs.ts";
import { addPool } from "#server/payouts/add-pool.ts";
import type { Db } from "#server/platform/database.ts";

/**
 * Adds a pool that counts from a day after those that are credited: earlier ones were complete without it.
 *
 * @throws Refusal `payouts/pool-begins-too-early`, and as `addPool` does
 */
export async function addPoolAsOperator(
  db: Db,
  operator: ActingOperator,
  pool: Parameters<typeof addPool>[2],
  now: Date,
): ReturnType<typeof addPool> {
  const [last] = await listRuns(db, { limit: 1 });
  if (last && pool.countsFrom <= last.day) throw new Refusal("payouts/pool-begins-too-early");
  return addPool(db, operator, pool, now);
}
