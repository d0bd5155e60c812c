// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import type { AccountKind } from "#server/ledger/account.ts";
import type { PostedKind, TransferKind } from "#server/ledger/transfer.ts";
import { amount, bytes, time } from "#server/platform/columns.ts";
import { bigint, boolean, date, integer, pgTable, pgView, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const ledgerAccountKinds = pgTable("ledger_account_kinds", {
  account: text("account").notNull(),
  owner: text("owner").$type<"customer" | "house">().notNull(),
  side: text("side").$type<"credit" | "debit" | "both">().notNull(),
  holds: text("holds").notNull(),
});

export const ledgerTransferKinds = pgTable("ledger_transfer_kinds", {
  kind: text("kind").notNull(),
  debits: text("debits").array().notNull(),
  credits: text("credits").array().notNull(),
});

export const ledgerDocumentChecks = pgTable("ledger_document_checks", {
  kind: text("kind").notNull(),
  ofReversal: boolean("of_reversal").notNull(),
  place: integer("place").notNull(),
  checkFunction: text("check_function").notNull(),
});

export const ledgerAccounts = pgTable("ledger_accounts", {
  ownerId: uuid("owner_id").notNull(),
  account: text("account").$type<AccountKind>().notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  balance: amount("balance"),
  entryCount: bigint("entry_count", { mode: "bigint" }),
});

export const ledgerKeys = pgTable("ledger_keys", {
  number: bigint("number", { mode: "bigint" }).notNull(),
  kind: text("kind").notNull(),
  reverses: uuid("reverses"),
  id: uuid("id").notNull(),
  key: text("key").notNull(),
});

export const ledgerTransfers = pgTable("ledger_transfers", {
  number: bigint("number", { mode: "bigint" }).notNull().default(sql`default`),
  id: uuid("id").notNull(),
  key: text("key").notNull(),
  kind: text("kind").$type<TransferKind>().notNull(),
  ownerId: uuid("owner_id").notNull(),
  day: date("day").notNull(),
  occurredAt: time("occurred_at").notNull(),
  createdAt: time("created_at").notNull().default(sql`default`),
  source: text("source").notNull(),
  memo: text("memo").notNull(),
  reverses: uuid("reverses"),
  legs: text("legs").array().notNull(),
});

export const ledgerEntries = pgTable("ledger_entries", {
  ownerId: uuid("owner_id").notNull(),
  transferNumber: bigint("transfer_number", { mode: "bigint" }).notNull(),
  account: text("account").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  sequence: bigint("sequence", { mode: "bigint" }),
  balanceAfter: amount("balance_after"),
});

export const ledgerOpenings = pgTable("ledger_openings", {
  ownerId: uuid("owner_id").notNull(),
  account: text("account").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  balance: amount("balance").notNull(),
  entryCount: bigint("entry_count", { mode: "bigint" }).notNull(),
});

export const ledgerOpeningTotals = pgTable("ledger_opening_totals", {
  ownerId: uuid("owner_id").notNull(),
  kind: text("kind").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  entries: bigint("entries", { mode: "bigint" }).notNull(),
});

export const ledgerMovements = pgView("ledger_movements", {
  transferNumber: bigint("transfer_number", { mode: "bigint" }).notNull(),
  ownerId: uuid("owner_id").notNull(),
  kind: text("kind").$type<PostedKind>().notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: text("units").notNull(),
  entries: bigint("entries", { mode: "bigint" }).notNull(),
}).existing();

export const ledgerSeals = pgTable("ledger_seals", {
  number: bigint("number", { mode: "bigint" }).notNull(),
  previousHash: bytes("previous_hash").notNull(),
  transferCount: integer("transfer_count").notNull(),
  covers: text("covers").notNull(),
  merkleRoot: bytes("merkle_root").notNull(),
  sealedAt: time("sealed_at").notNull(),
  hash: bytes("hash").notNull(),
  completeThrough: bigint("complete_through", { mode: "bigint" }).notNull(),
  watchedThrough: bigint("watched_through", { mode: "bigint" }).notNull(),
  watchedBefore: bigint("watched_before", { mode: "bigint" }).notNull(),
});

export const ledgerBlocks = pgTable("ledger_blocks", {
  number: bigint("number", { mode: "bigint" }).notNull(),
  covers: text("covers").notNull(),
  transferCount: integer("transfer_count").notNull(),
  completeThrough: bigint("complete_through", { mode: "bigint" }).notNull(),
  watchedThrough: bigint("watched_through", { mode: "bigint" }).notNull(),
  watchedBefore: bigint("watched_before", { mode: "bigint" }).notNull(),
  merkleRoot: bytes("merkle_root"),
  newestAt: time("newest_at"),
});

export const ledgerHouseSnapshots = pgTable("ledger_house_snapshots", {
  sealNumber: bigint("seal_number", { mode: "bigint" }).notNull(),
  account: text("account").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
});
