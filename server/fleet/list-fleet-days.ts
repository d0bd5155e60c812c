import { orNull, type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

const columns = {
  day: text,
  capacityGhs: units,
  soldGhs: units,
  owedGhs: units,
  /** What can still be sold of it; never below zero. */
  freeGhs: units,
  /** What the pools measured on it; null: it is not posted. */
  reportedGhs: orNull(units),
  /** What they paid for the seven days up to it, in hashrate at what the network paid; null also where nobody asked the network. */
  impliedGhs: orNull(units),
};
export type FleetDay = RowOf<typeof columns>;

/** What the machines can do, what is sold and free, and what the pools saw, for each day from one to another, both included. */
export async function listFleetDays(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<FleetDay[]> {
  return readRows(
    db,
    sql`
    with days as (
      select each.day::date as day, coalesce(d.capacity_ghs, fleet_capacity(each.day::date)) as capacity,
             coalesce(d.sold_ghs, 0) as sold, coalesce(d.owed_ghs, 0) as owed, reported_ghs, implied_ghs
        from generate_series(${from}::date, ${until}::date, interval '1 day') each (day)
        left join fleet_days d on d.day = each.day::date
        left join capacity_evidence e on e.day = each.day::date
    )
    select day::text, capacity as capacity_ghs, sold as sold_ghs, owed as owed_ghs,
           greatest(sellable_ghs(capacity, seen_ghs, reserve_ppm) - sold - owed, 0) as free_ghs,
           reported_ghs, implied_ghs
      from days cross join sales_bounds() order by day`,
    columns,
  );
}

/** Without the days before there was a machine, of which there is nothing to say. */
export function sinceMachines(days: FleetDay[]): FleetDay[] {
  const first = days.findIndex(({ capacityGhs, soldGhs }) => capacityGhs > 0n || soldGhs > 0n);
  return first === -1 ? [] : days.slice(first);
}
