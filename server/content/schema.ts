// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { integer, jsonb, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";
import { time } from "#server/platform/columns.ts";

export const contentPieces = pgTable("content_pieces", {
  id: uuid("id").notNull(),
  kind: text("kind").$type<"company" | "faq" | "announcement">().notNull(),
  slug: text("slug").notNull(),
  position: integer("position").notNull().default(sql`default`),
  createdAt: time("created_at").notNull(),
  createdByAct: uuid("created_by_act").notNull(),
  movedByAct: uuid("moved_by_act"),
});

export const contentVersions = pgTable("content_versions", {
  pieceId: uuid("piece_id").notNull(),
  kind: text("kind").$type<"company" | "faq" | "announcement">().notNull(),
  version: integer("version").notNull(),
  state: text("state").$type<"draft" | "published" | "withdrawn">().notNull(),
  body: jsonb("body").$type<Record<string, unknown>>().notNull(),
  actId: uuid("act_id").notNull(),
  createdAt: time("created_at").notNull(),
});

export const testimonials = pgTable("testimonials", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  invitation: text("invitation").notNull().default(sql`default`),
  invitedAt: time("invited_at").notNull(),
  invitedByAct: uuid("invited_by_act").notNull(),
  declinedAt: time("declined_at"),
  withdrawnAt: time("withdrawn_at"),
  withdrawnByAct: uuid("withdrawn_by_act"),
  publishedConsentId: uuid("published_consent_id"),
  publishedAt: time("published_at"),
  publishedByAct: uuid("published_by_act"),
  unpublishedByAct: uuid("unpublished_by_act"),
  contractId: uuid("contract_id"),
});

export const testimonialConsents = pgTable("testimonial_consents", {
  id: uuid("id").notNull(),
  testimonialId: uuid("testimonial_id").notNull(),
  customerId: uuid("customer_id").notNull(),
  words: text("words").notNull(),
  shownName: text("shown_name").notNull(),
  role: text("role").notNull().default(sql`default`),
  image: text("image").$type<"initials" | "none">().notNull(),
  agreedAt: time("agreed_at").notNull(),
  endedAt: time("ended_at"),
  endedBy: text("ended_by").$type<"revoked" | "rewritten">(),
});
