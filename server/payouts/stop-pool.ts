import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { refusals } from "./refusals.ts";
import { pools } from "./schema.ts";

/**
 * Says on which day a pool counted for the last time: later days are complete without it. Said once, and not for days
 * that it has paid for, nor by one of two people before today, or within a week of a pool that still pays.
 *
 * @throws Refusal `payouts/no-such-pool`, `payouts/pool-stopped-already`, `payouts/pool-paid-later`, `payouts/day-is-over`,
 * `payouts/still-pays`, `payouts/too-far-ahead`, and as `actAsOperator` does
 */
export function stopPool(
  db: Db,
  operator: ActingOperator,
  { poolId, countsUntil, reason }: { poolId: string; countsUntil: string; reason: string },
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const [pool] = await tx.select().from(pools).where(eq(pools.id, poolId)).for("update");
      if (!pool) throw new Refusal("payouts/no-such-pool");
      if (pool.countsUntil === countsUntil) return;
      if (pool.countsUntil) throw new Refusal("payouts/pool-stopped-already");
      const act = {
        act: "payouts/stop-pool" as const,
        subject: `pool:${poolId}`,
        detail: { countsUntil, reason: reason.trim() },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, stoppedActionId) =>
        inner.update(pools).set({ countsUntil, stoppedActionId }).where(eq(pools.id, poolId)),
      );
    }),
  );
}
