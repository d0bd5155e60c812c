// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { pgTable, text, uuid } from "#server/platform/tables.ts";
import { time } from "#server/platform/columns.ts";

export const notices = pgTable("notices", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  key: text("key").notNull(),
  kind: text("kind").notNull(),
  title: text("title").notNull(),
  body: text("body").notNull(),
  path: text("path").notNull(),
  createdAt: time("created_at").notNull(),
  readAt: time("read_at"),
});
