import type { Coin } from "#core/asset.ts";
import {
  moment,
  number,
  oneOf,
  orNull,
  readRows,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = {
  asset: oneOf<Coin>(["BTC", "ETH", "USDT"]),
  units,
  /** What the ledger said of that moment. */
  custodyUnits: units,
  asOf: moment,
  blockHeight: orNull(number),
  /** Counted by two people, or read by our own Bitcoin node. */
  source: oneOf(["count", "watcher", "node"]),
};

/** What is there of each coin, by everybody who says so: the newest count, and of bitcoin what our node found last in all wallets that it knows. */
export type There = Awaited<ReturnType<typeof listThere>>[number];

export function listThere(db: Db) {
  return readRows(
    db,
    sql`select asset, units::text, custody_units::text as "custodyUnits", as_of as "asOf", block_height as "blockHeight", source from custody_coverage
        union all
        select 'BTC', sum(units)::text, (array_agg(custody_units::text order by read_at))[1], min(read_at),
               case when min(block_height) = max(block_height) then min(block_height) end, 'node'
          from (select distinct on (wallet_id) * from wallet_readings order by wallet_id, read_at desc) newest
        having count(*) > 0`,
    columns,
  );
}
