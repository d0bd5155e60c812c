import { writeThs } from "#core/mining/hashrate.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockFleet } from "./lock-fleet.ts";
import { type BatchState, detailOf, insertBatchState } from "./record-batch-state.ts";
import { refusals } from "./refusals.ts";
import { machineBatches } from "./schema.ts";

/**
 * Adds machines of one model at a site, and how they run from a day on. The same id again is the same batch, however
 * often the form arrives.
 *
 * @throws Refusal `fleet/no-such-site`, `fleet/model-unnamed`, and as `recordBatchState` does
 */
export function addBatch(
  db: Db,
  operator: ActingOperator,
  wanted: BatchState & { batchId: string; siteId: string; model: string; nameplateGhs: bigint },
  now: Date,
): Promise<void> {
  const { batchId, siteId, nameplateGhs, effectiveFrom, machines, measuredGhs, powerWatts } =
    wanted;
  const model = wanted.model.trim();
  const evidence = wanted.evidence.trim();
  const state = { effectiveFrom, machines, measuredGhs, powerWatts, evidence };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const done = await tx.select().from(machineBatches).where(eq(machineBatches.id, batchId));
      if (done.length > 0) return;
      const act = {
        act: "fleet/add-batch" as const,
        subject: `batch:${batchId}`,
        detail: { siteId, model, nameplateThs: writeThs(nameplateGhs), ...detailOf(state) },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, actionId) => {
        const batch = { id: batchId, siteId, model, nameplateGhs, createdAt: now, actionId };
        await inner.insert(machineBatches).values(batch);
        await insertBatchState(inner, { ...state, batchId }, { actionId, now });
      });
    }),
  );
}
