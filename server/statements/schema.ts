// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, bytes, time } from "#server/platform/columns.ts";
import { date, integer, pgTable, text, uuid } from "#server/platform/tables.ts";

export const issuedStatements = pgTable("issued_statements", {
  id: uuid("id").notNull(),
  code: text("code").notNull(),
  customerId: uuid("customer_id").notNull(),
  period: text("period").$type<"month" | "year" | "tax-year">().notNull(),
  fromDay: date("from_day").notNull(),
  throughDay: date("through_day").notNull(),
  entries: integer("entries").notNull(),
  sha256: bytes("sha256").notNull(),
  issuedAt: time("issued_at").notNull(),
});

export const issuedStatementCoins = pgTable("issued_statement_coins", {
  statementId: uuid("statement_id").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  openingUnits: amount("opening_units").notNull(),
  inUnits: amount("in_units").notNull(),
  outUnits: amount("out_units").notNull(),
  closingUnits: amount("closing_units").notNull(),
});
