import { number, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** What was not delivered of a contract, and on which days. */
export interface Downtime {
  /** Millionths of a day, of all its settled days. */
  missedPpm: bigint;
  /** Of how many days. */
  count: number;
  /** The last of them, newest first. */
  days: Array<{ day: string; servedPpm: bigint }>;
}

/** On which days of a contract less was delivered than sold. */
export async function findDowntime(
  db: Db | Tx,
  contractId: string,
  { limit }: { limit: number },
): Promise<Downtime> {
  const rows = await readRows(
    db,
    sql`
    select r.day::text, r.served_ppm, count(*) over () as count, sum(1000000 - r.served_ppm) over () as missed_ppm
      from contracts c
      join mining_runs r on r.state = 'posted' and r.day >= c.starts_on and r.day <= coalesce(c.last_day, r.day)
     where c.id = ${contractId}::uuid and r.served_ppm < 1000000
     order by r.day desc limit ${limit}`,
    { day: text, servedPpm: units, count: number, missedPpm: units },
  );
  return {
    missedPpm: rows[0]?.missedPpm ?? 0n,
    count: rows[0]?.count ?? 0,
    days: rows.map(({ day, servedPpm }) => ({ day, servedPpm })),
  };
}
