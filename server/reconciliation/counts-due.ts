import { type Coin, coins } from "#core/asset.ts";
import { countMaxAgeDays } from "#core/payments/custody-count.ts";
import { oneOf, readRows } from "#server/platform/database/read-rows.ts";
import { type SQL, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";

/**
 * Coins to count at a moment, to select from in SQL: at the end of the last day something was in custody, the newest count is older
 * than a week or there is none, and no count waits for its second person. The day's figure is read, so nothing is summed.
 */
export const countsDue = (at: SQL): SQL => sql`(
  select d.asset, coalesce(h.as_of, d.noted_at) as since
    from custody_days d left join custody_coverage h on h.asset = d.asset
   where d.day = (select max(day) from custody_days) and d.custody_units > 0
     and (h.as_of is null or h.as_of <= ${at} - make_interval(days => ${sql.raw(String(countMaxAgeDays))}))
     and not exists (select from custody_counts o where o.asset = d.asset and o.state = 'open'))`;

/** The coins whose count is due. */
export async function listCountsDue(db: Db, now: Date): Promise<Coin[]> {
  const rows = await readRows(
    db,
    sql`select asset from ${countsDue(sql`${now.toISOString()}::timestamptz`)} due order by asset`,
    { asset: oneOf(coins) },
  );
  return rows.map(({ asset }) => asset);
}
