// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { boolean, integer, pgTable, text } from "#server/platform/tables.ts";
import { time } from "#server/platform/columns.ts";

export const backupMarks = pgTable("backup_marks", {
  of: text("of").$type<"backup" | "wal" | "drill" | "begun">().notNull(),
  at: time("at").notNull(),
  upTo: time("up_to"),
  seconds: integer("seconds"),
  holds: boolean("holds"),
});
