import { sql } from "#server/platform/sql.ts";
import { json, number, type RowOf, readRows, text, units } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";

const columns = {
  poolId: text,
  addresses: json<string[]>(),
  /** The coins there that count, and what they come to. */
  coins: number,
  seen: units,
  /** Payouts that they covered as these were recorded, also where they were corrected to what was not seen. */
  covered: units,
  /** What payouts in force are beside that: no coin was asked for, or two people recorded them without. */
  uncovered: units,
};

export type PoolCover = RowOf<typeof columns>;

/**
 * What our node saw of each pool, or of one, in satoshi, beside what was recorded of it. Sums over all days: for pages that are
 * cached, and staff.
 */
export function listPoolCover(db: Db, poolId: string | null = null): Promise<PoolCover[]> {
  return readRows(
    db,
    sql`select o.id as pool_id, named.addresses, seen.coins, seen.units as seen, said.covered, said.uncovered
          from pools o
         cross join lateral (select coalesce(jsonb_agg(a.address order by a.created_at, a.address), '[]') as addresses
                               from pool_addresses a where a.pool_id = o.id) named
         cross join lateral (select count(*)::int as coins, coalesce(sum(c.units), 0) as units from pool_coins(o.id) c) seen
         cross join lateral (
           with covering as materialized (select day, units from covered_payouts(o.id))
           select (select coalesce(sum(units), 0) from covering) as covered,
                  (select coalesce(sum(greatest(p.units - coalesce(c.units, 0), 0)), 0)
                     from pool_payouts p left join covering c on c.day = p.day
                    where p.pool_id = o.id and p.state = 'recorded' and not p.covered
                      and not exists (select from pool_payouts n where n.corrects = p.id and n.state = 'recorded')) as uncovered) said
         where ${poolId}::uuid is null or o.id = ${poolId}::uuid order by o.counts_until is not null, o.name limit 200`,
    columns,
  );
}
