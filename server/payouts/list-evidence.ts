import { sql } from "#server/platform/sql.ts";
import { number, readRows, text, units } from "../platform/database/read-rows.ts";
import type { Db, Tx } from "../platform/database.ts";

export interface DayEvidence {
  day: string;
  /** Pools that count on this day. */
  pools: number;
  /** Those of them that have a recorded payout. */
  recorded: number;
  /** Payouts that wait for a person. */
  waiting: number;
  complete: boolean;
  payoutSats: bigint;
  deliveredGhs: bigint;
}

/**
 * What the pools said of each day from one to another, both included. A day is complete when at least one pool counts and
 * each that does has a recorded payout; of a chain of corrections the last one counts.
 */
export async function listEvidence(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<DayEvidence[]> {
  const rows = await readRows(
    db,
    sql`
    select d.day::date::text as day, counting.pools, coalesce(said.recorded, 0) as recorded,
           coalesce(said.waiting, 0) as waiting, coalesce(said.payout, 0) as "payoutSats", coalesce(said.delivered, 0) as "deliveredGhs"
      from generate_series(${from}::date, ${until}::date, interval '1 day') d (day)
      cross join lateral (
        select count(*)::int as pools from pools
         where d.day::date between counts_from and coalesce(counts_until, 'infinity')) counting
      left join lateral (
        select count(*) filter (where p.state = 'recorded')::int as recorded,
               count(*) filter (where p.state = 'proposed')::int as waiting,
               sum(p.units) filter (where p.state = 'recorded') as payout,
               sum(p.delivered_ghs) filter (where p.state = 'recorded') as delivered
          from pool_payouts p
          join pools on pools.id = p.pool_id and d.day::date between pools.counts_from and coalesce(pools.counts_until, 'infinity')
         where p.day = d.day::date and p.state <> 'refused'
           and not exists (select from pool_payouts c where c.corrects = p.id and c.state = 'recorded')) said on true
     order by 1`,
    {
      day: text,
      pools: number,
      recorded: number,
      waiting: number,
      payoutSats: units,
      deliveredGhs: units,
    },
  );
  return rows.map((row) => ({ ...row, complete: row.pools > 0 && row.recorded >= row.pools }));
}
