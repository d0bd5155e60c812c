import { isDeepStrictEqual } from "node:util";
import { writeThs } from "#core/mining/hashrate.ts";
import { Refusal } from "#core/refusal.ts";
import { sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { findDeliveryStateOn, findLastStateNumber } from "./list-deliveries.ts";
import { lockFleet } from "./lock-fleet.ts";
import { refusals } from "./refusals.ts";

/** How the machines of a delivery run from a day on. */
export interface DeliveryState {
  effectiveFrom: string;
  machines: number;
  /** Of one machine, on average. */
  measuredGhs: bigint;
  powerWatts: number;
  evidence: string;
}

/**
 * Notes how many machines of a delivery run from a day on, and how fast they were measured. It moves the capacity of every
 * day from then on; what is sold cannot be taken away (an outage is recorded as an outage). The same word again is no
 * second one. `seen` is the number of the last word that the page showed (`findLastStateNumber`). Waits for whoever is selling.
 *
 * @throws Refusal `fleet/state-changed-meanwhile`, `fleet/less-than-sold`, `fleet/no-such-delivery`,
 *   `fleet/implausible-machines`, `fleet/evidence-missing`, and as `actAsOperator` does
 */
export function recordDeliveryState(
  db: Db,
  operator: ActingOperator,
  wanted: DeliveryState & { deliveryId: string; seen: string },
  now: Date,
): Promise<void> {
  const { deliveryId, seen, ...state } = { ...wanted, evidence: wanted.evidence.trim() };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const before = await findDeliveryStateOn(tx, deliveryId, state.effectiveFrom);
      if (before && isDeepStrictEqual(before, state)) return;
      const isOld = (await findLastStateNumber(tx, deliveryId)) !== seen;
      if (isOld) throw new Refusal("fleet/state-changed-meanwhile");
      const act = {
        act: "fleet/record-delivery-state" as const,
        subject: `delivery:${deliveryId}`,
        detail: detailOf(state),
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        insertDeliveryState(inner, { ...state, deliveryId }, { actionId, now }),
      );
    }),
  );
}

export async function insertDeliveryState(
  tx: Tx,
  state: DeliveryState & { deliveryId: string },
  { actionId, now }: { actionId: string; now: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into machine_delivery_states
      (delivery_id, effective_from, machines, measured_ghs, power_watts, evidence, created_at, action_id)
    values (${state.deliveryId}, ${state.effectiveFrom}, ${state.machines}, ${state.measuredGhs}, ${state.powerWatts},
            ${state.evidence}, ${now.toISOString()}, ${actionId})`);
}

export function detailOf(state: DeliveryState) {
  return {
    from: state.effectiveFrom,
    machines: state.machines,
    measuredThs: writeThs(state.measuredGhs),
    watts: state.powerWatts,
    evidence: state.evidence,
  };
}
