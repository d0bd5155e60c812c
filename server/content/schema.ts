import {
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "#server/platform/tables.ts";
import { time } from "../platform/columns.ts";
import type { ContentKind, VersionState } from "./content.ts";
import type { TestimonialImage } from "./testimonial.ts";

export const contentPieces = pgTable(
  "content_pieces",
  {
    id: uuid().primaryKey(),
    kind: text().$type<ContentKind>().notNull(),
    slug: text().notNull(),
    position: integer().notNull().default(0),
    createdAt: time("created_at").notNull(),
    createdByAct: uuid("created_by_act").notNull(),
    movedByAct: uuid("moved_by_act"),
  },
  (t) => [unique("one_piece_per_slug").on(t.kind, t.slug)],
);

export const contentVersions = pgTable(
  "content_versions",
  {
    pieceId: uuid("piece_id").notNull(),
    kind: text().$type<ContentKind>().notNull(),
    version: integer().notNull(),
    state: text().$type<VersionState>().notNull(),
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    actId: uuid("act_id").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.pieceId, t.version] })],
);

export const testimonials = pgTable("testimonials", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id").notNull(),
  invitation: text().notNull().default(""),
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
  id: uuid().primaryKey(),
  testimonialId: uuid("testimonial_id").notNull(),
  customerId: uuid("customer_id").notNull(),
  words: text().notNull(),
  shownName: text("shown_name").notNull(),
  role: text().notNull().default(""),
  image: text().$type<TestimonialImage>().notNull(),
  agreedAt: time("agreed_at").notNull(),
  endedAt: time("ended_at"),
  endedBy: text("ended_by").$type<"revoked" | "rewritten">(),
});
