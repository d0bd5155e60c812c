import { addDays, utcDay } from "#core/utc-day.ts";
import { getRow, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** How much of the fleet is sold and free tomorrow, for the public; null while there is no fleet. */
export async function findCapacity(
  db: Db | Tx,
  now: Date,
): Promise<{ day: string; capacityGhs: bigint; soldGhs: bigint; freeGhs: bigint } | null> {
  const day = addDays(utcDay(now), 1);
  const row = await getRow(
    db,
    sql`
    select capacity as capacity_ghs, sold as sold_ghs, greatest(0, capacity - trunc(capacity * ppm / 1000000) - owed - sold) as free_ghs
      from (select coalesce(d.capacity_ghs, fleet_capacity(${day}::date)) as capacity,
                   coalesce(d.sold_ghs, 0) as sold, coalesce(d.owed_ghs, 0) as owed,
                   coalesce((select reserve_ppm from fleet_reserves order by number desc limit 1), 0) as ppm
              from (select ${day}::date as day) asked left join fleet_days d using (day)) one`,
    { capacityGhs: units, soldGhs: units, freeGhs: units },
  );
  return row.capacityGhs === 0n ? null : { day, ...row };
}
