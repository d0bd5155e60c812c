import { sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";

/** Every price is kept for two days, for the change within 24 hours and to look into a bad hour. */
const allKeptHours = 48;
/** After that, the first of every ten minutes of an asset. */
const keptMinutes = 10;
const atOnce = 20_000;

/**
 * Thins out prices that are older than two days to one in ten minutes, with their quotes. Those that money was
 * valued with stay, every one. Forgets drops that ended a quarter of a year ago.
 */
export async function sweepPrices(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  await db.execute(sql`
    delete from market_prices where id in (
      select id from (
        select id, pinned, row_number() over (
            partition by asset, date_bin(make_interval(mins => ${keptMinutes}), observed_at, 'epoch')
            order by observed_at) as place
          from market_prices
         where observed_at < ${at}::timestamptz - make_interval(hours => ${allKeptHours})
           and observed_at >= ${at}::timestamptz - interval '30 days'
      ) as old
       where place > 1 and not pinned
       limit ${atOnce})`);
  await db.execute(sql`
    delete from market_drops where ended_at < ${at}::timestamptz - interval '90 days'`);
}
