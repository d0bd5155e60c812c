import { integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { customers } from "../identity/schema.ts";
import { bytes, time } from "../platform/columns.ts";
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
