import { isUuid } from "#core/is-uuid.ts";
import { firstDay } from "#core/mining/first-day.ts";
import { utcDay } from "#core/utc-day.ts";
import {
  json,
  moment,
  number,
  oneOf,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { MaintenanceChange } from "./maintenance/list-maintenance.ts";

const columns = {
  planId: text,
  planVersionId: text,
  slug: text,
  version: number,
  name: text,
  unitGhs: units,
  termDays: number,
  mostUnits: number,
  priceUsdCents: units,
  machinesUsdCents: units,
  setupUsdCents: units,
  marginUsdCents: units,
  maintenanceUsdMicros: units,
  energyUsdMicros: units,
  operationUsdMicros: units,
  maintenanceMarginUsdMicros: units,
  /** The same fee today: announced changes have come into force since. */
  maintenanceTodayUsdMicros: units,
  termination: oneOf(["refund-unserved", "forfeit"]),
  publishedAt: moment,
  /** What can be sold of it for a whole term, from the first day of the buyer's contract on. */
  freeGhs: units,
  announced: json<Record<keyof MaintenanceChange, string>[]>(),
};

/** A plan as it is offered now, with what of it is left. */
export interface OfferedPlan extends Omit<RowOf<typeof columns>, "announced"> {
  /** Changes that have not come into force, soonest first. */
  announced: MaintenanceChange[];
  freeUnits: number;
}

/** For whom it is: a first contract starts later than others, so that other days have to be free. */
interface Buyer {
  now: Date;
  /** True, unless one is bought by somebody who bought before. */
  isFirst?: boolean;
}

/** Every plan that is offered, cheapest first. */
export async function listOfferedPlans(db: Db | Tx, buyer: Buyer): Promise<OfferedPlan[]> {
  return selectOffered(db, sql`true`, buyer);
}

/** The plan of this address; null when it is not offered. */
export async function findOfferedPlan(
  db: Db | Tx,
  slug: string,
  buyer: Buyer,
): Promise<OfferedPlan | null> {
  const [plan] = await selectOffered(db, sql`p.slug = ${slug}`, buyer);
  return plan ?? null;
}

/** The plan of this version; null when it is not offered any more. */
export async function findOfferedVersion(
  db: Db | Tx,
  planVersionId: string,
  buyer: Buyer,
): Promise<OfferedPlan | null> {
  if (!isUuid(planVersionId)) return null;
  const [plan] = await selectOffered(db, sql`v.id = ${planVersionId}`, buyer);
  return plan ?? null;
}

/**
 * What is free is the least of any day of the term: what the machines can do and the pools saw, less the reserve, what is owed for
 * downtime, and what is sold. Days that nothing was sold for yet have no row; on them all of the capacity is free, and
 * it changes only where a batch does.
 */
async function selectOffered(
  db: Db | Tx,
  which: ReturnType<typeof sql>,
  { now, isFirst = true }: Buyer,
): Promise<OfferedPlan[]> {
  const today = utcDay(now);
  const startsOn = firstDay(now, isFirst);
  const rows = await readRows(
    db,
    sql`
    select p.id as plan_id, v.id as plan_version_id, p.slug, v.version, v.name, v.unit_ghs, v.term_days, v.most_units,
           v.price_usd_cents, v.machines_usd_cents, v.setup_usd_cents, v.margin_usd_cents, v.maintenance_usd_micros,
           v.energy_usd_micros, v.operation_usd_micros, v.maintenance_margin_usd_micros,
           maintenance_on(v.id, ${today}::date) as maintenance_today_usd_micros, v.termination, v.published_at,
           greatest(0, least(fleet.free, v.offered_ghs - coalesce(sold.ghs, 0))) as free_ghs,
           coalesce((select json_agg(json_build_object('effectiveFrom', m.effective_from, 'usdMicros', m.usd_micros::text,
                                       'reason', m.reason, 'announcedAt', m.announced_at) order by m.effective_from)
              from maintenance_changes m
             where m.plan_version_id = v.id and m.withdrawn_at is null and m.effective_from > ${today}::date), '[]') as announced
      from plan_versions v
      join plans p on p.id = v.plan_id
     cross join sales_bounds() most
      left join sold_hashrate sold on sold.plan_version_id = v.id
     cross join lateral (
       select ${startsOn}::date as first, ${startsOn}::date + v.term_days - 1 as last
     ) term
     cross join lateral (
       select coalesce(least(
         (select min(sellable_ghs(d.capacity_ghs, most.seen_ghs, most.reserve_ppm) - d.owed_ghs - d.sold_ghs)
            from fleet_days d where d.day between term.first and term.last),
         (select sellable_ghs(min(capacity), most.seen_ghs, most.reserve_ppm)
            from (select fleet_capacity(changes.day) as capacity
                    from (select term.first as day
                          union select effective_from from machine_delivery_states
                           where effective_from > term.first and effective_from <= term.last) changes) each)
       ), 0) as free
     ) fleet
     where v.state = 'published' and ${which}
     order by v.price_usd_cents, v.name`,
    columns,
  );
  return rows.map((row) => ({
    ...row,
    announced: row.announced.map((change) => ({
      effectiveFrom: change.effectiveFrom,
      usdMicros: BigInt(change.usdMicros),
      reason: change.reason,
      announcedAt: new Date(change.announcedAt),
    })),
    freeUnits: Number(min(row.freeGhs / row.unitGhs, mostUnits)),
  }));
}

const mostUnits = 100_000n;
const min = (a: bigint, b: bigint) => (a < b ? a : b);
