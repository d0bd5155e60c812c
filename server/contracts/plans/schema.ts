import { auditLog } from "#server/identity/schema.ts";
import { amount, time } from "#server/platform/columns.ts";
import { integer, pgTable, text, unique, uuid } from "#server/platform/tables.ts";

export const plans = pgTable("plans", {
  id: uuid().primaryKey(),
  slug: text().notNull().unique("one_plan_per_slug"),
  createdAt: time("created_at").notNull(),
  actionId: uuid("action_id")
    .notNull()
    .references(() => auditLog.id),
});

export const planVersions = pgTable(
  "plan_versions",
  {
    id: uuid().primaryKey(),
    planId: uuid("plan_id")
      .notNull()
      .references(() => plans.id),
    version: integer().notNull(),
    name: text().notNull(),
    /** Of one unit. */
    unitGhs: amount("unit_ghs").notNull(),
    termDays: integer("term_days").notNull(),
    mostUnits: integer("most_units").notNull(),
    /** The most of the fleet under this plan at a time; null: whatever is free. */
    offeredGhs: amount("offered_ghs"),
    /** Of one unit for the whole term, and its parts. */
    priceUsdCents: amount("price_usd_cents").notNull(),
    machinesUsdCents: amount("machines_usd_cents").notNull(),
    setupUsdCents: amount("setup_usd_cents").notNull(),
    marginUsdCents: amount("margin_usd_cents").notNull(),
    /** Of one TH/s for one day in millionths of a dollar, and its parts. */
    maintenanceUsdMicros: amount("maintenance_usd_micros").notNull(),
    energyUsdMicros: amount("energy_usd_micros").notNull(),
    operationUsdMicros: amount("operation_usd_micros").notNull(),
    maintenanceMarginUsdMicros: amount("maintenance_margin_usd_micros").notNull(),
    termination: text().$type<"refund-unserved" | "forfeit">().notNull(),
    state: text().$type<"draft" | "published" | "retired">().notNull().default("draft"),
    createdAt: time("created_at").notNull(),
    createdActionId: uuid("created_action_id")
      .notNull()
      .references(() => auditLog.id),
    publishedAt: time("published_at"),
    publishedActionId: uuid("published_action_id").references(() => auditLog.id),
    retiredAt: time("retired_at"),
    retiredActionId: uuid("retired_action_id").references(() => auditLog.id),
  },
  (t) => [unique("one_version_per_number").on(t.planId, t.version)],
);
