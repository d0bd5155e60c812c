// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, bytes, time } from "#server/platform/columns.ts";
import { boolean, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const accountClosings = pgTable("account_closings", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  state: text("state").$type<"waiting" | "leaving" | "kept" | "erased">().notNull(),
  askedAt: time("asked_at").notNull(),
  closedAt: time("closed_at"),
  eraseAfter: time("erase_after"),
  returnTokenSha256: bytes("return_token_sha256"),
  endedAt: time("ended_at"),
});

export const dataExports = pgTable("data_exports", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  state: text("state").$type<"asked" | "ready" | "ended">().notNull().default(sql`default`),
  askedAt: time("asked_at").notNull(),
  fileKey: text("file_key"),
  secret: bytes("secret"),
  byteSize: integer("byte_size"),
  readyAt: time("ready_at"),
  expiresAt: time("expires_at"),
  endedAt: time("ended_at"),
});

export const leftRemainders = pgTable("left_remainders", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  closingId: uuid("closing_id").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  leftAt: time("left_at").notNull(),
  transferId: uuid("transfer_id").notNull(),
  mostUnits: amount("most_units").notNull(),
  follows: boolean("follows").notNull().default(sql`default`),
});
