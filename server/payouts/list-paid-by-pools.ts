import { sql } from "#server/platform/sql.ts";
import { readRows, text, units } from "../platform/database/read-rows.ts";
import type { Db, Tx } from "../platform/database.ts";

/** What a pool paid for a UTC day, corrections included. */
export interface PaidByPool {
  day: string;
  poolId: string;
  pool: string;
  sats: bigint;
}

/** What each pool paid for the UTC days from one to another, both included, as it is recorded now. */
export async function listPaidByPools(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<PaidByPool[]> {
  return readRows(
    db,
    sql`
    select p.day::text, p.pool_id as "poolId", o.name as pool, sum(p.units) as sats
      from pool_payouts p join pools o on o.id = p.pool_id
     where p.day between ${from}::date and ${until}::date and p.state = 'recorded'
       and not exists (select from pool_payouts c where c.corrects = p.id and c.state = 'recorded')
     group by p.day, p.pool_id, o.name order by p.day, o.name`,
    { day: text, poolId: text, pool: text, sats: units },
  );
}
