import type { MaintainedHashrate } from "#core/mining/runway.ts";
import { sql } from "#server/platform/sql.ts";
import { preparedRows } from "../../platform/database/prepared.ts";
import { number, text, units } from "../../platform/database/read-rows.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { newestRun, projectedLastDay } from "./projected-last-day.ts";

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
  return selectOpen(db, { customerIds, day });
}

const selectOpen = preparedRows(
  "mining_open_contracts",
  sql`
    with ${newestRun}
    select c.customer_id, v.name as plan_name, c.starts_on::text, ${projectedLastDay}::text as last_day, sum(c.ghs) as ghs,
           sum(c.quantity) as quantity, count(*) as contracts, max(c.id::text) as contract_id,
           maintenance_on(c.plan_version_id, ${sql.placeholder("day")}::date) as maintenance_usd_micros
      from contracts c
      join plan_versions v on v.id = c.plan_version_id
      left join newest on true
      left join mining_runs at_start on at_start.day = c.starts_on - 1
     where c.customer_id = any (${sql.placeholder("customerIds")}::uuid[]) and c.last_day is null
     group by c.customer_id, v.name, c.plan_version_id, c.starts_on, ${projectedLastDay}
     order by c.customer_id, last_day, c.starts_on, v.name`,
  {
    customerId: text,
    planName: text,
    startsOn: text,
    lastDay: text,
    ghs: units,
    quantity: number,
    contracts: number,
    contractId: text,
    maintenanceUsdMicros: units,
  },
);
