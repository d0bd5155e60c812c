import { integer, pgTable, primaryKey, text, uuid } from "#server/platform/tables.ts";
import { auditLog } from "../identity/schema.ts";
import { bytes, time } from "../platform/columns.ts";
import { mailKeys } from "../platform/mail/schema.ts";
import type { IssueState } from "./issue.ts";
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

export const newsletterIssues = pgTable("newsletter_issues", {
  id: uuid().primaryKey(),
  subject: text().notNull(),
  body: text().notNull(),
  state: text().$type<IssueState>().notNull().default("draft"),
  createdAt: time("created_at").notNull(),
  changedAt: time("changed_at").notNull(),
  changedByAct: uuid("changed_by_act")
    .notNull()
    .references(() => auditLog.id),
  revision: integer().notNull().default(0),
  imprint: text().notNull().default(""),
  startedAt: time("started_at"),
  finishedAt: time("finished_at"),
  sentByAct: uuid("sent_by_act")
    .references(() => auditLog.id)
    .unique("one_issue_per_sending"),
  stoppedByAct: uuid("stopped_by_act").references(() => auditLog.id),
});

export const newsletterDeliveries = pgTable(
  "newsletter_deliveries",
  {
    issueId: uuid("issue_id")
      .notNull()
      .references(() => newsletterIssues.id),
    subscriptionId: uuid("subscription_id")
      .notNull()
      .references(() => newsletterSubscriptions.id),
    queuedAt: time("queued_at").notNull(),
    mailId: uuid("mail_id")
      .references(() => mailKeys.id)
      .unique("one_delivery_per_mail"),
    outcome: text().$type<"sent" | "failed" | "withdrawn">(),
  },
  (t) => [primaryKey({ columns: [t.issueId, t.subscriptionId] })],
);
