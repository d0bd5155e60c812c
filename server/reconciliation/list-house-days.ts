import { type Coin, coins } from "#core/asset.ts";
import { json, oneOf, readRows, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { HouseAccount } from "../ledger/account.ts";
import type { Db, Tx } from "../platform/database.ts";

/** The house's accounts of each coin at the end of a UTC day, credits positive. */
export interface HouseDay {
  day: string;
  accounts: Record<Coin, Partial<Record<HouseAccount, bigint>>>;
}

/**
 * The house's accounts at the end of the days from one to another, both included, and of the last day that was noted before:
 * what happened on a day is the difference to the one before it. Oldest first; days on which nobody noted them are missing.
 */
export async function listHouseDays(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<HouseDay[]> {
  const rows = await readRows(
    db,
    sql`select day::text, asset, accounts from custody_days
         where day >= coalesce((select max(day) from custody_days where day < ${from}::date), ${from}::date)
           and day <= ${until}::date
         order by day`,
    {
      day: text,
      asset: oneOf(coins),
      accounts: json<Partial<Record<HouseAccount, string>>>(),
    },
  );
  const days = new Map<string, HouseDay>();
  for (const { day, asset, accounts } of rows) {
    const noted = days.get(day) ?? { day, accounts: { BTC: {}, ETH: {}, USDT: {} } };
    for (const [account, units] of Object.entries(accounts)) {
      noted.accounts[asset][account as HouseAccount] = BigInt(units);
    }
    days.set(day, noted);
  }
  // A worker that was stopped in between noted some coins of the day only.
  return [...days.values()].filter((each) =>
    coins.every((coin) => Object.keys(each.accounts[coin]).length > 0),
  );
}
