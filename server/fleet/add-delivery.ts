import { writeThs } from "#core/mining/hashrate.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { sentBefore } from "../platform/sent-before.ts";
import { findFirstState } from "./list-deliveries.ts";
import { lockFleet } from "./lock-fleet.ts";
import { type DeliveryState, detailOf, insertDeliveryState } from "./record-delivery-state.ts";
import { refusals } from "./refusals.ts";
import { machineDeliveries } from "./schema.ts";

/**
 * Adds machines of one model at a site, and how they run from a day on. The same id again is the same delivery, however
 * often the form arrives.
 *
 * @throws Refusal `fleet/no-such-site`, `fleet/model-unnamed`, `platform/sent-otherwise`, and as `recordDeliveryState` does
 */
export function addDelivery(
  db: Db,
  operator: ActingOperator,
  wanted: DeliveryState & {
    deliveryId: string;
    siteId: string;
    model: string;
    nameplateGhs: bigint;
  },
  now: Date,
): Promise<void> {
  const { deliveryId, siteId, nameplateGhs, effectiveFrom, machines, measuredGhs, powerWatts } =
    wanted;
  const model = wanted.model.trim();
  const evidence = wanted.evidence.trim();
  const state = { effectiveFrom, machines, measuredGhs, powerWatts, evidence };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const [sent] = await tx
        .select()
        .from(machineDeliveries)
        .where(eq(machineDeliveries.id, deliveryId));
      if (sentBefore(sent, { siteId, model, nameplateGhs })) {
        sentBefore(await findFirstState(tx, deliveryId), state);
        return;
      }
      const act = {
        act: "fleet/add-delivery" as const,
        subject: `delivery:${deliveryId}`,
        detail: { siteId, model, nameplateThs: writeThs(nameplateGhs), ...detailOf(state) },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, actionId) => {
        const delivery = { id: deliveryId, siteId, model, nameplateGhs, createdAt: now, actionId };
        await inner.insert(machineDeliveries).values(delivery);
        await insertDeliveryState(inner, { ...state, deliveryId }, { actionId, now });
      });
    }),
  );
}
