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
  ended: number,
  /** How many of these returned less than was paid for them. */
  below: number,
  /** What was paid, in cents, and what of it was for contracts that returned less. */
  usdCents: units,
  belowUsdCents: units,
  /** What came back of it, in millionths of a dollar. */
  usdMicros: units,
  /** Of every $100 paid, by the money. */
  medianCents: units,
  /** Of the worst tenth of the money the best, and of the best tenth the worst. */
  p10Cents: units,
  p90Cents: units,
};
/** What contracts of a version of a plan that have ended returned. */
export type PlanRecord = RowOf<typeof columns>;

/**
 * What the ended contracts of each version of a plan returned, those no longer offered included: mined less maintenance, corrections
 * included, each day at its own price, and what was refunded. Cancelled first contracts do not count. The newest versions first.
 * PostgreSQL keeps the record (`contract_results`).
 */
export async function listPlanRecords(db: Db): Promise<PlanRecord[]> {
  return readRows(
    db,
    sql`
    select r.*, v.plan_id, v.name, v.version, v.published_at, v.retired_at
      from plan_records r join plan_versions v on v.id = r.plan_version_id
     order by v.published_at desc, v.id limit 500`,
    columns,
  );
}
