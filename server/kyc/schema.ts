// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import type { CheckedItem } from "#server/kyc/checklist.ts";
import { bytes, time } from "#server/platform/columns.ts";
import { date, integer, jsonb, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const residenceStatements = pgTable("residence_statements", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  country: text("country").notNull(),
  statedAt: time("stated_at").notNull(),
});

export const kycDrafts = pgTable("kyc_drafts", {
  customerId: uuid("customer_id").notNull(),
  updatedAt: time("updated_at").notNull(),
  legalName: text("legal_name"),
  dateOfBirth: date("date_of_birth"),
  addressLine: text("address_line"),
  addressLine2: text("address_line_2"),
  postalCode: text("postal_code"),
  city: text("city"),
  region: text("region"),
  detailsSavedAt: time("details_saved_at"),
  identityExpiresOn: date("identity_expires_on"),
  identityKind: text("identity_kind").$type<"passport" | "identity-card" | "driving-licence" | "residence-permit">(),
  secondProof: text("second_proof").$type<"selfie" | "proof-of-address">(),
});

export const kycDocuments = pgTable("kyc_documents", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  purpose: text("purpose").$type<"identity-front" | "identity-back" | "selfie" | "proof-of-address">().notNull(),
  fileKey: text("file_key").notNull(),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  originalName: text("original_name").notNull(),
  keyId: text("key_id"),
  wrappedKey: bytes("wrapped_key"),
  createdAt: time("created_at").notNull(),
  storedAt: time("stored_at"),
  replacedAt: time("replaced_at"),
  erasingAt: time("erasing_at"),
  erasedAt: time("erased_at"),
});

export const kycSubmissions = pgTable("kyc_submissions", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  legalName: text("legal_name").notNull(),
  dateOfBirth: date("date_of_birth").notNull(),
  country: text("country").notNull(),
  addressLine: text("address_line").notNull(),
  addressLine2: text("address_line_2"),
  postalCode: text("postal_code"),
  city: text("city").notNull(),
  region: text("region"),
  identityExpiresOn: date("identity_expires_on"),
  identityKind: text("identity_kind").$type<"passport" | "identity-card" | "driving-licence" | "residence-permit">().notNull(),
  secondProof: text("second_proof").$type<"selfie" | "proof-of-address">().notNull(),
  submittedAt: time("submitted_at").notNull(),
  state: text("state").$type<"submitted" | "approved" | "declined" | "expired">().notNull().default(sql`default`),
  secondReviewReason: text("second_review_reason"),
  secondReviewAct: uuid("second_review_act"),
  decidedAt: time("decided_at"),
  validUntil: time("valid_until"),
  expiredAt: time("expired_at"),
});

export const kycSubmissionDocuments = pgTable("kyc_submission_documents", {
  submissionId: uuid("submission_id").notNull(),
  documentId: uuid("document_id").notNull(),
  customerId: uuid("customer_id").notNull(),
});

export const kycReviews = pgTable("kyc_reviews", {
  id: uuid("id").notNull(),
  submissionId: uuid("submission_id").notNull(),
  operatorId: uuid("operator_id").notNull(),
  verdict: text("verdict").$type<"approve" | "decline">().notNull(),
  checklist: jsonb("checklist").$type<CheckedItem[]>().notNull(),
  actId: uuid("act_id").notNull(),
  reviewedAt: time("reviewed_at").notNull(),
});

export const kycDeclineReasons = pgTable("kyc_decline_reasons", {
  reviewId: uuid("review_id").notNull(),
  part: text("part").$type<"personal-details" | "identity-front" | "identity-back" | "selfie" | "proof-of-address">().notNull(),
  reason: text("reason").notNull(),
});
