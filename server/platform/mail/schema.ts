import { boolean, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { time } from "../columns.ts";
import type { MailState } from "./mail.ts";

/** Every mail that was not forgotten, also of months that were taken out. A mail is deleted in both. */
export const mailKeys = pgTable("mail_keys", {
  id: uuid().primaryKey(),
  key: text().unique("one_mail_per_key"),
  userId: uuid("user_id"),
});

export const mails = pgTable("mails", {
  id: uuid().primaryKey(),
  userId: uuid("user_id"),
  recipient: text().notNull(),
  template: text().notNull(),
  subject: text().notNull(),
  bodyText: text("body_text"),
  bodyHtml: text("body_html"),
  holdsLink: boolean("holds_link").notNull().default(false),
  replyTo: text("reply_to"),
  state: text().$type<MailState>().notNull().default("queued"),
  attempts: integer().notNull().default(0),
  lastError: text("last_error"),
  sendingUntil: time("sending_until"),
  sentVia: text("sent_via").$type<"smtp" | "outbox">(),
  createdAt: time("created_at").notNull(),
  sentAt: time("sent_at"),
  resentByAct: uuid("resent_by_act"),
});

export const mailPhrases = pgTable("mail_phrases", {
  userId: uuid("user_id").primaryKey(),
  recipient: text().notNull().unique("one_phrase_per_recipient"),
  phrase: text().notNull(),
  changedAt: time("changed_at").notNull(),
});
