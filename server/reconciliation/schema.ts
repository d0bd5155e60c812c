// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import type { Coin } from "#core/asset.ts";
import type { HoldingSource } from "#server/reconciliation/holding.ts";
import type { HouseAccount } from "#server/ledger/account.ts";
import { amount, time } from "#server/platform/columns.ts";
import { date, integer, jsonb, pgTable, pgView, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const custodyDays = pgTable("custody_days", {
  day: date("day").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  custodyUnits: amount("custody_units").notNull().default(sql`default`),
  accounts: jsonb("accounts").$type<Partial<Record<HouseAccount, string>>>().notNull().default(sql`default`),
  notedAt: time("noted_at").notNull(),
});

export const custodyCounts = pgTable("custody_counts", {
  id: uuid("id").notNull(),
  submissionKey: uuid("submission_key").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  asOf: time("as_of").notNull(),
  blockHeight: integer("block_height"),
  wallets: text("wallets").notNull(),
  evidenceId: uuid("evidence_id").notNull(),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  state: text("state").$type<"open" | "confirmed" | "rejected" | "withdrawn">().notNull().default(sql`default`),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
  rejectionReason: text("rejection_reason"),
});

export const custodyHoldings = pgTable("custody_holdings", {
  id: uuid("id").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  asOf: time("as_of").notNull(),
  blockHeight: integer("block_height"),
  source: text("source").$type<"count" | "watcher">().notNull(),
  countId: uuid("count_id"),
  custodyUnits: amount("custody_units").notNull().default(sql`default`),
  differenceUnits: amount("difference_units").generatedAlwaysAs(sql``),
  recordedAt: time("recorded_at").notNull(),
});

export const custodyExplanations = pgTable("custody_explanations", {
  holdingId: uuid("holding_id").notNull(),
  words: text("words").notNull(),
  operatorId: uuid("operator_id").notNull(),
  actId: uuid("act_id").notNull(),
  explainedAt: time("explained_at").notNull(),
});

export const walletReadings = pgTable("wallet_readings", {
  walletId: uuid("wallet_id").notNull(),
  day: date("day").notNull(),
  asset: text("asset").$type<"BTC">().notNull(),
  units: amount("units").notNull(),
  outputs: integer("outputs").notNull(),
  blockHeight: integer("block_height").notNull(),
  blockHash: text("block_hash").notNull(),
  readAt: time("read_at").notNull(),
  custodyUnits: amount("custody_units").notNull().default(sql`default`),
});

export const custodyCoverage = pgView("custody_coverage", {
  holdingId: uuid("holding_id").notNull(),
  asset: text("asset").$type<Coin>().notNull(),
  units: amount("units").notNull(),
  custodyUnits: amount("custody_units").notNull(),
  asOf: time("as_of").notNull(),
  blockHeight: integer("block_height"),
  source: text("source").$type<HoldingSource>().notNull(),
  recordedAt: time("recorded_at").notNull(),
}).existing();

export const reserveSignatures = pgTable("reserve_signatures", {
  id: uuid("id").notNull(),
  day: date("day").notNull(),
  walletId: uuid("wallet_id"),
  address: text("address").notNull(),
  message: text("message").notNull(),
  signature: text("signature").notNull(),
  operatorId: uuid("operator_id").notNull(),
  actId: uuid("act_id").notNull(),
  signedAt: time("signed_at").notNull(),
  units: amount("units"),
  usdtUnits: amount("usdt_units"),
  outputs: text("outputs").array(),
  blockHeight: integer("block_height"),
  blockHash: text("block_hash"),
  readAt: time("read_at"),
  spentAt: time("spent_at"),
  seenAt: time("seen_at"),
});
