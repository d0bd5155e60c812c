import { writeThs } from "#core/mining/hashrate.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { sentBefore } from "../platform/sent-before.ts";
import { lockFleet } from "./lock-fleet.ts";
import { refusals } from "./refusals.ts";
import { type OutageWords, requirePlausibleOutage } from "./require-plausible-outage.ts";
import { outages } from "./schema.ts";

/**
 * Notes that something stands still, since when and why, in words for customers. What was delivered is what the pools
 * say; an outage explains it and takes no hashrate away. The same id again is the same outage.
 *
 * @throws Refusal `fleet/no-such-site`, `fleet/reason-missing`, `fleet/nothing-lost`, `platform/sent-otherwise`, and as
 *   `requirePlausibleOutage` and `actAsOperator` do
 */
export async function recordOutage(
  db: Db,
  operator: ActingOperator,
  wanted: Omit<OutageWords, "endedAt"> & { outageId: string },
  now: Date,
): Promise<void> {
  const { outageId: id, ...rest } = wanted;
  const outage = { id, ...rest, reason: wanted.reason.trim() };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const [sent] = await tx.select().from(outages).where(eq(outages.id, id));
      if (sentBefore(sent, outage)) return;
      await requirePlausibleOutage(tx, { ...outage, endedAt: null }, now);
      const act = {
        act: "fleet/record-outage" as const,
        subject: `outage:${id}`,
        detail: {
          siteId: outage.siteId,
          deliveryId: outage.deliveryId,
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
