import { type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { newestRun, projectedLastDay } from "../../mining/contracts/projected-last-day.ts";

const columns = {
  contractId: text,
  customerId: text,
  customerName: text,
  planName: text,
  ghs: units,
  startsOn: text,
  plannedLastDay: text,
  /** If everything is delivered from now on; later than planned by downtime, as its customer reads it. */
  lastDay: text,
};
export type EndingContract = RowOf<typeof columns>;

/** Contracts that end until a day if everything is delivered from now on, the next first. */
export async function listEndingContracts(
  db: Db,
  { until, limit }: { until: string; limit: number },
): Promise<EndingContract[]> {
  return readRows(
    db,
    sql`
    with ${newestRun}, ending as (
      select c.id, c.customer_id, c.plan_version_id, c.ghs, c.starts_on, c.planned_last_day,
             ${projectedLastDay} as last_day
        from contracts c
        left join newest on true
        left join mining_runs at_start on at_start.day = c.starts_on - 1
       where c.last_day is null and c.planned_last_day <= ${until}::date
    )
    select c.id as contract_id, c.customer_id, u.name as customer_name, v.name as plan_name, c.ghs, c.starts_on::text,
           c.planned_last_day::text, c.last_day::text
      from ending c
      join users u on u.id = c.customer_id
      join plan_versions v on v.id = c.plan_version_id
     where c.last_day <= ${until}::date
     order by c.last_day, c.id limit ${limit}`,
    columns,
  );
}
