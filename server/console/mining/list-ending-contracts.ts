import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

export interface EndingContract {
  contractId: string;
  customerId: string;
  customerName: string;
  planName: string;
  ghs: bigint;
  startsOn: string;
  plannedLastDay: string;
}

/** Contracts whose planned last day comes next. Downtime makes them run on. */
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
  }>(sql`
    select c.id, c.customer_id, u.name as customer_name, v.name as plan_name, c.ghs, c.starts_on::text, c.planned_last_day::text
      from contracts c
      join users u on u.id = c.customer_id
      join plan_versions v on v.id = c.plan_version_id
     where c.last_day is null and c.planned_last_day <= ${until}::date
     order by c.planned_last_day, c.id limit ${limit}`);
  return rows.map((row) => ({
    contractId: row.id,
    customerId: row.customer_id,
    customerName: row.customer_name,
    planName: row.plan_name,
    ghs: BigInt(row.ghs),
    startsOn: row.starts_on,
    plannedLastDay: row.planned_last_day,
  }));
}
