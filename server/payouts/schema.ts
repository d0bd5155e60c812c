import type { PoolFormat } from "#core/mining/pool-formats.ts";
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from "#server/platform/tables.ts";
import { walletAddresses } from "../chain/schema.ts";
import { auditLog } from "../identity/schema.ts";
import { ledgerTransfers } from "../ledger/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";

const poolId = () =>
  uuid("pool_id")
    .notNull()
    .references(() => pools.id);

export const pools = pgTable("pools", {
  id: uuid().primaryKey(),
  name: text().notNull().unique("one_pool_per_name"),
  format: text().$type<PoolFormat>().notNull(),
  /** The first day whose evidence is incomplete without a payout of this pool, and the last. */
  countsFrom: date("counts_from").notNull(),
  countsUntil: date("counts_until"),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id")
    .notNull()
    .references(() => auditLog.id),
  stoppedActionId: uuid("stopped_action_id").references(() => auditLog.id),
});

/** Where a pool pays: an address of the wallet, one pool's for ever. */
export const poolAddresses = pgTable("pool_addresses", {
  address: text()
    .primaryKey()
    .references(() => walletAddresses.address),
  poolId: poolId(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id")
    .notNull()
    .references(() => auditLog.id),
});

export const poolStatements = pgTable("pool_statements", {
  id: uuid().primaryKey(),
  poolId: poolId(),
  source: text().$type<"file" | "api">().notNull(),
  name: text().notNull(),
  content: bytes().notNull(),
  sha256: bytes().notNull(),
  receivedAt: time("received_at").notNull(),
  actionId: uuid("action_id").references(() => auditLog.id),
  askedHost: text("asked_host"),
});

export const payoutLimits = pgTable("payout_limits", {
  number: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
  secondPersonAboveSats: amount("second_person_above_sats").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id")
    .notNull()
    .references(() => auditLog.id),
});

export const poolPayouts = pgTable("pool_payouts", {
  id: uuid().primaryKey(),
  poolId: poolId(),
  day: date().notNull(),
  units: amount("units").notNull(),
  deliveredGhs: amount("delivered_ghs").notNull(),
  txid: text(),
  statementId: uuid("statement_id").references(() => poolStatements.id),
  /** Null: the first word for this day. */
  corrects: uuid(),
  correctionReason: text("correction_reason"),
  state: text().$type<"proposed" | "recorded" | "refused">().notNull(),
  proposedAt: time("proposed_at").notNull(),
  /** Null: the worker read it from the pool. */
  proposalActionId: uuid("proposal_action_id").references(() => auditLog.id),
  decidedAt: time("decided_at"),
  decisionActionId: uuid("decision_action_id").references(() => auditLog.id),
  refusalReason: text("refusal_reason"),
  /** Whether the pool's coins covered it when it was recorded. PostgreSQL says so. */
  covered: boolean().notNull().default(false),
  /** Why they did not, as customers read it. */
  unseenReason: text("unseen_reason"),
  transferId: uuid("transfer_id").references(() => ledgerTransfers.id),
});

/** What a pool says of a day now, where something else is recorded. */
export interface Difference {
  day: string;
  sats: string;
  deliveredGhs: string;
  payoutId: string;
}

export const poolPulls = pgTable("pool_pulls", {
  poolId: uuid("pool_id")
    .primaryKey()
    .references(() => pools.id),
  askedAt: time("asked_at").notNull(),
  succeededAt: time("succeeded_at"),
  failures: integer().notNull().default(0),
  lastFailure: text("last_failure"),
  askAgainAt: time("ask_again_at").notNull(),
  differences: jsonb().$type<Difference[]>().notNull().default([]),
});
