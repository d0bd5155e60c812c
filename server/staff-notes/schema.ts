import type { FlagKind } from "#core/people/customer-flags.ts";
import { pgTable, text, uuid } from "#server/platform/tables.ts";
import { auditLog, customers, operators } from "../identity/schema.ts";
import { time } from "../platform/columns.ts";

export const staffNotes = pgTable("staff_notes", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  body: text().notNull(),
  writtenBy: uuid("written_by")
    .notNull()
    .references(() => operators.id),
  writtenByAct: uuid("written_by_act")
    .notNull()
    .references(() => auditLog.id),
  writtenAt: time("written_at").notNull(),
});

export const customerFlags = pgTable("customer_flags", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  kind: text().$type<FlagKind>().notNull(),
  reason: text().notNull(),
  raisedBy: uuid("raised_by")
    .notNull()
    .references(() => operators.id),
  raisedByAct: uuid("raised_by_act")
    .notNull()
    .references(() => auditLog.id),
  raisedAt: time("raised_at").notNull(),
  endsAt: time("ends_at").notNull(),
  liftedBy: uuid("lifted_by").references(() => operators.id),
  liftedByAct: uuid("lifted_by_act").references(() => auditLog.id),
  liftedAt: time("lifted_at"),
});
