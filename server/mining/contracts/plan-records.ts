import { utcDay } from "#core/utc-day.ts";
import {
  moment,
  number,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = {
  planVersionId: text,
  planId: text,
  name: text,
  version: number,
  publishedAt: moment,
  /** Null: it is offered. */
  retiredAt: orNull(moment),
  /** Contracts that run, and those of them that run past the day planned for their end: they were not served whole. */
  running: number,
  overdue: number,
  ended: number,
  /** How many of those that have ended returned less than was paid for them. */
  below: number,
  /** What was paid for those, in cents, and what of it was for contracts that returned less. */
  usdCents: units,
  belowUsdCents: units,
  /** What came back of it, in millionths of a dollar. */
  usdMicros: units,
  /** Of every $100 paid, by the money. Null: none has ended. */
  medianCents: orNull(units),
  /** Of the worst tenth of the money the best, and of the best tenth the worst. */
  p10Cents: orNull(units),
  p90Cents: orNull(units),
};
/** What contracts of a version of a plan returned that have ended, and how many run. */
export type PlanRecord = RowOf<typeof columns>;

/**
 * What the ended contracts of each version of a plan returned that was ever sold, those no longer offered included: mined less maintenance,
 * corrections included, each day at its own price, and what was refunded. Cancelled first contracts do not count. The newest versions
 * first. PostgreSQL keeps the record (`contract_results`).
 */
export async function listPlanRecords(db: Db, now: Date): Promise<PlanRecord[]> {
  return readRows(
    db,
    sql`
    select v.id as plan_version_id, v.plan_id, v.name, v.version, v.published_at, v.retired_at,
           coalesce(s.contracts, 0) as running, coalesce(late.contracts, 0) as overdue, coalesce(r.ended, 0) as ended,
           coalesce(r.below, 0) as below, coalesce(r.usd_cents, 0) as usd_cents, coalesce(r.below_usd_cents, 0) as below_usd_cents,
           coalesce(r.usd_micros, 0) as usd_micros, r.median_cents, r.p10_cents, r.p90_cents
      from plan_versions v left join plan_records r on r.plan_version_id = v.id left join sold_hashrate s on s.plan_version_id = v.id
      left join (select plan_version_id, count(*) as contracts from contracts
                  where last_day is null and planned_last_day < ${utcDay(now)}::date group by 1) late on late.plan_version_id = v.id
     where r.ended > 0 or s.contracts > 0
     order by v.published_at desc, v.id`,
    columns,
  );
}
