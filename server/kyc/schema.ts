import type {
  DocumentPurpose,
  IdentityKind,
  KycPart,
  SecondProof,
  SubmissionState,
} from "#core/people/kyc.ts";
import {
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "#server/platform/tables.ts";
import { auditLog, customers, operators } from "../identity/schema.ts";
import { bytes, time } from "../platform/columns.ts";
import type { CheckedItem } from "./checklist.ts";

export const residenceStatements = pgTable("residence_statements", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  country: text().notNull(),
  statedAt: time("stated_at").notNull(),
});

export const kycDrafts = pgTable("kyc_drafts", {
  customerId: uuid("customer_id")
    .primaryKey()
    .references(() => customers.id),
  legalName: text("legal_name"),
  dateOfBirth: date("date_of_birth"),
  addressLine: text("address_line"),
  addressLine2: text("address_line_2"),
  postalCode: text("postal_code"),
  city: text(),
  region: text(),
  /** Null: to be said, or to be said again after it was declined. */
  detailsSavedAt: time("details_saved_at"),
  identityKind: text("identity_kind").$type<IdentityKind>(),
  identityExpiresOn: date("identity_expires_on"),
  secondProof: text("second_proof").$type<SecondProof>(),
  updatedAt: time("updated_at").notNull(),
});

export const kycDocuments = pgTable("kyc_documents", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  purpose: text().$type<DocumentPurpose>().notNull(),
  fileKey: text("file_key").notNull().unique("one_document_per_file"),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  originalName: text("original_name").notNull(),
  keyId: text("key_id"),
  wrappedKey: bytes("wrapped_key"),
  createdAt: time("created_at").notNull(),
  /** Null: the file is on its way. */
  storedAt: time("stored_at"),
  /** Another took its place, or it was decided on. */
  replacedAt: time("replaced_at"),
  /** Its key is destroyed, and its file is being deleted. */
  erasingAt: time("erasing_at"),
  erasedAt: time("erased_at"),
});

export const kycSubmissions = pgTable("kyc_submissions", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  legalName: text("legal_name").notNull(),
  dateOfBirth: date("date_of_birth").notNull(),
  country: text().notNull(),
  addressLine: text("address_line").notNull(),
  addressLine2: text("address_line_2"),
  postalCode: text("postal_code"),
  city: text().notNull(),
  region: text(),
  identityKind: text("identity_kind").$type<IdentityKind>().notNull(),
  identityExpiresOn: date("identity_expires_on"),
  secondProof: text("second_proof").$type<SecondProof>().notNull(),
  submittedAt: time("submitted_at").notNull(),
  state: text().$type<SubmissionState>().notNull().default("submitted"),
  /** Why two verifiers must approve; null: one is enough. */
  secondReviewReason: text("second_review_reason"),
  secondReviewAct: uuid("second_review_act").references(() => auditLog.id),
  decidedAt: time("decided_at"),
  validUntil: time("valid_until"),
  expiredAt: time("expired_at"),
});

export const kycSubmissionDocuments = pgTable(
  "kyc_submission_documents",
  {
    submissionId: uuid("submission_id").notNull(),
    documentId: uuid("document_id").notNull(),
    customerId: uuid("customer_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.submissionId, t.documentId] })],
);

export const kycReviews = pgTable(
  "kyc_reviews",
  {
    id: uuid().primaryKey(),
    submissionId: uuid("submission_id")
      .notNull()
      .references(() => kycSubmissions.id),
    operatorId: uuid("operator_id")
      .notNull()
      .references(() => operators.id),
    verdict: text().$type<"approve" | "decline">().notNull(),
    checklist: jsonb().$type<CheckedItem[]>().notNull(),
    actId: uuid("act_id")
      .notNull()
      .references(() => auditLog.id)
      .unique("one_kyc_review_per_act"),
    reviewedAt: time("reviewed_at").notNull(),
  },
  (t) => [unique("one_review_per_verifier").on(t.submissionId, t.operatorId)],
);

export const kycDeclineReasons = pgTable(
  "kyc_decline_reasons",
  {
    reviewId: uuid("review_id")
      .notNull()
      .references(() => kycReviews.id),
    part: text().$type<KycPart>().notNull(),
    reason: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.reviewId, t.part] })],
);
