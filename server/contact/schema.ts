import { boolean, integer, pgTable, text, unique, uuid } from "#server/platform/tables.ts";
import { auditLog, customers } from "../identity/schema.ts";
import { bytes, time } from "../platform/columns.ts";
import { mailKeys } from "../platform/mail/schema.ts";
import type { Proven, ThreadState } from "./thread.ts";

export const contactThreads = pgTable("contact_threads", {
  id: uuid().primaryKey(),
  reference: text().notNull().unique("one_thread_per_reference"),
  senderName: text("sender_name").notNull(),
  senderEmail: text("sender_email").notNull(),
  subject: text().notNull(),
  about: text(),
  customerId: uuid("customer_id").references(() => customers.id),
  hasNews: boolean("has_news").notNull().default(false),
  state: text().$type<ThreadState>().notNull(),
  isSuspected: boolean("is_suspected").notNull().default(false),
  createdAt: time("created_at").notNull(),
  waitingSince: time("waiting_since").notNull(),
  lastAt: time("last_at").notNull(),
  revision: integer().notNull().default(0),
  changedByAct: uuid("changed_by_act").references(() => auditLog.id),
});

export const contactMessages = pgTable("contact_messages", {
  id: uuid().primaryKey(),
  threadId: uuid("thread_id")
    .notNull()
    .references(() => contactThreads.id),
  submissionSha256: bytes("submission_sha256").notNull().unique("one_message_per_submission"),
  body: text().notNull(),
  proven: text().$type<Proven>().notNull(),
  createdAt: time("created_at").notNull(),
});

export const contactFiles = pgTable("contact_files", {
  id: uuid().primaryKey(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  messageId: uuid("message_id").references(() => contactMessages.id),
  fileKey: text("file_key").notNull().unique("one_contact_file_per_key"),
  originalName: text("original_name").notNull(),
  mediaType: text("media_type").$type<"image/jpeg" | "application/pdf">().notNull(),
  byteSize: integer("byte_size").notNull(),
  sha256: bytes().notNull(),
  createdAt: time("created_at").notNull(),
});

export const contactReplies = pgTable(
  "contact_replies",
  {
    id: uuid().primaryKey(),
    threadId: uuid("thread_id")
      .notNull()
      .references(() => contactThreads.id),
    submissionKey: uuid("submission_key").notNull(),
    body: text().notNull(),
    actId: uuid("act_id")
      .notNull()
      .references(() => auditLog.id)
      .unique("one_reply_per_act"),
    createdAt: time("created_at").notNull(),
  },
  (t) => [unique("one_reply_per_submission").on(t.threadId, t.submissionKey)],
);

export const contactMails = pgTable("contact_mails", {
  mailId: uuid("mail_id")
    .primaryKey()
    .references(() => mailKeys.id),
  threadId: uuid("thread_id")
    .notNull()
    .references(() => contactThreads.id),
});

export const contactSpentProofs = pgTable("contact_spent_proofs", {
  signatureSha256: bytes("signature_sha256").primaryKey(),
  expiresAt: time("expires_at").notNull(),
});
