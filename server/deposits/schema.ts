// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, bytes, time } from "#server/platform/columns.ts";
import { boolean, date, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const depositSlips = pgTable("deposit_slips", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  fileKey: text("file_key").notNull(),
  originalName: text("original_name").notNull(),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  originalSha256: bytes("original_sha256").notNull(),
  sha256: bytes("sha256").notNull(),
  createdAt: time("created_at").notNull(),
  storedAt: time("stored_at"),
  submittedAt: time("submitted_at"),
  discardedAt: time("discarded_at"),
  erasedAt: time("erased_at"),
});

export const deposits = pgTable("deposits", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  submissionKey: uuid("submission_key").notNull(),
  method: text("method").$type<"Bitcoin" | "Ethereum" | "USDT">().notNull(),
  declaredOn: date("declared_on").notNull(),
  claimedUsdCents: amount("claimed_usd_cents"),
  usdCents: amount("usd_cents"),
  slipId: uuid("slip_id"),
  createdAt: time("created_at").notNull(),
  state: text("state").$type<"pending" | "approved" | "rejected" | "orphaned" | "reversed">().notNull().default(sql`default`),
  imageUrl: text("image_url"),
  quantityUnits: amount("quantity_units"),
  txid: text("txid"),
  outputIndex: integer("output_index"),
  transferId: uuid("transfer_id"),
  rejectionReason: text("rejection_reason"),
  reviewedAt: time("reviewed_at"),
  reviewActionId: uuid("review_action_id"),
  paymentId: uuid("payment_id"),
  confirmations: integer("confirmations"),
  paymentPriceId: uuid("payment_price_id"),
  orphanedAt: time("orphaned_at"),
  heldUnits: amount("held_units").notNull().default(sql`default`),
  reversalId: uuid("reversal_id"),
  priceId: uuid("price_id"),
  finalized: boolean("finalized").notNull().default(sql`default`),
  resolutionId: uuid("resolution_id"),
  aloneAt: time("alone_at"),
});

export const depositApprovals = pgTable("deposit_approvals", {
  id: uuid("id").notNull(),
  depositId: uuid("deposit_id").notNull(),
  quantityUnits: amount("quantity_units").notNull(),
  txid: text("txid").notNull(),
  outputIndex: integer("output_index"),
  usdCents: amount("usd_cents").notNull(),
  state: text("state").$type<"open" | "confirmed" | "declined" | "overtaken">().notNull().default(sql`default`),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
});

export const paymentResolutions = pgTable("payment_resolutions", {
  id: uuid("id").notNull(),
  says: text("says").$type<"customers" | "operators" | "set-aside" | "mistaken">().notNull(),
  depositId: uuid("deposit_id"),
  reason: text("reason").notNull(),
  state: text("state").$type<"open" | "confirmed" | "declined">().notNull().default(sql`default`),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
});

export const resolvedPayments = pgTable("resolved_payments", {
  resolutionId: uuid("resolution_id").notNull(),
  paymentId: uuid("payment_id").notNull(),
});
