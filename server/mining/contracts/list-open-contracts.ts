import type { MaintainedHashrate } from "#core/mining/runway.ts";
import { sql } from "#server/platform/sql.ts";
import { preparedSql } from "../../platform/database/prepared.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { projectedLastDay } from "../queries.ts";

/** Contracts of a customer that have not ended, taken together where they are of one plan and run for the same days. */
export interface OpenContracts extends MaintainedHashrate {
  customerId: string;
  planName: string;
  quantity: number;
  contracts: number;
  /** The newest of them. */
  contractId: string;
}

/**
 * What runs for some customers or waits for its first day, the soonest to end first, with what its maintenance costs on a day.
 * `lastDay` is projected: later than planned by what downtime took.
 */
export async function listOpenContracts(
  db: Db | Tx,
  customerIds: readonly string[],
  day: string,
): Promise<OpenContracts[]> {
  const rows = await selectOpen(db, { customerIds, day });
  return rows.map((row) => ({
    customerId: row.customer_id,
    planName: row.name,
    quantity: Number(row.quantity),
    contracts: Number(row.contracts),
    contractId: row.contract_id,
    ghs: BigInt(row.ghs),
    startsOn: row.starts_on,
    lastDay: row.last_day,
    maintenanceUsdMicros: BigInt(row.usd_micros),
  }));
}

interface Row {
  customer_id: string;
  name: string;
  quantity: string;
  contracts: string;
  contract_id: string;
  ghs: string;
  starts_on: string;
  last_day: string;
  usd_micros: string;
}

const selectOpen = preparedSql<Row & Record<string, string>>(
  "mining_open_contracts",
  sql`
    with newest as (
      select day, cumulative_served_ppm from mining_runs where state = 'posted' order by day desc limit 1
    )
    select c.customer_id, v.name, c.plan_version_id, c.starts_on::text, ${projectedLastDay}::text as last_day, sum(c.ghs) as ghs,
           sum(c.quantity) as quantity, count(*) as contracts, max(c.id::text) as contract_id,
           maintenance_on(c.plan_version_id, ${sql.placeholder("day")}::date) as usd_micros
      from contracts c
      join plan_versions v on v.id = c.plan_version_id
      left join newest on true
      left join mining_runs at_start on at_start.day = c.starts_on - 1
     where c.customer_id = any (${sql.placeholder("customerIds")}::uuid[]) and c.last_day is null
     group by c.customer_id, v.name, c.plan_version_id, c.starts_on, ${projectedLastDay}
     order by c.customer_id, last_day, c.starts_on, v.name`,
);
