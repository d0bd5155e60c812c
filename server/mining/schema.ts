import type { DigestEvery } from "#core/notice-events.ts";
import { pgTable, text, uuid } from "#server/platform/tables.ts";
import { customers } from "../identity/schema.ts";
import { time } from "../platform/columns.ts";

// The tables of the daily run, of arrears and of grace periods are not here: PostgreSQL's own functions write them, and
// readers with SQL of their own read them.

export const digestChoices = pgTable("digest_choices", {
  customerId: uuid("customer_id")
    .primaryKey()
    .references(() => customers.id),
  every: text().$type<DigestEvery>().notNull(),
  chosenAt: time("chosen_at").notNull(),
});
