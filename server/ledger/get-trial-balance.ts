import type { Coin } from "#core/asset.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { toRows } from "./to-rows.ts";

/** Per coin, what customers have, what the house has (credits positive), and their sum, which is zero. One statement, so that the parts agree. */
export async function getTrialBalance(
  db: Db | Tx,
): Promise<Record<Coin, { customers: bigint; house: bigint; sum: bigint }>> {
  const rows = await toRows<{ asset: Coin; customers: string; house: string }>(
    db,
    sql`select asset, coalesce(sum(units) filter (where customers), 0) as customers,
               coalesce(sum(units) filter (where not customers), 0) as house
          from (select asset, sum(balance) as units, true as customers
                  from ledger_accounts where balance is not null group by asset
                union all
                select asset, sum(units), false from house_balances() group by asset) each
         group by asset`,
  );
  const ofCoin = (coin: Coin) => {
    const row = rows.find(({ asset }) => asset === coin);
    const customers = BigInt(row?.customers ?? 0);
    const house = BigInt(row?.house ?? 0);
    return { customers, house, sum: customers + house };
  };
  return { BTC: ofCoin("BTC"), ETH: ofCoin("ETH"), USDT: ofCoin("USDT") };
}
