import { type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

const columns = {
  day: text,
  capacityGhs: units,
  soldGhs: units,
  owedGhs: units,
  /** What can still be sold of it; never below zero. */
  freeGhs: units,
};
export type FleetDay = RowOf<typeof columns>;

/** What the machines can do, what is sold and what is free, for each day from one to another, both included. */
export async function listFleetDays(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<FleetDay[]> {
  return readRows(
    db,
    sql`
    with reserve as (
      select coalesce((select reserve_ppm from fleet_reserves order by number desc limit 1), 0) as ppm
    ), days as (
      select each.day::date as day, coalesce(d.capacity_ghs, fleet_capacity(each.day::date)) as capacity,
             coalesce(d.sold_ghs, 0) as sold, coalesce(d.owed_ghs, 0) as owed
        from generate_series(${from}::date, ${until}::date, interval '1 day') each (day)
        left join fleet_days d on d.day = each.day::date
    )
    select day::text, capacity as capacity_ghs, sold as sold_ghs, owed as owed_ghs,
           greatest(capacity - trunc(capacity * ppm / 1000000) - sold - owed, 0) as free_ghs
      from days cross join reserve order by day`,
    columns,
  );
}
