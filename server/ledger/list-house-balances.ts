import { type Coin, coins } from "#core/asset.ts";
import { oneOf, readRows, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { type HouseAccount, houseAccounts, onItsSide } from "./account.ts";

export interface HouseBalance {
  account: HouseAccount;
  asset: Coin;
  /** On the account's own side: coins in custody are positive, and so is revenue. */
  units: bigint;
}

/** What stands on the house's accounts now, summed from the last snapshot forward. */
export async function listHouseBalances(db: Db | Tx): Promise<HouseBalance[]> {
  const rows = await readRows(
    db,
    sql`select account, asset, units from house_balances() order by account, asset`,
    { account: oneOf(houseAccounts), asset: oneOf(coins), units },
  );
  return rows.map((row) => ({ ...row, units: onItsSide(row.account, row.units) }));
}

/** The coins that the site offers, and those that any account of the house still holds something of. */
export async function listBookedCoins(db: Db | Tx, offered: readonly Coin[]): Promise<Coin[]> {
  const house = await listHouseBalances(db);
  const isBooked = (coin: Coin) => house.some(({ asset, units }) => asset === coin && units !== 0n);
  return coins.filter((coin) => offered.includes(coin) || isBooked(coin));
}
