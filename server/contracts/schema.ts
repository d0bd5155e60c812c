import type { Coin } from "#core/asset.ts";
import { date, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { auditLog, customers } from "../identity/schema.ts";
import { ledgerTransfers } from "../ledger/schema.ts";
import { marketPrices } from "../markets/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";
import { planVersions } from "./plans/schema.ts";

const customerId = () =>
  uuid("customer_id")
    .notNull()
    .references(() => customers.id);
const planVersionId = () =>
  uuid("plan_version_id")
    .notNull()
    .references(() => planVersions.id);

export const contractQuotes = pgTable("contract_quotes", {
  id: uuid().primaryKey(),
  customerId: customerId(),
  planVersionId: planVersionId(),
  quantity: integer().notNull(),
  usdCents: amount("usd_cents").notNull(),
  coin: text().$type<Coin>().notNull(),
  units: amount("units").notNull(),
  priceId: uuid("price_id")
    .notNull()
    .references(() => marketPrices.id),
  quotedAt: time("quoted_at").notNull(),
  expiresAt: time("expires_at").notNull(),
});

export const contracts = pgTable("contracts", {
  id: uuid().primaryKey(),
  customerId: customerId(),
  planVersionId: planVersionId(),
  quoteId: uuid("quote_id")
    .notNull()
    .references(() => contractQuotes.id)
    .unique("one_contract_per_quote"),
  quantity: integer().notNull(),
  ghs: amount("ghs").notNull(),
  termDays: integer("term_days").notNull(),
  usdCents: amount("usd_cents").notNull(),
  coin: text().$type<Coin>().notNull(),
  units: amount("units").notNull(),
  transferId: uuid("transfer_id")
    .notNull()
    .references(() => ledgerTransfers.id)
    .unique("one_contract_per_transfer"),
  termsVersion: text("terms_version").notNull(),
  termsSha256: bytes("terms_sha256").notNull(),
  boughtAt: time("bought_at").notNull(),
  /** Until when it can be given back; null: only a first purchase can. */
  coolingOffUntil: time("cooling_off_until"),
  /** The UTC days that it was sold for. Downtime makes it run on. */
  startsOn: date("starts_on").notNull(),
  plannedLastDay: date("planned_last_day").notNull(),
  /** The last UTC day served, once known; the day before the first when none was. */
  lastDay: date("last_day"),
  endReason: text("end_reason").$type<"served" | "unpaid-maintenance" | "given-back">(),
  endedAt: time("ended_at"),
});

export const maintenanceChanges = pgTable("maintenance_changes", {
  id: uuid().primaryKey(),
  planVersionId: planVersionId(),
  effectiveFrom: date("effective_from").notNull(),
  usdMicros: amount("usd_micros").notNull(),
  reason: text().notNull(),
  announcedAt: time("announced_at").notNull(),
  actionId: uuid("action_id")
    .notNull()
    .references(() => auditLog.id),
  withdrawnAt: time("withdrawn_at"),
  withdrawnActionId: uuid("withdrawn_action_id").references(() => auditLog.id),
});

/** Links that show one receipt to whoever has them, until they are taken back. */
export const receiptLinks = pgTable("receipt_links", {
  token: text().primaryKey(),
  contractId: uuid("contract_id")
    .notNull()
    .references(() => contracts.id),
  day: date().notNull(),
  createdAt: time("created_at").notNull(),
  endedAt: time("ended_at"),
});
