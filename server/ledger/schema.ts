import type { Coin } from "#core/asset.ts";
import { amount, time } from "#server/platform/columns.ts";
import { sql } from "#server/platform/sql.ts";
import {
  bigint,
  date,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "#server/platform/tables.ts";
import type { AccountKind } from "./account.ts";
import type { TransferKind } from "./transfer.ts";

/** One row per owner, kind and asset. Only customers' rows carry a balance. */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    ownerId: uuid("owner_id").notNull(),
    account: text().$type<AccountKind>().notNull(),
    asset: text().$type<Coin>().notNull(),
    balance: amount("balance"),
    entryCount: bigint("entry_count", { mode: "bigint" }),
  },
  (t) => [
    primaryKey({
      name: "one_account_per_owner_kind_and_asset",
      columns: [t.ownerId, t.account, t.asset],
    }),
  ],
);

export const ledgerTransfers = pgTable("ledger_transfers", {
  number: bigint({ mode: "bigint" }).primaryKey(),
  id: uuid().notNull().unique("one_transfer_per_id"),
  key: text().notNull().unique("one_transfer_per_key"),
  kind: text().$type<TransferKind>().notNull(),
  ownerId: uuid("owner_id").notNull(),
  day: date().notNull(),
  occurredAt: time("occurred_at").notNull(),
  createdAt: time("created_at").notNull().defaultNow(),
  source: text().notNull(),
  memo: text().notNull(),
  reverses: uuid(),
  /** What was asked for, as PostgreSQL writes it; the entries say the same, one row per leg. */
  legs: text().notNull(),
});

export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    ownerId: uuid("owner_id").notNull(),
    transferNumber: bigint("transfer_number", { mode: "bigint" }).notNull(),
    account: text().$type<AccountKind>().notNull(),
    asset: text().$type<Coin>().notNull(),
    units: amount("units").notNull(),
    sequence: bigint({ mode: "bigint" }),
    balanceAfter: amount("balance_after"),
  },
  (t) => [
    uniqueIndex("one_entry_per_account_and_transfer")
      .on(t.ownerId, t.account, t.asset, t.transferNumber)
      .where(sql`${t.account} in ('available', 'held')`),
  ],
);
