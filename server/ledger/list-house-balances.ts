import { type Coin, coins } from "#core/asset.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { type HouseAccount, onItsSide } from "./account.ts";
import { toRows } from "./to-rows.ts";

export interface HouseBalance {
  account: HouseAccount;
  asset: Coin;
  /** On the account's own side: coins in custody are positive, and so is revenue. */
  units: bigint;
}

/** What stands on the house's accounts now, summed from the last snapshot forward. */
export async function listHouseBalances(db: Db | Tx): Promise<HouseBalance[]> {
  const rows = await toRows<{ account: HouseAccount; asset: Coin; units: string }>(
    db,
    sql`select account, asset, units from house_balances() order by account, asset`,
  );
  return rows.map((row) => ({ ...row, units: onItsSide(row.account, BigInt(row.units)) }));
}

/** The coins that the site offers, and those that any account of the house still holds something of. */
export async function listBookedCoins(db: Db | Tx, offered: readonly Coin[]): Promise<Coin[]> {
  const house = await listHouseBalances(db);
  const isBooked = (coin: Coin) => house.some(({ asset, units }) => asset === coin && units !== 0n);
  return coins.filter((coin) => offered.includes(coin) || isBooked(coin));
}
