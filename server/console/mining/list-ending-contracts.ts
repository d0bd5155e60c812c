import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { projectedLastDay } from "../../mining/queries.ts";

export interface EndingContract {
  contractId: string;
  customerId: string;
  customerName: string;
  planName: string;
  ghs: bigint;
  startsOn: string;
  plannedLastDay: string;
  /** If everything is delivered from now on; later than planned by what downtime took, as its customer reads it. */
  lastDay: string;
}

/** Contracts that end until a day if everything is delivered from now on, the next first. */
export async function listEndingContracts(
  db: Db,
  { until, limit }: { until: string; limit: number },
): Promise<EndingContract[]> {
  const { rows } = await db.execute<{
    id: string;
    customer_id: string;
    customer_name: string;
    plan_name: string;
    ghs: string;
    starts_on: string;
    planned_last_day: string;
    last_day: string;
  }>(sql`
    with newest as (
      select day, cumulative_served_ppm from mining_runs where state = 'posted' order by day desc limit 1
    ), ending as (
      select c.id, c.customer_id, c.plan_version_id, c.ghs, c.starts_on, c.planned_last_day,
             ${projectedLastDay} as last_day
        from contracts c
        left join newest on true
        left join mining_runs at_start on at_start.day = c.starts_on - 1
       where c.last_day is null and c.planned_last_day <= ${until}::date
    )
    select c.id, c.customer_id, u.name as customer_name, v.name as plan_name, c.ghs, c.starts_on::text, c.planned_last_day::text,
           c.last_day::text
      from ending c
      join users u on u.id = c.customer_id
      join plan_versions v on v.id = c.plan_version_id
     where c.last_day <= ${until}::date
     order by c.last_day, c.id limit ${limit}`);
  return rows.map((row) => ({
    contractId: row.id,
    customerId: row.customer_id,
    customerName: row.customer_name,
    planName: row.plan_name,
    ghs: BigInt(row.ghs),
    startsOn: row.starts_on,
    plannedLastDay: row.planned_last_day,
    lastDay: row.last_day,
  }));
}
