// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, time } from "#server/platform/columns.ts";
import { boolean, date, integer, pgTable, pgView, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const termsInForce = pgTable("terms_in_force", {
  isOnly: boolean("is_only").notNull().default(sql`default`),
  minimumWithdrawalSats: amount("minimum_withdrawal_sats").notNull(),
  withdrawalHold: text("withdrawal_hold").notNull(),
  finalPayment: text("final_payment").notNull(),
  quote: text("quote").notNull(),
  coolingOff: text("cooling_off").notNull(),
  unpaidMaintenance: text("unpaid_maintenance").notNull(),
  maintenanceNotice: text("maintenance_notice").notNull(),
  inactivityAfterDays: integer("inactivity_after_days").notNull(),
  inactivityNoticeDays: integer("inactivity_notice_days").notNull(),
  inactivityFeePerMillion: text("inactivity_fee_per_million").notNull(),
  inactivityFeeMinimumSats: amount("inactivity_fee_minimum_sats").notNull(),
});

export const formerTerms = pgTable("former_terms", {
  isOnly: boolean("is_only").notNull(),
  minimumWithdrawalSats: amount("minimum_withdrawal_sats").notNull(),
  withdrawalHold: text("withdrawal_hold").notNull(),
  finalPayment: text("final_payment").notNull(),
  quote: text("quote").notNull(),
  coolingOff: text("cooling_off").notNull(),
  unpaidMaintenance: text("unpaid_maintenance").notNull(),
  maintenanceNotice: text("maintenance_notice").notNull(),
  inactivityAfterDays: integer("inactivity_after_days").notNull(),
  inactivityNoticeDays: integer("inactivity_notice_days").notNull(),
  inactivityFeePerMillion: text("inactivity_fee_per_million").notNull(),
  inactivityFeeMinimumSats: amount("inactivity_fee_minimum_sats").notNull(),
});

export const termsEver = pgView("terms_ever", {
  isOnly: boolean("is_only"),
  minimumWithdrawalSats: amount("minimum_withdrawal_sats"),
  withdrawalHold: text("withdrawal_hold"),
  finalPayment: text("final_payment"),
  quote: text("quote"),
  coolingOff: text("cooling_off"),
  unpaidMaintenance: text("unpaid_maintenance"),
  maintenanceNotice: text("maintenance_notice"),
  inactivityAfterDays: integer("inactivity_after_days"),
  inactivityNoticeDays: integer("inactivity_notice_days"),
  inactivityFeePerMillion: text("inactivity_fee_per_million"),
  inactivityFeeMinimumSats: amount("inactivity_fee_minimum_sats"),
}).existing();

export const months = pgTable("months", {
  parent: text("parent").notNull(),
  month: date("month").notNull(),
  openedAt: time("opened_at").notNull().default(sql`default`),
  detachedAt: time("detached_at"),
  newestAt: time("newest_at"),
});

export const mailKeys = pgTable("mail_keys", {
  id: uuid("id").notNull(),
  key: text("key"),
  userId: uuid("user_id"),
});

export const mails = pgTable("mails", {
  id: uuid("id").notNull(),
  userId: uuid("user_id"),
  recipient: text("recipient").notNull(),
  template: text("template").notNull(),
  subject: text("subject").notNull(),
  bodyText: text("body_text"),
  bodyHtml: text("body_html"),
  holdsLink: boolean("holds_link").notNull().default(sql`default`),
  state: text("state").$type<"queued" | "sent" | "failed">().notNull().default(sql`default`),
  attempts: integer("attempts").notNull().default(sql`default`),
  lastError: text("last_error"),
  sendingUntil: time("sending_until"),
  sentVia: text("sent_via").$type<"smtp" | "outbox">(),
  createdAt: time("created_at").notNull(),
  sentAt: time("sent_at"),
  resentByAct: uuid("resent_by_act"),
  replyTo: text("reply_to"),
});

export const mailPhrases = pgTable("mail_phrases", {
  userId: uuid("user_id").notNull(),
  recipient: text("recipient").notNull(),
  phrase: text("phrase").notNull(),
  changedAt: time("changed_at").notNull(),
});

export const installation = pgTable("installation", {
  onlyOne: boolean("only_one").notNull().default(sql`default`),
  network: text("network").$type<"regtest" | "testnet" | "mainnet">().notNull(),
  demo: boolean("demo").notNull(),
  begunAt: time("begun_at").notNull(),
});

export const disks = pgTable("disks", {
  place: text("place").notNull(),
  shortSince: time("short_since"),
  seenAt: time("seen_at").notNull(),
});

export const installationKeys = pgTable("installation_keys", {
  of: text("of").$type<"auth-secret" | "document-key" | "file-store">().notNull(),
  fingerprint: text("fingerprint").notNull(),
  notedAt: time("noted_at").notNull(),
});
