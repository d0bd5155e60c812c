// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, time } from "#server/platform/columns.ts";
import { bigint, boolean, date, integer, numeric, pgTable, pgView, smallint, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const miningSettings = pgTable("mining_settings", {
  number: bigint("number", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
  byItself: boolean("by_itself").notNull(),
  mostDeviationPpm: integer("most_deviation_ppm").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const miningRuns = pgTable("mining_runs", {
  day: date("day").notNull(),
  state: text("state").$type<"posting" | "posted">().notNull().default(sql`default`),
  payoutSats: amount("payout_sats").notNull(),
  carriedSats: amount("carried_sats").notNull(),
  distributableSats: amount("distributable_sats").notNull(),
  deliveredGhs: amount("delivered_ghs").notNull(),
  activeGhs: amount("active_ghs").notNull(),
  sharedGhs: amount("shared_ghs").notNull(),
  servedPpm: bigint("served_ppm", { mode: "bigint" }).notNull(),
  cumulativeServedPpm: bigint("cumulative_served_ppm", { mode: "bigint" }).notNull(),
  contracts: integer("contracts").notNull(),
  customers: integer("customers").notNull(),
  priceId: uuid("price_id").notNull(),
  btcUsdE8: numeric("btc_usd_e8", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  priceObservedAt: time("price_observed_at").notNull(),
  networkObservedAt: time("network_observed_at"),
  difficulty: numeric("difficulty", { precision: 40, scale: 0, mode: "bigint" }),
  subsidySats: amount("subsidy_sats"),
  feesPerBlockSats: amount("fees_per_block_sats"),
  startedAt: time("started_at").notNull(),
  postedAt: time("posted_at"),
  actionId: uuid("action_id"),
  creditedSats: amount("credited_sats").notNull().default(sql`default`),
  operatorShareSats: amount("operator_share_sats"),
  feesDueSats: amount("fees_due_sats"),
  feesPaidSats: amount("fees_paid_sats"),
  remainderSats: amount("remainder_sats"),
  reservedSats: amount("reserved_sats").notNull().default(sql`default`),
  inactivitySats: amount("inactivity_sats"),
  earnedBtcUnits: amount("earned_btc_units"),
  earnedEthUnits: amount("earned_eth_units"),
  earnedUsdtUnits: amount("earned_usdt_units"),
});

export const miningRunPayouts = pgTable("mining_run_payouts", {
  day: date("day").notNull(),
  payoutId: uuid("payout_id").notNull(),
});

export const miningRunPlans = pgTable("mining_run_plans", {
  day: date("day").notNull(),
  planVersionId: uuid("plan_version_id").notNull(),
  maintenanceUsdMicros: amount("maintenance_usd_micros").notNull(),
  contracts: integer("contracts").notNull(),
  ghs: amount("ghs").notNull(),
});

export const miningCorrections = pgTable("mining_corrections", {
  payoutId: uuid("payout_id").notNull(),
  day: date("day").notNull(),
  number: integer("number").notNull(),
  state: text("state").$type<"posting" | "posted">().notNull().default(sql`default`),
  payoutSats: amount("payout_sats").notNull(),
  distributableSats: amount("distributable_sats").notNull(),
  deliveredGhs: amount("delivered_ghs").notNull(),
  sharedGhs: amount("shared_ghs").notNull(),
  payoutChangeSats: amount("payout_change_sats").notNull(),
  customersChangeSats: amount("customers_change_sats").notNull().default(sql`default`),
  lostSats: amount("lost_sats").notNull().default(sql`default`),
  reservedSats: amount("reserved_sats").notNull().default(sql`default`),
  operatorChangeSats: amount("operator_change_sats"),
  startedAt: time("started_at").notNull(),
  postedAt: time("posted_at"),
});

export const miningChunks = pgTable("mining_chunks", {
  id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
  day: date("day").notNull(),
  correctionId: uuid("correction_id"),
  number: integer("number").notNull(),
  firstCustomerId: uuid("first_customer_id").notNull(),
  lastCustomerId: uuid("last_customer_id").notNull(),
  postedAt: time("posted_at"),
  feesDueSats: amount("fees_due_sats"),
  feesPaidSats: amount("fees_paid_sats"),
  earnedBtcUnits: amount("earned_btc_units"),
  earnedEthUnits: amount("earned_eth_units"),
  earnedUsdtUnits: amount("earned_usdt_units"),
  setApartAt: time("set_apart_at"),
  error: text("error"),
  tries: integer("tries").notNull().default(sql`default`),
  retryAt: time("retry_at").notNull().default(sql`default`),
  reservedSats: amount("reserved_sats"),
  toldAt: time("told_at"),
});

export const miningContractDays = pgTable("mining_contract_days", {
  contractId: uuid("contract_id").notNull(),
  day: date("day").notNull(),
  customerId: uuid("customer_id").notNull(),
  ghs: amount("ghs").notNull(),
  creditSats: amount("credit_sats").notNull(),
  feeSats: amount("fee_sats").notNull(),
  feePaid: boolean("fee_paid").notNull(),
  creditedSats: amount("credited_sats").notNull(),
  creditedUsdMicros: amount("credited_usd_micros").notNull(),
  feesSats: amount("fees_sats").notNull(),
  feesUsdMicros: amount("fees_usd_micros").notNull(),
});

export const miningCustomerDays = pgTable("mining_customer_days", {
  customerId: uuid("customer_id").notNull(),
  day: date("day").notNull(),
  contracts: integer("contracts").notNull(),
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
});

export const miningContractCorrections = pgTable("mining_contract_corrections", {
  contractId: uuid("contract_id").notNull(),
  day: date("day").notNull(),
  payoutId: uuid("payout_id").notNull(),
  creditSats: amount("credit_sats").notNull(),
  changeSats: amount("change_sats").notNull(),
});

export const miningCustomerCorrections = pgTable("mining_customer_corrections", {
  customerId: uuid("customer_id").notNull(),
  day: date("day").notNull(),
  payoutId: uuid("payout_id").notNull(),
  changeSats: amount("change_sats").notNull(),
  lostSats: amount("lost_sats").notNull(),
  usdMicros: amount("usd_micros").notNull(),
});

export const maintenanceArrears = pgTable("maintenance_arrears", {
  contractId: uuid("contract_id").notNull(),
  day: date("day").notNull(),
  customerId: uuid("customer_id").notNull(),
  boughtAt: time("bought_at").notNull(),
  feeSats: amount("fee_sats").notNull(),
  usdMicros: amount("usd_micros").notNull(),
  postedAt: time("posted_at").notNull(),
  state: text("state").$type<"open" | "collected" | "lapsed">().notNull().default(sql`default`),
  closedAt: time("closed_at"),
  transferId: uuid("transfer_id"),
});

export const maintenanceClocks = pgTable("maintenance_clocks", {
  id: uuid("id").notNull(),
  contractId: uuid("contract_id").notNull(),
  customerId: uuid("customer_id").notNull(),
  startedAt: time("started_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  state: text("state").$type<"running" | "stopped" | "expired">().notNull().default(sql`default`),
  endedAt: time("ended_at"),
  notices: smallint("notices").notNull().default(sql`default`),
  stood: text("stood").notNull().default(sql`default`),
});

export const inactivityNotices = pgTable("inactivity_notices", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  inactiveSince: date("inactive_since").notNull(),
  noticedAt: time("noticed_at").notNull(),
  firstFeeDay: date("first_fee_day").notNull(),
  endedAt: time("ended_at"),
  toldAt: time("told_at"),
});

export const inactivityFees = pgTable("inactivity_fees", {
  customerId: uuid("customer_id").notNull(),
  day: date("day").notNull(),
  noticeId: uuid("notice_id").notNull(),
  balanceSats: amount("balance_sats").notNull(),
  feeSats: amount("fee_sats").notNull(),
  usdMicros: amount("usd_micros").notNull(),
  totalUsdMicros: amount("total_usd_micros").notNull(),
});

export const contractEndings = pgTable("contract_endings", {
  contractId: uuid("contract_id").notNull(),
  customerId: uuid("customer_id").notNull(),
  reason: text("reason").$type<"served" | "unpaid-maintenance">().notNull(),
  endedAt: time("ended_at").notNull(),
  servedDays: integer("served_days"),
  refundedUnits: amount("refunded_units"),
  forfeitedUnits: amount("forfeited_units"),
  settledAt: time("settled_at"),
  toldAt: time("told_at"),
});

export const contractResults = pgTable("contract_results", {
  contractId: uuid("contract_id").notNull(),
  planVersionId: uuid("plan_version_id").notNull(),
  usdMicros: amount("usd_micros").notNull(),
  usdCents: amount("usd_cents").notNull(),
  cents: amount("cents").notNull(),
  isBelow: boolean("is_below").notNull(),
});

export const planResults = pgTable("plan_results", {
  planVersionId: uuid("plan_version_id").notNull(),
  cents: amount("cents").notNull(),
  contracts: bigint("contracts", { mode: "bigint" }).notNull(),
  below: bigint("below", { mode: "bigint" }).notNull(),
  usdCents: amount("usd_cents").notNull(),
  belowUsdCents: amount("below_usd_cents").notNull(),
  usdMicros: amount("usd_micros").notNull(),
});

export const planRecords = pgTable("plan_records", {
  planVersionId: uuid("plan_version_id").notNull(),
  ended: bigint("ended", { mode: "bigint" }).notNull(),
  below: bigint("below", { mode: "bigint" }).notNull(),
  usdCents: amount("usd_cents").notNull(),
  belowUsdCents: amount("below_usd_cents").notNull(),
  usdMicros: amount("usd_micros").notNull(),
  medianCents: amount("median_cents").notNull(),
  p10Cents: amount("p10_cents").notNull(),
  p90Cents: amount("p90_cents").notNull(),
});

export const digestChoices = pgTable("digest_choices", {
  customerId: uuid("customer_id").notNull(),
  every: text("every").$type<"off" | "day" | "week" | "month">().notNull(),
  chosenAt: time("chosen_at").notNull(),
});

export const digestSweeps = pgTable("digest_sweeps", {
  every: text("every").$type<"day" | "week" | "month">().notNull(),
  fromDay: date("from_day").notNull(),
  throughDay: date("through_day").notNull(),
  afterCustomerId: uuid("after_customer_id").notNull().default(sql`default`),
  doneAt: time("done_at"),
});

export const miningFailures = pgTable("mining_failures", {
  customerId: uuid("customer_id").notNull(),
  work: text("work").$type<"arrears" | "clocks" | "endings" | "inactivity">().notNull(),
  error: text("error").notNull(),
  failedAt: time("failed_at").notNull(),
  tries: integer("tries").notNull(),
  retryAt: time("retry_at").notNull(),
  toldAt: time("told_at"),
});

export const miningCustomersApart = pgView("mining_customers_apart", {
  customerId: uuid("customer_id"),
  work: text("work"),
  day: date("day"),
  error: text("error"),
  failedAt: time("failed_at"),
  tries: integer("tries"),
  retryAt: time("retry_at"),
  reservedSats: text("reserved_sats"),
  toldAt: time("told_at"),
}).existing();
