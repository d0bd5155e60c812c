import type { Coin } from "#core/asset.ts";
import { prepared } from "#server/platform/database/prepared.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import type { CustomerAccount } from "./account.ts";
import { ledgerAccounts } from "./schema.ts";

export type Balances = Record<Coin, Record<CustomerAccount, bigint>>;

/** What a customer has of each coin: usable now, and reserved. */
export async function getBalances(db: Db | Tx, customerId: string): Promise<Balances> {
  const rows = await selectAccounts(db, { customerId });
  const units = (account: CustomerAccount, asset: Coin) =>
    rows.find((row) => row.account === account && row.asset === asset)?.balance ?? 0n;
  return {
    BTC: { available: units("available", "BTC"), held: units("held", "BTC") },
    ETH: { available: units("available", "ETH"), held: units("held", "ETH") },
    USDT: { available: units("available", "USDT"), held: units("held", "USDT") },
  };
}

const selectAccounts = prepared((db) =>
  db
    .select()
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.ownerId, sql.placeholder("customerId")),
        sql`${ledgerAccounts.balance} is not null`,
      ),
    )
    .prepare("ledger_balances"),
);
