// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, time } from "#server/platform/columns.ts";
import { bigint, date, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const sites = pgTable("sites", {
  id: uuid("id").notNull(),
  name: text("name").notNull(),
  place: text("place").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
  changedActionId: uuid("changed_action_id"),
});

export const siteEnergyPrices = pgTable("site_energy_prices", {
  number: bigint("number", { mode: "bigint" }).notNull().generatedAlwaysAs(sql``),
  siteId: uuid("site_id").notNull(),
  effectiveFrom: date("effective_from").notNull(),
  usdMicrosPerKwh: amount("usd_micros_per_kwh").notNull(),
  evidence: text("evidence").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const machineDeliveries = pgTable("machine_deliveries", {
  id: uuid("id").notNull(),
  siteId: uuid("site_id").notNull(),
  model: text("model").notNull(),
  nameplateGhs: amount("nameplate_ghs").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
  recordedAt: time("recorded_at").notNull().default(sql`default`),
});

export const machineDeliveryStates = pgTable("machine_delivery_states", {
  number: bigint("number", { mode: "bigint" }).notNull().generatedAlwaysAs(sql``),
  deliveryId: uuid("delivery_id").notNull(),
  effectiveFrom: date("effective_from").notNull(),
  machines: integer("machines").notNull(),
  measuredGhs: amount("measured_ghs").notNull(),
  powerWatts: integer("power_watts").notNull(),
  evidence: text("evidence").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const outages = pgTable("outages", {
  id: uuid("id").notNull(),
  siteId: uuid("site_id").notNull(),
  deliveryId: uuid("delivery_id"),
  startedAt: time("started_at").notNull(),
  endedAt: time("ended_at"),
  lostGhs: amount("lost_ghs").notNull(),
  reason: text("reason").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
  endActionId: uuid("end_action_id"),
  corrects: uuid("corrects"),
  correctionReason: text("correction_reason"),
  withdrawnAt: time("withdrawn_at"),
  withdrawalReason: text("withdrawal_reason"),
  withdrawalActionId: uuid("withdrawal_action_id"),
});

export const fleetReserves = pgTable("fleet_reserves", {
  number: bigint("number", { mode: "bigint" }).notNull().generatedAlwaysAs(sql``),
  reservePpm: integer("reserve_ppm").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id").notNull(),
});

export const fleetDays = pgTable("fleet_days", {
  day: date("day").notNull(),
  capacityGhs: amount("capacity_ghs").notNull(),
  soldGhs: amount("sold_ghs").notNull().default(sql`default`),
  owedGhs: amount("owed_ghs").notNull().default(sql`default`),
});

export const capacityEvidence = pgTable("capacity_evidence", {
  day: date("day").notNull(),
  reportedGhs: amount("reported_ghs").notNull(),
  impliedGhs: amount("implied_ghs"),
  sellableGhs: amount("sellable_ghs"),
});
