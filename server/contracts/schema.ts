// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, bytes, time } from "#server/platform/columns.ts";
import { bigint, date, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const plans = pgTable("plans", {
  id: uuid("id").notNull(),
  slug: text("slug").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const planVersions = pgTable("plan_versions", {
  id: uuid("id").notNull(),
  planId: uuid("plan_id").notNull(),
  version: integer("version").notNull(),
  name: text("name").notNull(),
  unitGhs: amount("unit_ghs").notNull(),
  termDays: integer("term_days").notNull(),
  mostUnits: integer("most_units").notNull(),
  offeredGhs: amount("offered_ghs"),
  priceUsdCents: amount("price_usd_cents").notNull(),
  machinesUsdCents: amount("machines_usd_cents").notNull(),
  setupUsdCents: amount("setup_usd_cents").notNull(),
  marginUsdCents: amount("margin_usd_cents").notNull(),
  maintenanceUsdMicros: amount("maintenance_usd_micros").notNull(),
  energyUsdMicros: amount("energy_usd_micros").notNull(),
  operationUsdMicros: amount("operation_usd_micros").notNull(),
  maintenanceMarginUsdMicros: amount("maintenance_margin_usd_micros").notNull(),
  termination: text("termination").$type<"refund-unserved" | "forfeit">().notNull(),
  state: text("state").$type<"draft" | "published" | "retired">().notNull().default(sql`default`),
  createdAt: time("created_at").notNull(),
  createdActionId: uuid("created_action_id").notNull(),
  publishedAt: time("published_at"),
  publishedActionId: uuid("published_action_id"),
  retiredAt: time("retired_at"),
  retiredActionId: uuid("retired_action_id"),
});

export const contractQuotes = pgTable("contract_quotes", {
  id: uuid("id").notNull(),
  orderId: uuid("order_id").notNull(),
  customerId: uuid("customer_id").notNull(),
  planVersionId: uuid("plan_version_id").notNull(),
  quantity: integer("quantity").notNull(),
  usdCents: amount("usd_cents").notNull(),
  coin: text("coin").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  priceId: uuid("price_id").notNull(),
  quotedAt: time("quoted_at").notNull(),
  expiresAt: time("expires_at").notNull(),
});

export const contracts = pgTable("contracts", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  planVersionId: uuid("plan_version_id").notNull(),
  quoteId: uuid("quote_id").notNull(),
  orderId: uuid("order_id").notNull(),
  quantity: integer("quantity").notNull(),
  ghs: amount("ghs").notNull(),
  termDays: integer("term_days").notNull(),
  usdCents: amount("usd_cents").notNull(),
  coin: text("coin").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  transferId: uuid("transfer_id").notNull(),
  termsVersion: text("terms_version").notNull(),
  termsSha256: bytes("terms_sha256").notNull(),
  boughtAt: time("bought_at").notNull(),
  coolingOffUntil: time("cooling_off_until"),
  startsOn: date("starts_on").notNull(),
  plannedLastDay: date("planned_last_day").notNull(),
  lastDay: date("last_day"),
  endReason: text("end_reason").$type<"served" | "unpaid-maintenance" | "given-back">(),
  endedAt: time("ended_at"),
});

export const maintenanceChanges = pgTable("maintenance_changes", {
  id: uuid("id").notNull(),
  planVersionId: uuid("plan_version_id").notNull(),
  effectiveFrom: date("effective_from").notNull(),
  usdMicros: amount("usd_micros").notNull(),
  reason: text("reason").notNull(),
  announcedAt: time("announced_at").notNull(),
  actionId: uuid("action_id").notNull(),
  madeAt: time("made_at").notNull().default(sql`default`),
  withdrawnAt: time("withdrawn_at"),
  withdrawnActionId: uuid("withdrawn_action_id"),
});

export const receiptLinks = pgTable("receipt_links", {
  token: text("token").notNull(),
  contractId: uuid("contract_id").notNull(),
  day: date("day").notNull(),
  createdAt: time("created_at").notNull(),
  endedAt: time("ended_at"),
});

export const soldHashrate = pgTable("sold_hashrate", {
  planVersionId: uuid("plan_version_id").notNull(),
  ghs: amount("ghs").notNull(),
  contracts: bigint("contracts", { mode: "bigint" }).notNull(),
});
