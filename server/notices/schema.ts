import { pgTable, text, uuid } from "#server/platform/tables.ts";
import { customers } from "../identity/schema.ts";
import { time } from "../platform/columns.ts";

export const notices = pgTable("notices", {
  /** A UUID of version 7: the order in which they were written. */
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  key: text().notNull().unique("told_once"),
  kind: text().notNull(),
  title: text().notNull(),
  body: text().notNull(),
  /** Where it is about: a path of the account. */
  path: text().notNull(),
  createdAt: time("created_at").notNull(),
  readAt: time("read_at"),
});
