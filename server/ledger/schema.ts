import type { Coin } from "#core/asset.ts";
import { amount, time } from "#server/platform/columns.ts";
import { bigint, date, pgTable, pgView, primaryKey, text, uuid } from "#server/platform/tables.ts";
import type { AccountKind } from "./account.ts";
import type { PostedKind, TransferKind } from "./transfer.ts";

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

/** Found by id through `ledger_keys`: months of transfers can be taken out. */
export const ledgerTransfers = pgTable("ledger_transfers", {
  number: bigint({ mode: "bigint" }).primaryKey(),
  id: uuid().notNull(),
  key: text().notNull(),
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

/** What moved customers' accounts, reversals as the kind that they reverse. */
export const ledgerMovements = pgView("ledger_movements", {
  ownerId: uuid("owner_id").notNull(),
  kind: text().$type<PostedKind>().notNull(),
  asset: text().$type<Coin>().notNull(),
  units: amount("units").notNull(),
  entries: bigint({ mode: "bigint" }).notNull(),
}).existing();
