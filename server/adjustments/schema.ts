import type { Coin } from "#core/asset.ts";
import type { AdjustmentKind, AdjustmentState } from "#core/payments/adjustments.ts";
import { boolean, integer, pgTable, text, unique, uuid } from "#server/platform/tables.ts";
import { customers, decidedByTwo, operators } from "../identity/schema.ts";
import { ledgerTransfers } from "../ledger/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";

export const adjustmentEvidence = pgTable("adjustment_evidence", {
  id: uuid().primaryKey(),
  operatorId: uuid("operator_id")
    .notNull()
    .references(() => operators.id),
  fileKey: text("file_key").notNull().unique("one_piece_of_evidence_per_file"),
  originalName: text("original_name").notNull(),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  originalSha256: bytes("original_sha256").notNull(),
  sha256: bytes().notNull(),
  createdAt: time("created_at").notNull(),
  /** Null: the file is on its way. */
  storedAt: time("stored_at"),
  /** When it became part of a proposal; null: a draft. */
  usedAt: time("used_at"),
  /** Set: nobody may use it any more, and its file is being deleted. */
  discardedAt: time("discarded_at"),
  /** Set: file and name are gone, the hashes are not. */
  erasedAt: time("erased_at"),
});

export const adjustments = pgTable(
  "adjustments",
  {
    id: uuid().primaryKey(),
    submissionKey: uuid("submission_key").notNull(),
    kind: text().$type<AdjustmentKind>().notNull(),
    /** Null: the house. */
    customerId: uuid("customer_id").references(() => customers.id),
    asset: text().$type<Coin>().notNull(),
    units: amount("units").notNull(),
    reason: text().notNull(),
    note: text().notNull().default(""),
    evidenceId: uuid("evidence_id")
      .references(() => adjustmentEvidence.id)
      .unique("one_adjustment_per_evidence"),
    txid: text(),
    /** What the network took for what we sent, in its own coin. */
    feeUnits: amount("fee_units"),
    /** Whether a node showed the transaction with this fee. */
    isOnChain: boolean("is_on_chain").notNull().default(false),
    reverses: uuid(),
    state: text().$type<AdjustmentState>().notNull().default("open"),
    ...decidedByTwo(),
    rejectionReason: text("rejection_reason"),
    transferId: uuid("transfer_id")
      .references(() => ledgerTransfers.id)
      .unique("one_adjustment_per_transfer"),
  },
  (t) => [unique("one_adjustment_per_submission").on(t.proposedBy, t.submissionKey)],
);
