import { coins } from "#core/asset.ts";
import {
  moment,
  number,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { newestRun, projectedLastDay } from "./projected-last-day.ts";

const columns = {
  contractId: text,
  planName: text,
  planVersionId: text,
  ghs: units,
  quantity: number,
  usdCents: units,
  coin: oneOf(coins),
  units,
  boughtAt: moment,
  coolingOffUntil: orNull(moment),
  startsOn: text,
  plannedLastDay: text,
  lastDay: orNull(text),
  endReason: orNull(oneOf(["served", "unpaid-maintenance", "given-back"])),
  termDays: number,
  /** The last settled UTC day; null before the first. */
  countedUntil: orNull(text),
  /** Millionths of a day that were served until then. */
  servedPpm: units,
  /** When it ends if everything is delivered from now on; later than planned by downtime. Null once it has ended. */
  projectedLastDay: orNull(text),
  /** With corrections. */
  creditedSats: units,
  creditedUsdMicros: units,
  /** Fees that were paid, those paid late included. */
  feesSats: units,
  feesUsdMicros: units,
  /** Fees that wait for the balance. */
  unpaidSats: units,
  /** What became of the price of days that were not served. */
  refundedUnits: orNull(units),
  forfeitedUnits: orNull(units),
};

/** A contract with all that it has earned and cost, from its newest receipt. */
export interface ContractWithTotals extends RowOf<typeof columns> {
  /** Whole days that were served so far. */
  servedDays: number;
}

/** A customer's contracts with their totals, or one of them, newest first. Nothing is summed over days. */
export async function listContractsWithTotals(
  db: Db | Tx,
  customerId: string,
  contractId?: string,
): Promise<ContractWithTotals[]> {
  const rows = await readRows(
    db,
    sql`
    with ${newestRun}
    select c.id as contract_id, v.name as plan_name, c.plan_version_id, c.ghs, c.quantity, c.usd_cents, c.coin, c.units, c.bought_at,
           c.cooling_off_until, c.starts_on::text, c.planned_last_day::text, c.last_day::text, c.end_reason, c.term_days,
           newest.day::text as counted_until,
           case when c.starts_on <= newest.day
                then coalesce(at_end.cumulative_served_ppm, newest.cumulative_served_ppm) - coalesce(at_start.cumulative_served_ppm, 0)
                else 0 end as served_ppm,
           case when c.last_day is null then ${projectedLastDay}::text end as projected_last_day,
           coalesce(d.credited_sats, 0) + coalesce(fixed.sats, 0) as credited_sats,
           coalesce(d.credited_usd_micros, 0) + coalesce(fixed.usd_micros, 0) as credited_usd_micros,
           coalesce(d.fees_sats, 0) + coalesce(late.collected_sats, 0) as fees_sats,
           coalesce(d.fees_usd_micros, 0) + coalesce(late.collected_usd_micros, 0) as fees_usd_micros,
           coalesce(late.open_sats, 0) as unpaid_sats, e.refunded_units, e.forfeited_units
      from contracts c
      join plan_versions v on v.id = c.plan_version_id
      left join newest on true
      left join mining_runs at_start on at_start.day = c.starts_on - 1
      left join mining_runs at_end on at_end.day = c.last_day and at_end.state = 'posted'
      left join lateral (
        -- The newest receipt: of a customer who is set apart it is an earlier one.
        select * from mining_contract_days d
         where d.contract_id = c.id and d.day <= least(c.last_day, newest.day) order by d.day desc limit 1) d on true
      left join lateral (
        select sum(fee_sats) filter (where state = 'open') as open_sats,
               sum(fee_sats) filter (where state = 'collected') as collected_sats,
               sum(usd_micros) filter (where state = 'collected') as collected_usd_micros
          from maintenance_arrears a where a.contract_id = c.id) late on true
      left join lateral (
        select sum(x.change_sats) as sats, sum(div(x.change_sats * r.btc_usd_e8, 10000000000)) as usd_micros
          from mining_contract_corrections x join mining_runs r on r.day = x.day where x.contract_id = c.id) fixed on true
      left join contract_endings e on e.contract_id = c.id
     where c.customer_id = ${customerId} ${contractId === undefined ? sql`` : sql`and c.id = ${contractId}::uuid`}
     order by c.bought_at desc, c.id desc`,
    columns,
  );
  return rows.map((row) => {
    const servedDays = Math.min(row.termDays, Number(row.servedPpm / 1_000_000n));
    return { ...row, servedDays };
  });
}
