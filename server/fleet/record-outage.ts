import { writeThs } from "#core/mining/hashrate.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockFleet } from "./lock-fleet.ts";
import { listBatches } from "./queries.ts";
import { outages } from "./schema.ts";

/**
 * Notes that something stands still, since when and why, in words for customers. What was delivered is what the pools
 * say; an outage explains it and takes no hashrate away. The same id again is the same outage.
 *
 * @throws Refusal `fleet/outage-in-the-future`, `fleet/no-such-site`, `fleet/no-such-batch`, `fleet/reason-missing`,
 *   `fleet/nothing-lost`, `fleet/more-than-runs`, and as `actAsOperator` does
 */
export async function recordOutage(
  db: Db,
  operator: ActingOperator,
  wanted: {
    outageId: string;
    siteId: string;
    batchId: string | null;
    startedAt: Date;
    lostGhs: bigint;
    reason: string;
  },
  now: Date,
): Promise<void> {
  const { outageId: id, ...rest } = wanted;
  const outage = { id, ...rest, reason: wanted.reason.trim() };
  if (outage.startedAt > now) throw new Refusal("fleet/outage-in-the-future");
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const done = await tx.select({ id: outages.id }).from(outages).where(eq(outages.id, id));
      if (done.length > 0) return;
      const running = await findRunningGhs(tx, outage);
      if (running !== null && outage.lostGhs > running) throw new Refusal("fleet/more-than-runs");
      const act = {
        act: "fleet/record-outage" as const,
        subject: `outage:${id}`,
        detail: {
          siteId: outage.siteId,
          batchId: outage.batchId,
          since: outage.startedAt.toISOString(),
          lostThs: writeThs(outage.lostGhs),
          reason: outage.reason,
        },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.insert(outages).values({ ...outage, createdAt: now, actionId }),
      );
    }),
  );
}

/**
 * What could stand still there: an outage is never taken back, and customers read it. Null where there are no such
 * machines, which the outage's own references judge.
 */
async function findRunningGhs(
  tx: Tx,
  { siteId, batchId, startedAt }: { siteId: string; batchId: string | null; startedAt: Date },
): Promise<bigint | null> {
  const batches = await listBatches(tx, utcDay(startedAt));
  const there = batches.filter(
    (each) => each.siteId === siteId && [null, each.id].includes(batchId),
  );
  if (there.length === 0) return null;
  return there.reduce((sum, { state, nameplateGhs }) => {
    if (!state) return sum;
    const each = state.measuredGhs < nameplateGhs ? state.measuredGhs : nameplateGhs;
    return sum + each * BigInt(state.machines);
  }, 0n);
}

const refusals = {
  outages_site_id_fkey: "fleet/no-such-site",
  outages_batch_id_fkey: "fleet/no-such-batch",
  outages_have_a_reason: "fleet/reason-missing",
  outages_lose_something: "fleet/nothing-lost",
};
