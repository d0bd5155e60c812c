import { json, orNull, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { and, desc, eq, lte, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { machineDeliveries, machineDeliveryStates, sites } from "./schema.ts";

const s = machineDeliveryStates;
const words = {
  effectiveFrom: s.effectiveFrom,
  machines: s.machines,
  measuredGhs: s.measuredGhs,
  powerWatts: s.powerWatts,
  evidence: s.evidence,
};

/** How a delivery runs on a day: the last word for it. */
export async function findDeliveryStateOn(db: Db | Tx, deliveryId: string, day: string) {
  const [state] = await db
    .select(words)
    .from(s)
    .where(and(eq(s.deliveryId, deliveryId), lte(s.effectiveFrom, day)))
    .orderBy(desc(s.effectiveFrom), desc(s.number))
    .limit(1);
  return state ?? null;
}

/** What a delivery was added with. */
export async function findFirstState(tx: Tx, deliveryId: string) {
  const ofIt = tx.select(words).from(s).where(eq(s.deliveryId, deliveryId));
  const [first] = await ofIt.orderBy(s.number).limit(1);
  return first;
}

/** The number of the last word on a delivery, of whatever day; 0: none. */
export async function findLastStateNumber(db: Db | Tx, deliveryId: string): Promise<string> {
  const ofIt = db.select({ number: s.number }).from(s).where(eq(s.deliveryId, deliveryId));
  const [last] = await ofIt.orderBy(desc(s.number)).limit(1);
  return String(last?.number ?? 0);
}

type DeliveryState = NonNullable<Awaited<ReturnType<typeof findDeliveryStateOn>>>;

export interface Delivery {
  id: string;
  siteId: string;
  siteName: string;
  model: string;
  nameplateGhs: bigint;
  /** On the day that was asked for; null: it does not run yet. */
  state: DeliveryState | null;
}

/** The machine deliveries, by site and model, with how they run on a day. */
export async function listDeliveries(db: Db | Tx, day: string): Promise<Delivery[]> {
  const rows = await readRows(
    db,
    sql`
    select b.id, b.site_id, s.name as site_name, b.model, b.nameplate_ghs,
           case when state.effective_from is not null then json_build_object(
             'effectiveFrom', state.effective_from, 'machines', state.machines, 'measuredGhs', state.measured_ghs::text,
             'powerWatts', state.power_watts, 'evidence', state.evidence) end as state
      from machine_deliveries b
      join sites s on s.id = b.site_id
      left join lateral (
        select * from machine_delivery_states
         where delivery_id = b.id and effective_from <= ${day}
         order by effective_from desc, number desc limit 1) state on true
     order by s.name, b.model, b.created_at
     limit 1000`,
    {
      id: text,
      siteId: text,
      siteName: text,
      model: text,
      nameplateGhs: units,
      state: orNull(json<Omit<DeliveryState, "measuredGhs"> & { measuredGhs: string }>()),
    },
  );
  return rows.map(({ state, ...delivery }) => ({
    ...delivery,
    state: state && { ...state, measuredGhs: BigInt(state.measuredGhs) },
  }));
}

export async function findDelivery(db: Db | Tx, deliveryId: string) {
  const [delivery] = await db
    .select({
      id: machineDeliveries.id,
      siteId: machineDeliveries.siteId,
      siteName: sites.name,
      model: machineDeliveries.model,
      nameplateGhs: machineDeliveries.nameplateGhs,
    })
    .from(machineDeliveries)
    .innerJoin(sites, eq(sites.id, machineDeliveries.siteId))
    .where(eq(machineDeliveries.id, deliveryId));
  return delivery ?? null;
}

/** Everything that was noted of a delivery, newest day first; the first word of a day counts. */
export function listDeliveryStates(db: Db | Tx, deliveryId: string) {
  return db
    .select({
      ...words,
      number: s.number,
      createdAt: s.createdAt,
      by: users.name,
    })
    .from(s)
    .innerJoin(auditLog, eq(auditLog.id, s.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(eq(s.deliveryId, deliveryId))
    .orderBy(desc(s.effectiveFrom), desc(s.number))
    .limit(500);
}
