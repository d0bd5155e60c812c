import { bigint, date, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { auditLog } from "../identity/schema.ts";
import { amount, time } from "../platform/columns.ts";

const actionId = () =>
  uuid("action_id")
    .notNull()
    .references(() => auditLog.id);
const number = () => bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity();

export const sites = pgTable("sites", {
  id: uuid().primaryKey(),
  name: text().notNull().unique("one_site_per_name"),
  place: text().notNull(),
  createdAt: time("created_at").notNull(),
  actionId: actionId(),
  /** The act of staff that gave it its present name and place; null: the first one. */
  changedActionId: uuid("changed_action_id").references(() => auditLog.id),
});

export const siteEnergyPrices = pgTable("site_energy_prices", {
  number: number(),
  siteId: uuid("site_id")
    .notNull()
    .references(() => sites.id),
  effectiveFrom: date("effective_from").notNull(),
  usdMicrosPerKwh: amount("usd_micros_per_kwh").notNull(),
  evidence: text().notNull(),
  createdAt: time("created_at").notNull(),
  actionId: actionId(),
});

export const machineBatches = pgTable("machine_batches", {
  id: uuid().primaryKey(),
  siteId: uuid("site_id")
    .notNull()
    .references(() => sites.id),
  model: text().notNull(),
  /** Of one machine, as its maker says. */
  nameplateGhs: amount("nameplate_ghs").notNull(),
  createdAt: time("created_at").notNull(),
  actionId: actionId(),
});

export const machineBatchStates = pgTable("machine_batch_states", {
  number: number(),
  batchId: uuid("batch_id")
    .notNull()
    .references(() => machineBatches.id),
  effectiveFrom: date("effective_from").notNull(),
  machines: integer().notNull(),
  /** Of one machine, on average. */
  measuredGhs: amount("measured_ghs").notNull(),
  powerWatts: integer("power_watts").notNull(),
  evidence: text().notNull(),
  createdAt: time("created_at").notNull(),
  actionId: actionId(),
});

export const outages = pgTable("outages", {
  id: uuid().primaryKey(),
  siteId: uuid("site_id")
    .notNull()
    .references(() => sites.id),
  batchId: uuid("batch_id").references(() => machineBatches.id),
  startedAt: time("started_at").notNull(),
  endedAt: time("ended_at"),
  lostGhs: amount("lost_ghs").notNull(),
  reason: text().notNull(),
  createdAt: time("created_at").notNull(),
  actionId: actionId(),
  endActionId: uuid("end_action_id").references(() => auditLog.id),
  /** The row that this one replaces, and why. */
  corrects: uuid(),
  correctionReason: text("correction_reason"),
  withdrawnAt: time("withdrawn_at"),
  withdrawalReason: text("withdrawal_reason"),
  withdrawalActionId: uuid("withdrawal_action_id").references(() => auditLog.id),
});
