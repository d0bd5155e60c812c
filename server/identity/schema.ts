// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import type { FormatLocale } from "#core/people/locale-preferences.ts";
import type { NoticeEvent } from "#core/notice-events.ts";
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from "#server/platform/tables.ts";
import { bytes, time } from "#server/platform/columns.ts";
import { sql } from "#server/platform/sql.ts";

export const users = pgTable("users", {
  id: uuid("id").notNull(),
  kind: text("kind").$type<"customer" | "operator">().notNull(),
  email: text("email").notNull(),
  firstName: text("first_name").notNull(),
  lastName: text("last_name").notNull(),
  name: text("name").notNull().generatedAlwaysAs(sql``),
  emailVerified: boolean("email_verified").notNull().default(sql`default`),
  createdAt: time("created_at").notNull(),
  updatedAt: time("updated_at").notNull(),
});

export const credentials = pgTable("credentials", {
  userId: uuid("user_id").notNull(),
  password: text("password"),
  createdAt: time("created_at").notNull(),
  updatedAt: time("updated_at").notNull(),
});

export const sessions = pgTable("sessions", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  expiresAt: time("expires_at").notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  createdAt: time("created_at").notNull(),
  tokenSha256: bytes("token_sha256").notNull(),
  provedBy: text("proved_by").$type<"password" | "totp" | "recovery-code" | "passkey">().notNull(),
  provedAt: time("proved_at").notNull(),
  lastUsedAt: time("last_used_at").notNull().default(sql`default`),
  idleMinutes: integer("idle_minutes").notNull().default(sql`default`),
});

export const mailedLinks = pgTable("mailed_links", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  purpose: text("purpose").$type<"verify-email" | "reset-password" | "operator-invitation">().notNull(),
  email: text("email").notNull(),
  tokenSha256: bytes("token_sha256").notNull(),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  usedAt: time("used_at"),
  revokedAt: time("revoked_at"),
});

export const attempts = pgTable("attempts", {
  key: bytes("key").notNull(),
  count: integer("count").notNull(),
  windowEndsAt: time("window_ends_at").notNull(),
});

export const totpSecrets = pgTable("totp_secrets", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  sealedSecret: bytes("sealed_secret").notNull(),
  createdAt: time("created_at").notNull(),
  confirmedAt: time("confirmed_at"),
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(sql`default`),
  keyName: text("key_name"),
  begunIn: uuid("begun_in"),
});

export const recoveryCodes = pgTable("recovery_codes", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  codeSha256: bytes("code_sha256").notNull(),
  createdAt: time("created_at").notNull(),
  usedAt: time("used_at"),
});

export const passkeys = pgTable("passkeys", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  name: text("name").notNull(),
  credentialId: bytes("credential_id").notNull(),
  publicKey: bytes("public_key").notNull(),
  signCount: bigint("sign_count", { mode: "number" }).notNull(),
  transports: text("transports").array().notNull().default(sql`default`),
  createdAt: time("created_at").notNull(),
  lastUsedAt: time("last_used_at"),
});

export const passkeyChallenges = pgTable("passkey_challenges", {
  challenge: bytes("challenge").notNull(),
  userId: uuid("user_id"),
  expiresAt: time("expires_at").notNull(),
  purpose: text("purpose").$type<"register" | "prove" | "sign-in">().notNull(),
});

export const pendingMfaSessions = pgTable("pending_mfa_sessions", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  tokenSha256: bytes("token_sha256").notNull(),
  rememberMe: boolean("remember_me").notNull(),
  knownDevice: boolean("known_device").notNull(),
  attempts: integer("attempts").notNull().default(sql`default`),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
});

export const accountEvents = pgTable("account_events", {
  id: uuid("id").notNull(),
  position: bigint("position", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  userId: uuid("user_id").notNull(),
  occurredAt: time("occurred_at").notNull(),
  event: text("event").notNull(),
  by: text("by").$type<"self" | "staff" | "system">().notNull(),
  detail: jsonb("detail").$type<Record<string, unknown>>().notNull().default(sql`default`),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
});

export const moneyHolds = pgTable("money_holds", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  reason: text("reason").$type<"password-changed" | "email-changed" | "mfa-changed" | "account-unfrozen">().notNull(),
  startsAt: time("starts_at").notNull(),
  endsAt: time("ends_at").notNull(),
  writtenIn: text("written_in").notNull().default(sql`default`),
});

export const freezeLinks = pgTable("freeze_links", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  tokenSha256: bytes("token_sha256").notNull(),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  usedAt: time("used_at"),
});

export const emailChanges = pgTable("email_changes", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  oldEmail: text("old_email").notNull(),
  newEmail: text("new_email").notNull(),
  oldTokenSha256: bytes("old_token_sha256").notNull(),
  newTokenSha256: bytes("new_token_sha256"),
  oldConfirmedAt: time("old_confirmed_at"),
  newConfirmedAt: time("new_confirmed_at"),
  askedAt: time("asked_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  endedAt: time("ended_at"),
  outcome: text("outcome").$type<"changed" | "replaced" | "cancelled" | "refused">(),
});

export const customers = pgTable("customers", {
  id: uuid("id").notNull(),
  kind: text("kind").$type<"customer" | "operator">().notNull().generatedAlwaysAs(sql``),
  acceptedTermsAt: time("accepted_terms_at").notNull(),
  dashboardMessage: text("dashboard_message").notNull().default(sql`default`),
  dashboardMessageExpiresAt: time("dashboard_message_expires_at"),
  createdAt: time("created_at").notNull(),
  dashboardMessageAct: uuid("dashboard_message_act"),
  closedAt: time("closed_at"),
  erasedAt: time("erased_at"),
});

export const customerSettings = pgTable("customer_settings", {
  customerId: uuid("customer_id").notNull(),
  phone: text("phone"),
  locale: text("locale").$type<FormatLocale>(),
  timeZone: text("time_zone"),
  changedAt: time("changed_at").notNull(),
  displayCurrency: text("display_currency").$type<"USD" | "BTC" | "ETH">().notNull().default(sql`default`),
});

export const mutedNotices = pgTable("muted_notices", {
  customerId: uuid("customer_id").notNull(),
  event: text("event").$type<NoticeEvent>().notNull(),
  mutedAt: time("muted_at").notNull(),
});

export const acceptedTexts = pgTable("accepted_texts", {
  customerId: uuid("customer_id").notNull(),
  text: text("text").$type<"terms" | "privacy">().notNull(),
  version: text("version").notNull(),
  sha256: bytes("sha256").notNull(),
  acceptedAt: time("accepted_at").notNull(),
});

export const operators = pgTable("operators", {
  id: uuid("id").notNull(),
  kind: text("kind").$type<"customer" | "operator">().notNull().generatedAlwaysAs(sql``),
  role: text("role").$type<"support" | "verifier" | "treasurer" | "approver" | "content" | "auditor" | "owner">().notNull(),
  state: text("state").$type<"active" | "suspended">().notNull().default(sql`default`),
  createdAt: time("created_at").notNull(),
  createdByAct: uuid("created_by_act").notNull(),
  changedByAct: uuid("changed_by_act"),
  getsMorningMail: boolean("gets_morning_mail").notNull().default(sql`default`),
});

export const auditLog = pgTable("audit_log", {
  id: uuid("id").notNull(),
  position: bigint("position", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  act: text("act").notNull(),
  operatorId: uuid("operator_id"),
  customerId: uuid("customer_id"),
  subject: text("subject").notNull(),
  detail: jsonb("detail").$type<Record<string, unknown>>().notNull().default(sql`default`),
  requestId: text("request_id"),
  occurredAt: time("occurred_at").notNull(),
});

export const auditChain = pgTable("audit_chain", {
  link: bigint("link", { mode: "number" }).notNull(),
  actId: uuid("act_id").notNull(),
  previousHash: bytes("previous_hash").notNull(),
  hash: bytes("hash").notNull(),
});

export const staffChanges = pgTable("staff_changes", {
  id: uuid("id").notNull(),
  operatorId: uuid("operator_id"),
  kind: text("kind").$type<"invite" | "suspend" | "reinstate" | "change-role">().notNull(),
  email: text("email"),
  firstName: text("first_name"),
  lastName: text("last_name"),
  role: text("role").$type<"support" | "verifier" | "treasurer" | "approver" | "content" | "auditor" | "owner">(),
  reason: text("reason").notNull().default(sql`default`),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  state: text("state").$type<"open" | "confirmed" | "declined" | "withdrawn" | "ended">().notNull().default(sql`default`),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
  endedByAct: uuid("ended_by_act"),
});

export const accountFreezes = pgTable("account_freezes", {
  id: uuid("id").notNull(),
  userId: uuid("user_id").notNull(),
  by: text("by").$type<"self" | "staff">().notNull(),
  reason: text("reason").notNull(),
  frozenAt: time("frozen_at").notNull(),
  frozenByAct: uuid("frozen_by_act"),
  liftedAt: time("lifted_at"),
  liftedByAct: uuid("lifted_by_act"),
  liftReason: text("lift_reason"),
});

export const customerViews = pgTable("customer_views", {
  id: uuid("id").notNull(),
  operatorId: uuid("operator_id").notNull(),
  sessionId: uuid("session_id").notNull(),
  customerId: uuid("customer_id").notNull(),
  startedAt: time("started_at").notNull(),
  endsAt: time("ends_at").notNull(),
  endedAt: time("ended_at"),
  reason: text("reason").notNull(),
  actId: uuid("act_id").notNull(),
});
