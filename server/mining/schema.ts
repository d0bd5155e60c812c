import type { DigestEvery } from "#core/notice-events.ts";
import { date, pgTable, primaryKey, text, uuid } from "#server/platform/tables.ts";
import { customers } from "../identity/schema.ts";
import { time } from "../platform/columns.ts";

// The tables of the run, of arrears and of clocks are not here: PostgreSQL's own functions write them (migration 0022), and
// queries.ts reads them by hand.

export const digestChoices = pgTable("digest_choices", {
  customerId: uuid("customer_id")
    .primaryKey()
    .references(() => customers.id),
  every: text().$type<DigestEvery>().notNull(),
  chosenAt: time("chosen_at").notNull(),
});

export const digestSweeps = pgTable(
  "digest_sweeps",
  {
    every: text().$type<Exclude<DigestEvery, "off">>().notNull(),
    fromDay: date("from_day").notNull(),
    throughDay: date("through_day").notNull(),
    /** The last customer who was told. */
    afterCustomerId: uuid("after_customer_id").notNull(),
    doneAt: time("done_at"),
  },
  (t) => [primaryKey({ columns: [t.every, t.throughDay] })],
);
