import { sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";

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
 * given back before they began are none. Every one that has ended and is settled counts.
 */
export async function listPlanRecords(db: Db): Promise<PlanRecord[]> {
  const { rows } = await db.execute<Record<keyof PlanRecord, string>>(sql`
    with returned as (
      select v.plan_id,
             coalesce(d.credited_usd_micros - d.fees_usd_micros, 0)
               + coalesce((select sum(trunc(x.change_sats * r.btc_usd_e8 / 10000000000))
                             from mining_contract_corrections x join mining_runs r using (day)
                            where x.contract_id = c.id), 0)
               - coalesce((select sum(a.usd_micros) from maintenance_arrears a
                            where a.contract_id = c.id and a.state = 'collected'), 0)
               + trunc(e.refunded_units * c.usd_cents * 10000 / c.units) as usd_micros,
             c.usd_cents
        from contract_endings e
        join contracts c on c.id = e.contract_id
        join plan_versions v on v.id = c.plan_version_id
        left join lateral (
          select credited_usd_micros, fees_usd_micros from mining_contract_days
           where contract_id = c.id order by day desc limit 1
        ) d on true
       where e.settled_at is not null
    ), per_hundred as (
      select plan_id, round(usd_micros / usd_cents) as cents, usd_micros < usd_cents * 10000 as below from returned
    )
    select plan_id as "planId", count(*) as ended,
           percentile_disc(0.1) within group (order by cents) as "p10Cents",
           percentile_disc(0.5) within group (order by cents) as "medianCents",
           percentile_disc(0.9) within group (order by cents) as "p90Cents",
           count(*) filter (where below) as below
      from per_hundred group by plan_id`);
  return rows.map((row) => ({
    planId: row.planId,
    ended: Number(row.ended),
    medianCents: BigInt(row.medianCents),
    p10Cents: BigInt(row.p10Cents),
    p90Cents: BigInt(row.p90Cents),
    below: Number(row.below),
  }));
}
