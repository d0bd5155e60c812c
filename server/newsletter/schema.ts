// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { bytes, time } from "#server/platform/columns.ts";
import { integer, pgTable, text, uuid } from "#server/platform/tables.ts";

export const newsletterSubscriptions = pgTable("newsletter_subscriptions", {
  id: uuid("id").notNull(),
  email: text("email"),
  state: text("state").$type<"pending" | "confirmed" | "ended">().notNull(),
  askedAt: time("asked_at").notNull(),
  source: text("source").notNull(),
  textVersion: integer("text_version").notNull(),
  confirmationSha256: bytes("confirmation_sha256"),
  confirmationExpiresAt: time("confirmation_expires_at").notNull(),
  confirmedAt: time("confirmed_at"),
  leavingToken: text("leaving_token").notNull(),
  endedAt: time("ended_at"),
  endedBy: text("ended_by").$type<"page" | "one-click">(),
});

export const newsletterMails = pgTable("newsletter_mails", {
  mailId: uuid("mail_id").notNull(),
  subscriptionId: uuid("subscription_id").notNull(),
});
