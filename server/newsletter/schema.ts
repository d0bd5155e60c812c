import { integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { bytes, time } from "../platform/columns.ts";
import { mailKeys } from "../platform/mail/schema.ts";
import type { EndedBy, SubscriptionState } from "./subscription.ts";

export const newsletterSubscriptions = pgTable("newsletter_subscriptions", {
  id: uuid().primaryKey(),
  email: text(),
  state: text().$type<SubscriptionState>().notNull(),
  askedAt: time("asked_at").notNull(),
  source: text().notNull(),
  textVersion: integer("text_version").notNull(),
  confirmationSha256: bytes("confirmation_sha256").unique("one_subscription_per_confirmation"),
  confirmationExpiresAt: time("confirmation_expires_at").notNull(),
  confirmedAt: time("confirmed_at"),
  leavingToken: text("leaving_token").notNull().unique("one_subscription_per_leaving_token"),
  endedAt: time("ended_at"),
  endedBy: text("ended_by").$type<EndedBy>(),
});

export const newsletterMails = pgTable("newsletter_mails", {
  mailId: uuid("mail_id")
    .primaryKey()
    .references(() => mailKeys.id),
  subscriptionId: uuid("subscription_id")
    .notNull()
    .references(() => newsletterSubscriptions.id),
});
