import type { DepositMethod, DepositState } from "#core/payments/deposit.ts";
import type { Resolution } from "#core/payments/payment-resolution.ts";
import {
  boolean,
  date,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "#server/platform/tables.ts";
import { chainPayments } from "../chain/schema.ts";
import { auditLog, customers, decidedByTwo } from "../identity/schema.ts";
import { ledgerTransfers } from "../ledger/schema.ts";
import { marketPrices } from "../markets/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";

export const depositSlips = pgTable("deposit_slips", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  fileKey: text("file_key").notNull().unique("one_slip_per_file"),
  originalName: text("original_name").notNull(),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  originalSha256: bytes("original_sha256").notNull(),
  sha256: bytes().notNull(),
  createdAt: time("created_at").notNull(),
  /** Null: the file is on its way. */
  storedAt: time("stored_at"),
  /** When it became part of a deposit; null: a draft. */
  submittedAt: time("submitted_at"),
  /** Set: nobody may use it any more, and its file is being deleted. */
  discardedAt: time("discarded_at"),
  /** Set: the customer has left, and nothing of the picture is kept. */
  erasedAt: time("erased_at"),
});

export const deposits = pgTable(
  "deposits",
  {
    id: uuid().primaryKey(),
    customerId: uuid("customer_id")
      .notNull()
      .references(() => customers.id),
    submissionKey: uuid("submission_key").notNull(),
    method: text().$type<DepositMethod>().notNull(),
    declaredOn: date("declared_on").notNull(),
    /** Null: nobody claimed it, a payment brought it. */
    claimedUsdCents: amount("claimed_usd_cents"),
    /** Null: no fresh price has been there yet. */
    usdCents: amount("usd_cents"),
    slipId: uuid("slip_id").unique("one_deposit_per_slip"),
    createdAt: time("created_at").notNull(),
    state: text().$type<DepositState>().notNull().default("pending"),
    imageUrl: text("image_url"),
    quantityUnits: amount("quantity_units"),
    txid: text(),
    outputIndex: integer("output_index"),
    transferId: uuid("transfer_id")
      .references(() => ledgerTransfers.id)
      .unique("one_deposit_per_transfer"),
    /** Null: not approved, or no price was fresh then. */
    priceId: uuid("price_id").references(() => marketPrices.id),
    rejectionReason: text("rejection_reason"),
    reviewedAt: time("reviewed_at"),
    reviewActionId: uuid("review_action_id")
      .references(() => auditLog.id)
      .unique("one_review_per_act"),
    /** What credited it, where no staff did. */
    paymentId: uuid("payment_id").references(() => chainPayments.id),
    /** How many it had to have then. */
    confirmations: integer(),
    /** Whether it was credited because its block was final. */
    finalized: boolean().notNull().default(false),
    /** What it was valued with when, or after, a payment credited it. */
    paymentPriceId: uuid("payment_price_id").references(() => marketPrices.id),
    orphanedAt: time("orphaned_at"),
    /** Put aside for a credit that is to be taken back. */
    heldUnits: amount("held_units").notNull().default(0n),
    reversalId: uuid("reversal_id")
      .references(() => ledgerTransfers.id)
      .unique("one_deposit_per_reversal"),
    /** By what two people said that it was approved by mistake. */
    resolutionId: uuid("resolution_id"),
    /** When one person alone approved a slip that no payment on the chain shows. */
    aloneAt: time("alone_at"),
  },
  (t) => [unique("one_deposit_per_submission").on(t.customerId, t.submissionKey)],
);

/** What one person says that arrived with a slip, until a second one confirms it. */
export const depositApprovals = pgTable("deposit_approvals", {
  id: uuid().primaryKey(),
  depositId: uuid("deposit_id")
    .notNull()
    .references(() => deposits.id),
  quantityUnits: amount("quantity_units").notNull(),
  txid: text().notNull(),
  outputIndex: integer("output_index"),
  usdCents: amount("usd_cents").notNull(),
  /** Overtaken: its own payment credited the deposit. */
  state: text().$type<"open" | "confirmed" | "declined" | "overtaken">().notNull().default("open"),
  ...decidedByTwo(),
});

/** What two people say of payments, whose they are, and of deposits that were approved by mistake. */
export const paymentResolutions = pgTable("payment_resolutions", {
  id: uuid().primaryKey(),
  says: text().$type<Resolution>().notNull(),
  /** What was approved by mistake. The others are about payments: `resolvedPayments`. */
  depositId: uuid("deposit_id"),
  reason: text().notNull(),
  state: text().$type<"open" | "confirmed" | "declined">().notNull().default("open"),
  ...decidedByTwo(),
});

export const resolvedPayments = pgTable(
  "resolved_payments",
  {
    resolutionId: uuid("resolution_id")
      .notNull()
      .references(() => paymentResolutions.id),
    paymentId: uuid("payment_id")
      .notNull()
      .references(() => chainPayments.id),
  },
  (t) => [
    primaryKey({
      name: "one_row_per_resolution_and_payment",
      columns: [t.resolutionId, t.paymentId],
    }),
  ],
);
