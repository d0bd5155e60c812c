// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, bytes, time } from "#server/platform/columns.ts";
import { boolean, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const adjustmentEvidence = pgTable("adjustment_evidence", {
  id: uuid("id").notNull(),
  operatorId: uuid("operator_id").notNull(),
  fileKey: text("file_key").notNull(),
  originalName: text("original_name").notNull(),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  originalSha256: bytes("original_sha256").notNull(),
  sha256: bytes("sha256").notNull(),
  createdAt: time("created_at").notNull(),
  storedAt: time("stored_at"),
  usedAt: time("used_at"),
  discardedAt: time("discarded_at"),
  erasedAt: time("erased_at"),
});

export const adjustments = pgTable("adjustments", {
  id: uuid("id").notNull(),
  submissionKey: uuid("submission_key").notNull(),
  kind: text("kind").$type<"goodwill" | "subsidy" | "equity-funding" | "equity-drawing" | "wallet-transfer" | "reversal">().notNull(),
  customerId: uuid("customer_id"),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  units: amount("units").notNull(),
  reason: text("reason").notNull(),
  note: text("note").notNull().default(sql`default`),
  evidenceId: uuid("evidence_id"),
  txid: text("txid"),
  feeUnits: amount("fee_units"),
  isOnChain: boolean("is_on_chain").notNull().default(sql`default`),
  reverses: uuid("reverses"),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  state: text("state").$type<"open" | "approved" | "rejected" | "withdrawn">().notNull().default(sql`default`),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
  rejectionReason: text("rejection_reason"),
  transferId: uuid("transfer_id"),
});
