// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import type { Difference } from "#server/payouts/payout.ts";
import { amount, bytes, time } from "#server/platform/columns.ts";
import { bigint, boolean, date, integer, jsonb, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const pools = pgTable("pools", {
  id: uuid("id").notNull(),
  name: text("name").notNull(),
  format: text("format").$type<"braiins" | "f2pool" | "luxor" | "other">().notNull(),
  countsFrom: date("counts_from").notNull(),
  countsUntil: date("counts_until"),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
  stoppedActionId: uuid("stopped_action_id"),
});

export const poolWatchUrls = pgTable("pool_watch_urls", {
  number: bigint("number", { mode: "bigint" }).notNull().generatedAlwaysAs(sql``),
  poolId: uuid("pool_id").notNull(),
  url: text("url"),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const poolAddresses = pgTable("pool_addresses", {
  address: text("address").notNull(),
  poolId: uuid("pool_id").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const poolStatements = pgTable("pool_statements", {
  id: uuid("id").notNull(),
  poolId: uuid("pool_id").notNull(),
  source: text("source").$type<"file" | "api">().notNull(),
  name: text("name").notNull(),
  content: bytes("content").notNull(),
  sha256: bytes("sha256").notNull(),
  receivedAt: time("received_at").notNull(),
  actionId: uuid("action_id"),
  askedHost: text("asked_host"),
});

export const poolPulls = pgTable("pool_pulls", {
  poolId: uuid("pool_id").notNull(),
  askedAt: time("asked_at").notNull(),
  succeededAt: time("succeeded_at"),
  failures: integer("failures").notNull().default(sql`default`),
  lastFailure: text("last_failure"),
  askAgainAt: time("ask_again_at").notNull(),
  differences: jsonb("differences").$type<Difference[]>().notNull().default(sql`default`),
});

export const payoutLimits = pgTable("payout_limits", {
  number: bigint("number", { mode: "bigint" }).notNull().generatedAlwaysAs(sql``),
  secondPersonAboveSats: amount("second_person_above_sats").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const poolPayouts = pgTable("pool_payouts", {
  id: uuid("id").notNull(),
  poolId: uuid("pool_id").notNull(),
  day: date("day").notNull(),
  units: amount("units").notNull(),
  deliveredGhs: amount("delivered_ghs").notNull(),
  txid: text("txid"),
  statementId: uuid("statement_id"),
  corrects: uuid("corrects"),
  correctionReason: text("correction_reason"),
  state: text("state").$type<"proposed" | "recorded" | "refused">().notNull(),
  proposedAt: time("proposed_at").notNull(),
  proposalActionId: uuid("proposal_action_id"),
  decidedAt: time("decided_at"),
  recordedAt: time("recorded_at"),
  decisionActionId: uuid("decision_action_id"),
  refusalReason: text("refusal_reason"),
  covered: boolean("covered").notNull().default(sql`default`),
  unseenReason: text("unseen_reason"),
  transferId: uuid("transfer_id"),
});

export const coinsAmiss = pgTable("coins_amiss", {
  poolId: uuid("pool_id").notNull(),
  unexplainedSince: time("unexplained_since"),
});
