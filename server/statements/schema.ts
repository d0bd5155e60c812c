import type { Coin } from "#core/asset.ts";
import type { PeriodKind } from "#core/payments/statement-period.ts";
import { date, integer, pgTable, primaryKey, text, uuid } from "#server/platform/tables.ts";
import { customers } from "../identity/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";

export const issuedStatements = pgTable("issued_statements", {
  id: uuid().primaryKey(),
  code: text().notNull().unique("one_issued_statement_per_code"),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  period: text().$type<PeriodKind>().notNull(),
  fromDay: date("from_day").notNull(),
  throughDay: date("through_day").notNull(),
  entries: integer().notNull(),
  /** Over the entries and balances. */
  sha256: bytes().notNull(),
  issuedAt: time("issued_at").notNull(),
});

export const issuedStatementCoins = pgTable(
  "issued_statement_coins",
  {
    statementId: uuid("statement_id")
      .notNull()
      .references(() => issuedStatements.id),
    asset: text().$type<Coin>().notNull(),
    openingUnits: amount("opening_units").notNull(),
    inUnits: amount("in_units").notNull(),
    outUnits: amount("out_units").notNull(),
    closingUnits: amount("closing_units").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_row_per_statement_and_coin", columns: [t.statementId, t.asset] }),
  ],
);
