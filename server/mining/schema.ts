import {
  bigint,
  boolean,
  date,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { DigestEvery } from "#core/notice-events.ts";
import { contracts } from "../contracts/schema.ts";
import { auditLog, customers } from "../identity/schema.ts";
import { marketPrices } from "../markets/schema.ts";
import { poolPayouts } from "../payouts/schema.ts";
import { planVersions } from "../plans/schema.ts";
import { amount, time } from "../platform/columns.ts";

const customerId = () =>
  uuid("customer_id")
    .notNull()
    .references(() => customers.id);
const contractId = () =>
  uuid("contract_id")
    .notNull()
    .references(() => contracts.id);

export const miningSettings = pgTable("mining_settings", {
  number: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
  byItself: boolean("by_itself").notNull(),
  mostDeviationPpm: integer("most_deviation_ppm").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id")
    .notNull()
    .references(() => auditLog.id),
});

/** One UTC day, with everything that its credits follow from. Written by PostgreSQL's functions alone, as all below but the last two. */
export const miningRuns = pgTable("mining_runs", {
  day: date().primaryKey(),
  state: text().$type<"posting" | "posted">().notNull(),
  payoutSats: amount("payout_sats").notNull(),
  carriedSats: amount("carried_sats").notNull(),
  distributableSats: amount("distributable_sats").notNull(),
  deliveredGhs: amount("delivered_ghs").notNull(),
  activeGhs: amount("active_ghs").notNull(),
  sharedGhs: amount("shared_ghs").notNull(),
  servedPpm: bigint("served_ppm", { mode: "bigint" }).notNull(),
  cumulativeServedPpm: bigint("cumulative_served_ppm", { mode: "bigint" }).notNull(),
  contracts: integer().notNull(),
  customers: integer().notNull(),
  priceId: uuid("price_id")
    .notNull()
    .references(() => marketPrices.id),
  btcUsdE8: amount("btc_usd_e8").notNull(),
  priceObservedAt: time("price_observed_at").notNull(),
  /** Null: no reference on that day. */
  networkObservedAt: time("network_observed_at"),
  difficulty: amount("difficulty"),
  subsidySats: amount("subsidy_sats"),
  feesPerBlockSats: amount("fees_per_block_sats"),
  startedAt: time("started_at").notNull(),
  postedAt: time("posted_at"),
  /** Null: by itself. */
  actionId: uuid("action_id").references(() => auditLog.id),
  creditedSats: amount("credited_sats").notNull(),
  operatorShareSats: amount("operator_share_sats"),
  remainderSats: amount("remainder_sats"),
  feesDueSats: amount("fees_due_sats"),
  feesPaidSats: amount("fees_paid_sats"),
  inactivitySats: amount("inactivity_sats"),
  earnedBtcUnits: amount("earned_btc_units"),
  earnedEthUnits: amount("earned_eth_units"),
  earnedUsdtUnits: amount("earned_usdt_units"),
});

export const miningRunPayouts = pgTable(
  "mining_run_payouts",
  {
    day: date()
      .notNull()
      .references(() => miningRuns.day),
    payoutId: uuid("payout_id")
      .notNull()
      .references(() => poolPayouts.id),
  },
  (t) => [primaryKey({ columns: [t.day, t.payoutId] })],
);

export const miningRunPlans = pgTable(
  "mining_run_plans",
  {
    day: date()
      .notNull()
      .references(() => miningRuns.day),
    planVersionId: uuid("plan_version_id")
      .notNull()
      .references(() => planVersions.id),
    maintenanceUsdMicros: amount("maintenance_usd_micros").notNull(),
    contracts: integer().notNull(),
    ghs: amount("ghs").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.planVersionId] })],
);

export const miningCorrections = pgTable("mining_corrections", {
  payoutId: uuid("payout_id")
    .primaryKey()
    .references(() => poolPayouts.id),
  day: date()
    .notNull()
    .references(() => miningRuns.day),
  number: integer().notNull(),
  state: text().$type<"posting" | "posted">().notNull(),
  payoutSats: amount("payout_sats").notNull(),
  distributableSats: amount("distributable_sats").notNull(),
  deliveredGhs: amount("delivered_ghs").notNull(),
  sharedGhs: amount("shared_ghs").notNull(),
  payoutChangeSats: amount("payout_change_sats").notNull(),
  customersChangeSats: amount("customers_change_sats").notNull(),
  lostSats: amount("lost_sats").notNull(),
  operatorChangeSats: amount("operator_change_sats"),
  startedAt: time("started_at").notNull(),
  postedAt: time("posted_at"),
});

/** What a contract earned and owes for a day; partitioned by month. Totals run over all of its days. */
export const miningContractDays = pgTable(
  "mining_contract_days",
  {
    contractId: uuid("contract_id").notNull(),
    day: date().notNull(),
    customerId: uuid("customer_id").notNull(),
    ghs: amount("ghs").notNull(),
    creditSats: amount("credit_sats").notNull(),
    feeSats: amount("fee_sats").notNull(),
    /** Whether the balance covered it in the run. */
    feePaid: boolean("fee_paid").notNull(),
    creditedSats: amount("credited_sats").notNull(),
    creditedUsdMicros: amount("credited_usd_micros").notNull(),
    feesSats: amount("fees_sats").notNull(),
    feesUsdMicros: amount("fees_usd_micros").notNull(),
  },
  (t) => [primaryKey({ name: "one_receipt_per_contract_and_day", columns: [t.contractId, t.day] })],
);

export const miningCustomerDays = pgTable(
  "mining_customer_days",
  {
    customerId: uuid("customer_id").notNull(),
    day: date().notNull(),
    contracts: integer().notNull(),
    ghs: amount("ghs").notNull(),
    creditSats: amount("credit_sats").notNull(),
    creditUsdMicros: amount("credit_usd_micros").notNull(),
    feeSats: amount("fee_sats").notNull(),
    paidFeeSats: amount("paid_fee_sats").notNull(),
    paidFeeUsdMicros: amount("paid_fee_usd_micros").notNull(),
    creditedSats: amount("credited_sats").notNull(),
    creditedUsdMicros: amount("credited_usd_micros").notNull(),
    feesSats: amount("fees_sats").notNull(),
    feesUsdMicros: amount("fees_usd_micros").notNull(),
  },
  (t) => [primaryKey({ name: "one_day_per_customer", columns: [t.customerId, t.day] })],
);

export const miningContractCorrections = pgTable(
  "mining_contract_corrections",
  {
    contractId: contractId(),
    day: date().notNull(),
    payoutId: uuid("payout_id")
      .notNull()
      .references(() => miningCorrections.payoutId),
    creditSats: amount("credit_sats").notNull(),
    changeSats: amount("change_sats").notNull(),
  },
  (t) => [primaryKey({ columns: [t.contractId, t.day, t.payoutId] })],
);

export const miningCustomerCorrections = pgTable(
  "mining_customer_corrections",
  {
    customerId: customerId(),
    day: date().notNull(),
    payoutId: uuid("payout_id")
      .notNull()
      .references(() => miningCorrections.payoutId),
    changeSats: amount("change_sats").notNull(),
    /** Of what was to be taken back, what was no longer there. */
    lostSats: amount("lost_sats").notNull(),
    usdMicros: amount("usd_micros").notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.day, t.payoutId] })],
);

export const maintenanceArrears = pgTable(
  "maintenance_arrears",
  {
    contractId: contractId(),
    day: date().notNull(),
    customerId: customerId(),
    boughtAt: time("bought_at").notNull(),
    feeSats: amount("fee_sats").notNull(),
    usdMicros: amount("usd_micros").notNull(),
    postedAt: time("posted_at").notNull(),
    state: text().$type<"open" | "collected" | "lapsed">().notNull(),
    closedAt: time("closed_at"),
    transferId: uuid("transfer_id"),
  },
  (t) => [primaryKey({ columns: [t.contractId, t.day] })],
);

export const maintenanceClocks = pgTable("maintenance_clocks", {
  id: uuid().primaryKey(),
  contractId: contractId(),
  customerId: customerId(),
  startedAt: time("started_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  state: text().$type<"running" | "stopped" | "expired">().notNull(),
  endedAt: time("ended_at"),
  /** How many of its three notices are written. */
  notices: smallint().notNull(),
});

export const contractEndings = pgTable("contract_endings", {
  contractId: uuid("contract_id")
    .primaryKey()
    .references(() => contracts.id),
  customerId: customerId(),
  reason: text().$type<"served" | "unpaid-maintenance">().notNull(),
  endedAt: time("ended_at").notNull(),
  /** Null: days of it are still to be worked out. */
  servedDays: integer("served_days"),
  refundedUnits: amount("refunded_units"),
  forfeitedUnits: amount("forfeited_units"),
  settledAt: time("settled_at"),
  toldAt: time("told_at"),
});

export const inactivityNotices = pgTable("inactivity_notices", {
  id: uuid().primaryKey(),
  customerId: customerId(),
  inactiveSince: date("inactive_since").notNull(),
  noticedAt: time("noticed_at").notNull(),
  firstFeeDay: date("first_fee_day").notNull(),
  endedAt: time("ended_at"),
  toldAt: time("told_at"),
});

export const inactivityFees = pgTable(
  "inactivity_fees",
  {
    customerId: customerId(),
    day: date()
      .notNull()
      .references(() => miningRuns.day),
    noticeId: uuid("notice_id")
      .notNull()
      .references(() => inactivityNotices.id),
    balanceSats: amount("balance_sats").notNull(),
    feeSats: amount("fee_sats").notNull(),
    usdMicros: amount("usd_micros").notNull(),
    totalUsdMicros: amount("total_usd_micros").notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.day] })],
);

export const digestChoices = pgTable("digest_choices", {
  customerId: uuid("customer_id")
    .primaryKey()
    .references(() => customers.id),
  every: text().$type<DigestEvery>().notNull(),
  chosenAt: time("chosen_at").notNull(),
});

export const digestSweeps = pgTable(
  "digest_sweeps",
  {
    every: text().$type<Exclude<DigestEvery, "off">>().notNull(),
    fromDay: date("from_day").notNull(),
    throughDay: date("through_day").notNull(),
    afterCustomerId: uuid("after_customer_id").notNull(),
    doneAt: time("done_at"),
  },
  (t) => [primaryKey({ columns: [t.every, t.throughDay] })],
);
