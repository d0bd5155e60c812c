// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { pgTable, text, uuid } from "#server/platform/tables.ts";
import { time } from "#server/platform/columns.ts";

export const staffNotes = pgTable("staff_notes", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  body: text("body").notNull(),
  writtenBy: uuid("written_by").notNull(),
  writtenByAct: uuid("written_by_act").notNull(),
  writtenAt: time("written_at").notNull(),
});

export const customerFlags = pgTable("customer_flags", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  kind: text("kind").$type<"look-closer-at-deposits" | "look-closer-at-withdrawals" | "look-closer-at-identity" | "ask-an-owner-first">().notNull(),
  reason: text("reason").notNull(),
  raisedBy: uuid("raised_by").notNull(),
  raisedByAct: uuid("raised_by_act").notNull(),
  raisedAt: time("raised_at").notNull(),
  endsAt: time("ends_at").notNull(),
  liftedBy: uuid("lifted_by"),
  liftedByAct: uuid("lifted_by_act"),
  liftedAt: time("lifted_at"),
});
