import type { Coin } from "#core/asset.ts";
import { boolean, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { customers } from "../identity/schema.ts";
import { ledgerTransfers } from "../ledger/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";
import type { ClosingState } from "./closing.ts";

export const dataExports = pgTable("data_exports", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  state: text().$type<"asked" | "ready" | "ended">().notNull().default("asked"),
  askedAt: time("asked_at").notNull(),
  /** Null: there is no file yet, or no longer. */
  fileKey: text("file_key").unique("one_export_per_file"),
  /** What the file is encrypted with. */
  secret: bytes(),
  byteSize: integer("byte_size"),
  readyAt: time("ready_at"),
  expiresAt: time("expires_at"),
  endedAt: time("ended_at"),
});

/** What a customer who leaves gave up, because it was not worth sending, or no transaction can carry so little. */
export const leftRemainders = pgTable("left_remainders", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  closingId: uuid("closing_id")
    .notNull()
    .references(() => accountClosings.id),
  asset: text().$type<Coin>().notNull(),
  units: amount("units").notNull(),
  /** The most that could be left of the coin then. */
  mostUnits: amount("most_units").notNull(),
  /** It arrived after its owner had left a remainder of the coin, and went as the account closed. */
  follows: boolean().notNull().default(false),
  leftAt: time("left_at").notNull(),
  transferId: uuid("transfer_id")
    .notNull()
    .references(() => ledgerTransfers.id),
});

export const accountClosings = pgTable("account_closings", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  state: text().$type<ClosingState>().notNull(),
  askedAt: time("asked_at").notNull(),
  closedAt: time("closed_at"),
  eraseAfter: time("erase_after"),
  returnTokenSha256: bytes("return_token_sha256").unique("one_closing_per_token"),
  endedAt: time("ended_at"),
});
