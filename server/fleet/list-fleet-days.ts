import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

export interface FleetDay {
  day: string;
  capacityGhs: bigint;
  soldGhs: bigint;
  owedGhs: bigint;
  /** What can still be sold of it; never below zero. */
  freeGhs: bigint;
}

/** What the machines can do, what is sold and what is free, for each day from one to another, both included. */
export async function listFleetDays(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<FleetDay[]> {
  const { rows } = await db.execute<{
    day: string;
    capacity: string;
    sold: string;
    owed: string;
    free: string;
  }>(sql`
    with reserve as (
      select coalesce((select reserve_ppm from fleet_reserves order by number desc limit 1), 0) as ppm
    ), days as (
      select each.day::date as day, coalesce(d.capacity_ghs, fleet_capacity(each.day::date)) as capacity,
             coalesce(d.sold_ghs, 0) as sold, coalesce(d.owed_ghs, 0) as owed
        from generate_series(${from}::date, ${until}::date, interval '1 day') each (day)
        left join fleet_days d on d.day = each.day::date
    )
    select day::text, capacity, sold, owed,
           greatest(capacity - trunc(capacity * ppm / 1000000) - sold - owed, 0) as free
      from days cross join reserve order by day`);
  return rows.map((row) => ({
    day: row.day,
    capacityGhs: BigInt(row.capacity),
    soldGhs: BigInt(row.sold),
    owedGhs: BigInt(row.owed),
    freeGhs: BigInt(row.free),
  }));
}
