import type { DigestEvery } from "#core/notice-events.ts";
import { pgTable, text, uuid } from "#server/platform/tables.ts";
import { customers } from "../identity/schema.ts";
import { time } from "../platform/columns.ts";

// The tables of the run, of arrears and of clocks are not here: PostgreSQL's own functions write them, and
// queries.ts reads them by hand.

export const digestChoices = pgTable("digest_choices", {
  customerId: uuid("customer_id")
    .primaryKey()
    .references(() => customers.id),
  every: text().$type<DigestEvery>().notNull(),
  chosenAt: time("chosen_at").notNull(),
});
