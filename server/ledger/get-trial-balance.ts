import { type Coin, coins } from "#core/asset.ts";
import { oneOf, readRows, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** Per coin, what customers have, what the house has (credits positive), and their sum, which is zero. One statement, so that the parts agree. */
export async function getTrialBalance(
  db: Db | Tx,
): Promise<Record<Coin, { customers: bigint; house: bigint; sum: bigint }>> {
  const rows = await readRows(
    db,
    sql`select asset, coalesce(sum(units) filter (where customers), 0) as customers,
               coalesce(sum(units) filter (where not customers), 0) as house
          from (select asset, sum(balance) as units, true as customers
                  from ledger_accounts where balance is not null group by asset
                union all
                select asset, sum(units), false from house_balances() group by asset) each
         group by asset`,
    { asset: oneOf(coins), customers: units, house: units },
  );
  const ofCoin = (coin: Coin) => {
    // A coin that was never booked has no row.
    const { customers, house } = rows.find(({ asset }) => asset === coin) ?? nothing;
    return { customers, house, sum: customers + house };
  };
  return { BTC: ofCoin("BTC"), ETH: ofCoin("ETH"), USDT: ofCoin("USDT") };
}

const nothing = { customers: 0n, house: 0n };
