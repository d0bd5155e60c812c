import { sql } from "#server/platform/sql.ts";
import { json, number, type RowOf, readRows, text, units } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";

const columns = {
  poolId: text,
  addresses: json<string[]>(),
  /** The coins there that count, and what they come to. */
  coins: number,
  seen: units,
  /** The payouts that they cover, or did when these were recorded. */
  covered: units,
  /** Payouts in force that no coin was asked for, or that two people recorded without any. */
  uncovered: units,
};

export type PoolCover = RowOf<typeof columns>;

/** What our node saw of each pool, in satoshi, beside what was recorded of it. Sums over all days: for pages that are cached, and staff. */
export function listPoolCover(db: Db) {
  return readRows(
    db,
    sql`select o.id as pool_id, of_it.addresses, seen.coins, seen.units as seen, seen.units + pool_lacks(o.id) as covered,
               said.units as uncovered
          from pools o
         cross join lateral (select coalesce(jsonb_agg(a.address order by a.created_at, a.address), '[]') as addresses
                               from pool_addresses a where a.pool_id = o.id) of_it
         cross join lateral (select count(*)::int as coins, coalesce(sum(c.units), 0) as units from pool_coins(o.id) c) seen
         cross join lateral (select coalesce(sum(p.units), 0) as units from pool_payouts p
                              where p.pool_id = o.id and p.state = 'recorded' and not p.covered
                                and not exists (select from pool_payouts n where n.corrects = p.id and n.state = 'recorded')) said
         limit 200`,
    columns,
  );
}
