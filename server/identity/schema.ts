import type { NoticeEvent } from "#core/notice-events.ts";
import type { DisplayCurrency, FormatLocale } from "#core/people/locale-preferences.ts";
import type { OperatorRole } from "#core/permissions.ts";
import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "#server/platform/tables.ts";
import { bytes, time } from "../platform/columns.ts";
import type { HoldReason } from "./account/hold-reason.ts";
import type { OperatorState } from "./staff/operator.ts";
import type { StaffChangeKind, StaffChangeState } from "./staff/staff-change.ts";
import type { Proof } from "./step-up/proof.ts";

export const users = pgTable("users", {
  id: uuid().primaryKey(),
  kind: text().$type<"customer" | "operator">().notNull(),
  email: text().notNull().unique("one_user_per_email"),
  firstName: text("first_name").notNull(),
  lastName: text("last_name").notNull(),
  /** Derived from both. */
  name: text().generatedAlwaysAs("first_name || ' ' || last_name"),
  emailVerified: boolean("email_verified").notNull().default(false),
  createdAt: time("created_at").notNull(),
  updatedAt: time("updated_at").notNull(),
});

export const customers = pgTable("customers", {
  id: uuid()
    .primaryKey()
    .references(() => users.id),
  acceptedTermsAt: time("accepted_terms_at").notNull(),
  dashboardMessage: text("dashboard_message").notNull().default(""),
  dashboardMessageExpiresAt: time("dashboard_message_expires_at"),
  dashboardMessageAct: uuid("dashboard_message_act"),
  createdAt: time("created_at").notNull(),
  /** Set: nobody signs in to this account any more. */
  closedAt: time("closed_at"),
  /** Since when nothing here tells who it was. */
  erasedAt: time("erased_at"),
});

export const acceptedTexts = pgTable(
  "accepted_texts",
  {
    customerId: uuid("customer_id")
      .notNull()
      .references(() => customers.id),
    text: text().$type<"terms" | "privacy">().notNull(),
    version: text().notNull(),
    sha256: bytes().notNull(),
    acceptedAt: time("accepted_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.text, t.version] })],
);

export const operators = pgTable("operators", {
  id: uuid()
    .primaryKey()
    .references(() => users.id),
  role: text().$type<OperatorRole>().notNull(),
  state: text().$type<OperatorState>().notNull().default("active"),
  createdAt: time("created_at").notNull(),
  createdByAct: uuid("created_by_act").notNull(),
  changedByAct: uuid("changed_by_act"),
  getsMorningMail: boolean("gets_morning_mail").notNull().default(true),
});

/** What somebody signs in with: the hash of a password. */
export const credentials = pgTable("credentials", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  password: text(),
  createdAt: time("created_at").notNull(),
  updatedAt: time("updated_at").notNull(),
});

export const sessions = pgTable("sessions", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  tokenSha256: bytes("token_sha256").notNull().unique("one_session_per_token"),
  expiresAt: time("expires_at").notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  /** How its owner last authenticated, and when. */
  provedBy: text("proved_by").$type<Proof>().notNull(),
  provedAt: time("proved_at").notNull(),
  lastUsedAt: time("last_used_at").notNull(),
  /** It ends when nobody has used it for so long. */
  idleMinutes: integer("idle_minutes").notNull(),
  createdAt: time("created_at").notNull(),
});

export const mailedLinks = pgTable("mailed_links", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  purpose: text().$type<"verify-email" | "reset-password" | "operator-invitation">().notNull(),
  email: text().notNull(),
  tokenSha256: bytes("token_sha256").notNull().unique("one_link_per_token"),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  usedAt: time("used_at"),
  revokedAt: time("revoked_at"),
});

export const auditLog = pgTable("audit_log", {
  id: uuid().primaryKey(),
  position: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  act: text().notNull(),
  operatorId: uuid("operator_id").references(() => operators.id),
  customerId: uuid("customer_id").references(() => customers.id),
  subject: text().notNull(),
  detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  requestId: text("request_id"),
  occurredAt: time("occurred_at").notNull(),
});

/** The columns of what one person proposes and another decides. */
export const decidedByTwo = () => ({
  proposedBy: uuid("proposed_by")
    .notNull()
    .references(() => operators.id),
  proposedByAct: uuid("proposed_by_act")
    .notNull()
    .references(() => auditLog.id),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: uuid("decided_by").references(() => operators.id),
  decidedByAct: uuid("decided_by_act").references(() => auditLog.id),
  decidedAt: time("decided_at"),
});

/** What a person's own account has been through; staff acts are in the audit log. */
export const accountEvents = pgTable("account_events", {
  id: uuid().primaryKey(),
  position: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  userId: uuid("user_id").notNull(),
  event: text().notNull(),
  by: text().$type<"self" | "staff" | "system">().notNull(),
  detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  occurredAt: time("occurred_at").notNull(),
});

export const moneyHolds = pgTable("money_holds", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  reason: text().$type<HoldReason>().notNull(),
  startsAt: time("starts_at").notNull(),
  endsAt: time("ends_at").notNull(),
});

export const freezeLinks = pgTable("freeze_links", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  tokenSha256: bytes("token_sha256").notNull().unique("one_freeze_link_per_token"),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  usedAt: time("used_at"),
});

/** The secret of an authenticator app; unconfirmed while it is being set up. */
export const totpSecrets = pgTable("totp_secrets", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  sealedSecret: bytes("sealed_secret").notNull(),
  /** The key that it is sealed with; null before keys had names. */
  keyName: text("key_name"),
  createdAt: time("created_at").notNull(),
  /** The session or pending MFA session that saw it before it was confirmed. */
  begunIn: uuid("begun_in"),
  confirmedAt: time("confirmed_at"),
  /** The 30-second step of the newest code that was taken. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
});

export const recoveryCodes = pgTable("recovery_codes", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  codeSha256: bytes("code_sha256").notNull().unique("one_recovery_code_per_hash"),
  createdAt: time("created_at").notNull(),
  usedAt: time("used_at"),
});

export const passkeys = pgTable("passkeys", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  name: text().notNull(),
  credentialId: bytes("credential_id").notNull().unique("one_passkey_per_credential"),
  publicKey: bytes("public_key").notNull(),
  signCount: bigint("sign_count", { mode: "number" }).notNull(),
  transports: text().array().notNull().default([]),
  createdAt: time("created_at").notNull(),
  lastUsedAt: time("last_used_at"),
});

/** What an authenticator is asked to sign, once. */
export const passkeyChallenges = pgTable("passkey_challenges", {
  challenge: bytes().primaryKey(),
  purpose: text().$type<"register" | "prove" | "sign-in">().notNull(),
  userId: uuid("user_id").references(() => users.id),
  expiresAt: time("expires_at").notNull(),
});

/** The password was right, the second factor is still to come. */
export const pendingMfaSessions = pgTable("pending_mfa_sessions", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  tokenSha256: bytes("token_sha256").notNull().unique("one_pending_mfa_session_per_token"),
  rememberMe: boolean("remember_me").notNull(),
  knownDevice: boolean("known_device").notNull(),
  attempts: integer().notNull().default(0),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
});

export const accountFreezes = pgTable("account_freezes", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  by: text().$type<"self" | "staff">().notNull(),
  reason: text().notNull(),
  frozenAt: time("frozen_at").notNull(),
  frozenByAct: uuid("frozen_by_act").references(() => auditLog.id),
  liftedAt: time("lifted_at"),
  liftedByAct: uuid("lifted_by_act").references(() => auditLog.id),
  liftReason: text("lift_reason"),
});

/** PostgreSQL writes it when an act is committed; the application reads it. */
export const auditChain = pgTable("audit_chain", {
  link: bigint({ mode: "number" }).primaryKey(),
  actId: uuid("act_id")
    .notNull()
    .references(() => auditLog.id),
  previousHash: bytes("previous_hash").notNull(),
  hash: bytes().notNull(),
});

export const staffChanges = pgTable("staff_changes", {
  id: uuid().primaryKey(),
  kind: text().$type<StaffChangeKind>().notNull(),
  operatorId: uuid("operator_id").references(() => operators.id),
  email: text(),
  firstName: text("first_name"),
  lastName: text("last_name"),
  role: text().$type<OperatorRole>(),
  reason: text().notNull().default(""),
  proposedBy: uuid("proposed_by")
    .notNull()
    .references(() => operators.id),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  state: text().$type<StaffChangeState>().notNull().default("open"),
  decidedBy: uuid("decided_by").references(() => operators.id),
  decidedByAct: uuid("decided_by_act"),
  endedByAct: uuid("ended_by_act"),
  decidedAt: time("decided_at"),
});

/** That a session of an operator's own may read a customer's pages for a while. */
export const customerViews = pgTable("customer_views", {
  id: uuid().primaryKey(),
  operatorId: uuid("operator_id")
    .notNull()
    .references(() => operators.id),
  sessionId: uuid("session_id").notNull(),
  customerId: uuid("customer_id")
    .notNull()
    .references(() => customers.id),
  reason: text().notNull(),
  actId: uuid("act_id")
    .notNull()
    .references(() => auditLog.id),
  startedAt: time("started_at").notNull(),
  endsAt: time("ends_at").notNull(),
  endedAt: time("ended_at"),
});

export const customerSettings = pgTable("customer_settings", {
  customerId: uuid("customer_id")
    .primaryKey()
    .references(() => customers.id),
  /** E.164: +442079460958. */
  phone: text(),
  locale: text().$type<FormatLocale>(),
  timeZone: text("time_zone"),
  displayCurrency: text("display_currency").$type<DisplayCurrency>().notNull().default("USD"),
  changedAt: time("changed_at").notNull(),
});

export const mutedNotices = pgTable(
  "muted_notices",
  {
    customerId: uuid("customer_id")
      .notNull()
      .references(() => customers.id),
    event: text().$type<NoticeEvent>().notNull(),
    mutedAt: time("muted_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.event] })],
);

export const emailChanges = pgTable("email_changes", {
  id: uuid().primaryKey(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  oldEmail: text("old_email").notNull(),
  newEmail: text("new_email").notNull(),
  oldTokenSha256: bytes("old_token_sha256").notNull().unique("one_change_per_old_token"),
  /** Null: the new address is somebody else's, so nobody is asked to agree. */
  newTokenSha256: bytes("new_token_sha256").unique("one_change_per_new_token"),
  oldConfirmedAt: time("old_confirmed_at"),
  newConfirmedAt: time("new_confirmed_at"),
  askedAt: time("asked_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  endedAt: time("ended_at"),
  outcome: text().$type<"changed" | "replaced" | "cancelled" | "refused">(),
});
