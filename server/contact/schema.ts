// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { boolean, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { bytes, time } from "#server/platform/columns.ts";
import { sql } from "#server/platform/sql.ts";

export const contactThreads = pgTable("contact_threads", {
  id: uuid("id").notNull(),
  createdAt: time("created_at").notNull(),
  waitingSince: time("waiting_since").notNull(),
  lastAt: time("last_at").notNull(),
  reference: text("reference").notNull(),
  senderName: text("sender_name").notNull(),
  senderEmail: text("sender_email").notNull(),
  subject: text("subject").notNull(),
  about: text("about"),
  customerId: uuid("customer_id"),
  hasNews: boolean("has_news").notNull().default(sql`default`),
  state: text("state").$type<"open" | "answered" | "closed" | "spam">().notNull(),
  isSuspected: boolean("is_suspected").notNull().default(sql`default`),
  revision: integer("revision").notNull().default(sql`default`),
  changedByAct: uuid("changed_by_act"),
});

export const contactMessages = pgTable("contact_messages", {
  id: uuid("id").notNull(),
  threadId: uuid("thread_id").notNull(),
  createdAt: time("created_at").notNull(),
  submissionSha256: bytes("submission_sha256").notNull(),
  body: text("body").notNull(),
  proven: text("proven").$type<"work" | "patience" | "link" | "session">().notNull(),
});

export const contactFiles = pgTable("contact_files", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  messageId: uuid("message_id"),
  fileKey: text("file_key").notNull(),
  createdAt: time("created_at").notNull(),
  originalName: text("original_name").notNull(),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  sha256: bytes("sha256").notNull(),
});

export const contactReplies = pgTable("contact_replies", {
  id: uuid("id").notNull(),
  threadId: uuid("thread_id").notNull(),
  submissionKey: uuid("submission_key").notNull(),
  body: text("body").notNull(),
  actId: uuid("act_id").notNull(),
  createdAt: time("created_at").notNull(),
});

export const contactMails = pgTable("contact_mails", {
  mailId: uuid("mail_id").notNull(),
  threadId: uuid("thread_id").notNull(),
});

export const contactSpentProofs = pgTable("contact_spent_proofs", {
  signatureSha256: bytes("signature_sha256").notNull(),
  expiresAt: time("expires_at").notNull(),
});
