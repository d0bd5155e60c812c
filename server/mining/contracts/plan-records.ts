import { number, type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = {
  planId: text,
  ended: number,
  /** Of every $100 paid. */
  medianCents: units,
  /** Of the worst tenth the best, and of the best tenth the worst. */
  p10Cents: units,
  p90Cents: units,
  /** How many returned less than they cost. */
  below: number,
};
/** What contracts of a plan that have ended returned. */
export type PlanRecord = RowOf<typeof columns>;

/**
 * What the ended contracts of each plan returned, all versions together: mined less maintenance, corrections included, each day at
 * its own price, and what was refunded. Cancelled first contracts do not count. PostgreSQL keeps the record (`contract_results`).
 */
export async function listPlanRecords(db: Db): Promise<PlanRecord[]> {
  return readRows(
    db,
    sql`select plan_id, ended, p10_cents, median_cents, p90_cents, below from plan_records`,
    columns,
  );
}
