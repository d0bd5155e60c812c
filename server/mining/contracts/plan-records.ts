import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** What contracts of a plan that have ended returned of every $100 paid for them, in cents. */
export interface PlanRecord {
  planId: string;
  ended: number;
  medianCents: bigint;
  /** Of the worst tenth the best, and of the best tenth the worst. */
  p10Cents: bigint;
  p90Cents: bigint;
  /** How many returned less than they cost. */
  below: number;
}

/**
 * What really came of the contracts of each plan, all of its versions together, whatever it was: what was mined less
 * maintenance, corrections included, each day at its own price, and what of the price was paid back. Those that were
 * given back before they began are none. Every one that has ended and is settled counts. PostgreSQL writes a contract's
 * result when it is settled (`contract_results`), and moves its plan's record with it.
 */
export async function listPlanRecords(db: Db): Promise<PlanRecord[]> {
  const { rows } = await db.execute<Record<keyof PlanRecord, string>>(sql`
    select plan_id as "planId", ended, p10_cents as "p10Cents", median_cents as "medianCents", p90_cents as "p90Cents", below
      from plan_records`);
  return rows.map((row) => ({
    planId: row.planId,
    ended: Number(row.ended),
    medianCents: BigInt(row.medianCents),
    p10Cents: BigInt(row.p10Cents),
    p90Cents: BigInt(row.p90Cents),
    below: Number(row.below),
  }));
}
