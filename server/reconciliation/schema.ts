import type { Coin } from "#core/asset.ts";
import type { CountState } from "#core/payments/custody-count.ts";
import {
  date,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  unique,
  uuid,
} from "#server/platform/tables.ts";
import { adjustmentEvidence } from "../adjustments/schema.ts";
import { wallets } from "../chain/schema.ts";
import { auditLog, decidedByTwo, operators } from "../identity/schema.ts";
import type { HouseAccount } from "../ledger/account.ts";
import { amount, time } from "../platform/columns.ts";
import type { HoldingSource } from "./holding.ts";

const coin = () => text("asset").$type<Coin>().notNull();

export const custodyDays = pgTable(
  "custody_days",
  {
    day: date().notNull(),
    asset: coin(),
    /** PostgreSQL asks the journal, whatever is given. */
    custodyUnits: amount("custody_units").notNull().default(0n),
    /** The house's accounts, credits positive. PostgreSQL asks the journal, whatever is given. */
    accounts: jsonb().$type<Partial<Record<HouseAccount, string>>>().notNull().default({}),
    notedAt: time("noted_at").notNull(),
  },
  (t) => [primaryKey({ name: "one_figure_per_coin_and_day", columns: [t.day, t.asset] })],
);

export const custodyCounts = pgTable(
  "custody_counts",
  {
    id: uuid().primaryKey(),
    submissionKey: uuid("submission_key").notNull(),
    asset: coin(),
    units: amount("units").notNull(),
    asOf: time("as_of").notNull(),
    blockHeight: integer("block_height"),
    wallets: text().notNull(),
    evidenceId: uuid("evidence_id")
      .notNull()
      .references(() => adjustmentEvidence.id)
      .unique("one_count_per_evidence"),
    state: text().$type<CountState>().notNull().default("open"),
    ...decidedByTwo(),
    rejectionReason: text("rejection_reason"),
  },
  (t) => [unique("one_count_per_submission").on(t.proposedBy, t.submissionKey)],
);

export const custodyHoldings = pgTable("custody_holdings", {
  id: uuid().primaryKey(),
  asset: coin(),
  units: amount("units").notNull(),
  asOf: time("as_of").notNull(),
  blockHeight: integer("block_height"),
  source: text().$type<HoldingSource>().notNull(),
  countId: uuid("count_id")
    .references(() => custodyCounts.id)
    .unique("one_holding_per_count"),
  /** PostgreSQL asks the journal, whatever is given. */
  custodyUnits: amount("custody_units").notNull().default(0n),
  recordedAt: time("recorded_at").notNull(),
});

export const custodyExplanations = pgTable("custody_explanations", {
  holdingId: uuid("holding_id")
    .primaryKey()
    .references(() => custodyHoldings.id),
  words: text().notNull(),
  operatorId: uuid("operator_id")
    .notNull()
    .references(() => operators.id),
  actId: uuid("act_id")
    .notNull()
    .references(() => auditLog.id)
    .unique("one_explanation_per_act"),
  explainedAt: time("explained_at").notNull(),
});

/** What a node said of a wallet: once a day, and when staff ask. */
export const walletReadings = pgTable(
  "wallet_readings",
  {
    walletId: uuid("wallet_id")
      .notNull()
      .references(() => wallets.id),
    day: date().notNull(),
    asset: coin(),
    units: amount("units").notNull(),
    outputs: integer().notNull(),
    blockHeight: integer("block_height").notNull(),
    blockHash: text("block_hash").notNull(),
    readAt: time("read_at").notNull(),
    /** PostgreSQL asks the journal, whatever is given. */
    custodyUnits: amount("custody_units").notNull().default(0n),
  },
  (t) => [
    primaryKey({ name: "one_reading_per_wallet_and_moment", columns: [t.walletId, t.readAt] }),
  ],
);

/** Per coin its newest holding. */
export const custodyCoverage = pgView("custody_coverage", {
  holdingId: uuid("holding_id").notNull(),
  asset: coin(),
  units: amount("units").notNull(),
  custodyUnits: amount("custody_units").notNull(),
  asOf: time("as_of").notNull(),
  blockHeight: integer("block_height"),
  source: text().$type<HoldingSource>().notNull(),
  recordedAt: time("recorded_at").notNull(),
}).existing();
