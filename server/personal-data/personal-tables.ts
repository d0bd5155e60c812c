import { type SQL, sql } from "drizzle-orm";

/** Whose data it is. */
export interface Subject {
  id: string;
  email: string;
  /** Whether the address is certainly his: without that, what came from it may be a stranger's. */
  emailVerified: boolean;
}

export interface PersonalTable {
  /** What the rows are, for the reader of an export. */
  about: string;
  /** Which rows are the person's. */
  rows(person: Subject): SQL;
  columns: string[];
  /** How a column is read, where not as it stands. */
  read?: Record<string, string>;
  /** Columns that are not in the export, and why. */
  leftOut?: Record<string, string>;
  /** What becomes of the rows when the account is erased. */
  erased: string;
}

const secret = "a secret that opens something, or its hash";
const keptByLaw =
  "deleted by verification; of who had money in the journal the last approval and country stay five years, as the law on money laundering asks";
const ours = "our own bookkeeping, not about the person";
const byUser = ({ id }: Subject) => sql`user_id = ${id}`;
const byCustomer = ({ id }: Subject) => sql`customer_id = ${id}`;
/** Rows that are known by an address alone. */
const byAddress = (column: SQL) => (person: Subject) =>
  person.emailVerified ? sql`${column} = ${person.email}` : sql`false`;

/**
 * Every table that holds something about a customer: what of it the customer gets in an export, and what becomes of
 * it when the account is erased. A test walks the database's catalogue and fails for what is missing here.
 */
export const personalTables: Record<string, PersonalTable> = {
  users: {
    about: "Who you are.",
    rows: ({ id }) => sql`id = ${id}`,
    columns: [
      "id",
      "email",
      "first_name",
      "last_name",
      "email_verified",
      "created_at",
      "updated_at",
    ],
    leftOut: { kind: "always customer", name: "first and last name together" },
    erased: "emptied by identity/erase-person: the id stays, pseudonymous",
  },
  customers: {
    about: "Your account: when you accepted the terms, and what stands above your dashboard.",
    rows: ({ id }) => sql`id = ${id}`,
    columns: [
      "id",
      "accepted_terms_at",
      "dashboard_message",
      "dashboard_message_expires_at",
      "created_at",
      "closed_at",
      "erased_at",
    ],
    leftOut: { kind: "always customer", dashboard_message_act: ours },
    erased: "emptied by identity/erase-person",
  },
  accepted_texts: {
    about: "Which terms and which privacy policy you accepted.",
    rows: byCustomer,
    columns: ["text", "version", "sha256", "accepted_at"],
    read: { sha256: "encode(sha256, 'hex')" },
    leftOut: { customer_id: "your id, in every row" },
    erased:
      "stays: what was agreed is proof for both sides, and names nobody once the person is erased",
  },
  customer_settings: {
    about: "What you chose in your profile.",
    rows: byCustomer,
    columns: ["phone", "locale", "time_zone", "display_currency", "changed_at"],
    leftOut: { customer_id: "your id, in every row" },
    erased: "deleted by identity/erase-person",
  },
  muted_notices: {
    about: "What you want no mail about.",
    rows: byCustomer,
    columns: ["event", "muted_at"],
    leftOut: { customer_id: "your id, in every row" },
    erased: "deleted by identity/erase-person",
  },
  mail_phrases: {
    about: "The phrase that every mail to you carries.",
    rows: byUser,
    columns: ["recipient", "phrase", "changed_at"],
    leftOut: { user_id: "your id, in every row" },
    erased: "deleted by platform/mail",
  },
  credentials: {
    about: "That you have a password, and since when. The password itself is nowhere.",
    rows: byUser,
    columns: ["provider_id", "created_at", "updated_at"],
    leftOut: { id: ours, user_id: "your id, in every row", account_id: ours, password: secret },
    erased: "deleted by identity/erase-person",
  },
  sessions: {
    about: "Where you are signed in.",
    rows: byUser,
    columns: [
      "id",
      "created_at",
      "expires_at",
      "ip_address",
      "user_agent",
      "proved_by",
      "proved_at",
      "last_used_at",
      "unused_minutes",
    ],
    leftOut: { user_id: "your id, in every row", token_sha256: secret },
    erased: "deleted when the account is closed",
  },
  mailed_links: {
    about: "Links that we mailed to you, and what became of them.",
    rows: byUser,
    columns: ["purpose", "email", "created_at", "expires_at", "used_at", "revoked_at"],
    leftOut: { id: ours, user_id: "your id, in every row", token_sha256: secret },
    erased: "deleted by identity/erase-person",
  },
  freeze_links: {
    about: "Links in mails about security that freeze the account.",
    rows: byUser,
    columns: ["created_at", "expires_at", "used_at"],
    leftOut: { id: ours, user_id: "your id, in every row", token_sha256: secret },
    erased: "deleted by identity/erase-person",
  },
  half_sessions: {
    about: "Sign-ins that wait for a second factor.",
    rows: byUser,
    columns: ["created_at", "expires_at", "remember_me", "known_device", "attempts"],
    leftOut: { id: ours, user_id: "your id, in every row", token_sha256: secret },
    erased: "deleted when the account is closed",
  },
  totp_secrets: {
    about: "Your authenticator app.",
    rows: byUser,
    columns: ["created_at", "confirmed_at"],
    leftOut: {
      id: ours,
      user_id: "your id, in every row",
      sealed_secret: secret,
      key_name: ours,
      last_step: ours,
    },
    erased: "deleted by identity/erase-person",
  },
  recovery_codes: {
    about: "Your recovery codes: that they exist, and which were used.",
    rows: byUser,
    columns: ["created_at", "used_at"],
    leftOut: { id: ours, user_id: "your id, in every row", code_sha256: secret },
    erased: "deleted by identity/erase-person",
  },
  passkeys: {
    about: "Your passkeys.",
    rows: byUser,
    columns: ["name", "created_at", "last_used_at", "transports", "sign_count"],
    leftOut: {
      id: ours,
      user_id: "your id, in every row",
      credential_id: "only your authenticator can use it",
      public_key: "only your authenticator can use it",
    },
    erased: "deleted by identity/erase-person",
  },
  account_freezes: {
    about: "When your account was frozen, and why.",
    rows: byUser,
    columns: ["frozen_at", "by", "reason", "lifted_at", "lift_reason"],
    leftOut: {
      id: ours,
      user_id: "your id, in every row",
      frozen_by_act: ours,
      lifted_by_act: ours,
    },
    erased: "stays: staff acts rest on it",
  },
  email_changes: {
    about: "Changes of your e-mail address that were asked for.",
    rows: byUser,
    columns: [
      "old_email",
      "new_email",
      "old_confirmed_at",
      "new_confirmed_at",
      "asked_at",
      "expires_at",
      "ended_at",
      "outcome",
    ],
    leftOut: {
      id: ours,
      user_id: "your id, in every row",
      old_token_sha256: secret,
      new_token_sha256: secret,
    },
    erased: "deleted by identity/erase-person",
  },
  account_events: {
    about: "What happened to your account.",
    rows: byUser,
    columns: ["occurred_at", "event", "by", "detail", "ip_address", "user_agent"],
    leftOut: { id: ours, position: ours, user_id: "your id, in every row" },
    erased: "stays, without addresses, browsers and details",
  },
  money_holds: {
    about: "When money could not leave your account, and why.",
    rows: byUser,
    columns: ["reason", "starts_at", "ends_at"],
    leftOut: { id: ours, user_id: "your id, in every row", written_in: ours },
    erased: "stays: it names nobody",
  },
  audit_log: {
    about: "What staff did to your account. Who it was is not told.",
    // That colleagues were asked to look closer is told once it is over: see customer_flags.
    rows: ({ id }) =>
      sql`customer_id = ${id} and act not in ('staff-notes/raise-flag', 'staff-notes/lift-flag')`,
    columns: ["occurred_at", "act", "subject", "detail"],
    leftOut: {
      id: ours,
      position: ours,
      operator_id: "a member of staff",
      customer_id: "your id, in every row",
      request_id: ours,
    },
    erased: "stays: it only grows, and names the account by its id",
  },
  deposits: {
    about: "Your deposits.",
    rows: byCustomer,
    columns: [
      "id",
      "created_at",
      "declared_on",
      "method",
      "claimed_usd_cents",
      "usd_cents",
      "state",
      "quantity_units",
      "txid",
      "output_index",
      "transfer_id",
      "rejection_reason",
      "reviewed_at",
      "image_url",
    ],
    leftOut: {
      customer_id: "your id, in every row",
      submission_key: ours,
      slip_id: "see deposit_slips",
      review_action_id: ours,
    },
    erased: "stays: the journal rests on it",
  },
  deposit_addresses: {
    about: "The addresses that are yours to pay to.",
    rows: byCustomer,
    columns: ["address", "issued_at"],
    leftOut: { customer_id: "your id, in every row", wallet_id: ours, derivation_index: ours },
    erased: "stays: what arrives there later is still known to be yours",
  },
  deposit_slips: {
    about: "The slips that you uploaded. The pictures themselves are on the page of each deposit.",
    rows: byCustomer,
    columns: [
      "id",
      "original_name",
      "media_type",
      "byte_size",
      "sha256",
      "original_sha256",
      "created_at",
      "submitted_at",
      "erased_at",
    ],
    leftOut: {
      customer_id: "your id, in every row",
      file_key: "where the file lies",
      likeness_hash: "drawn from the picture, to find it again",
      thumbnail: "the same picture, smaller",
      stored_at: ours,
      discarded_at: ours,
      compared_at: ours,
    },
    erased:
      "drafts at once; pictures, names and likenesses of submitted ones by the sweep of deposits",
  },
  ledger_accounts: {
    about: "What stands in your accounts, in the smallest unit of each coin.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    columns: ["account", "asset", "balance", "entry_count"],
    leftOut: { owner_id: "your id, in every row" },
    erased: "stays: the journal is never rewritten",
  },
  ledger_transfers: {
    about: "Every transfer of yours in the journal.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    columns: [
      "number",
      "id",
      "kind",
      "day",
      "occurred_at",
      "created_at",
      "source",
      "memo",
      "reverses",
      "legs",
    ],
    leftOut: { key: ours, owner_id: "your id, in every row" },
    erased: "stays: the journal is never rewritten",
  },
  ledger_entries: {
    about: "Every entry on your accounts, in the smallest unit of each coin.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    columns: ["transfer_number", "account", "asset", "units", "sequence", "balance_after"],
    leftOut: { owner_id: "your id, in every row" },
    erased: "stays: the journal is never rewritten",
  },
  mails: {
    about: "The mails that we sent you. Of those with a link that opens something no text is kept.",
    rows: (person) =>
      person.emailVerified
        ? sql`(user_id = ${person.id} or recipient = ${person.email})`
        : byUser(person),
    columns: [
      "id",
      "created_at",
      "recipient",
      "template",
      "subject",
      "body_text",
      "state",
      "sent_at",
    ],
    // Who has somebody's session for a minute must not find the way back in here.
    read: { body_text: "case when holds_link then null else body_text end" },
    leftOut: {
      user_id: "your id, in every row",
      key: ours,
      body_html: "the same words as body_text",
      holds_link: ours,
      attempts: ours,
      last_error: ours,
      sending_until: ours,
      sent_via: ours,
      resent_by_act: ours,
      reply_to: "our own address",
      unsubscribe_url: secret,
    },
    erased: "deleted by platform/mail",
  },
  contact_threads: {
    about: "What you wrote to us while signed in.",
    rows: byCustomer,
    columns: [
      "id",
      "reference",
      "sender_name",
      "sender_email",
      "subject",
      "state",
      "created_at",
      "last_at",
    ],
    leftOut: {
      customer_id: "your id, in every row",
      is_suspected: ours,
      waiting_since: ours,
      revision: ours,
      changed_by_act: ours,
    },
    erased: "deleted by contact",
  },
  contact_messages: {
    about: "Your messages in these threads.",
    rows: ({ id }) => sql`thread_id in (select id from contact_threads where customer_id = ${id})`,
    columns: ["id", "thread_id", "created_at", "body"],
    leftOut: { submission_sha256: ours, proven: ours },
    erased: "deleted with their thread",
  },
  contact_replies: {
    about: "Our answers in these threads.",
    rows: ({ id }) => sql`thread_id in (select id from contact_threads where customer_id = ${id})`,
    columns: ["id", "thread_id", "created_at", "body"],
    leftOut: { submission_key: ours, act_id: ours },
    erased: "deleted with their thread",
  },
  newsletter_subscriptions: {
    about: "The newsletter to your address: when and how you agreed and left.",
    rows: byAddress(sql`email`),
    columns: [
      "email",
      "state",
      "asked_at",
      "source",
      "text_version",
      "confirmed_at",
      "ended_at",
      "ended_by",
    ],
    leftOut: {
      id: ours,
      confirmation_sha256: secret,
      confirmation_expires_at: ours,
      leaving_token: secret,
    },
    erased: "ended, and the address forgotten, by newsletter",
  },
  testimonials: {
    about: "That we asked you for some words, and what became of it.",
    rows: byCustomer,
    columns: [
      "id",
      "invitation",
      "invited_at",
      "declined_at",
      "withdrawn_at",
      "published_consent_id",
      "published_at",
      "contract_id",
      "net_result_units",
      "net_result_asset",
    ],
    leftOut: {
      customer_id: "your id, in every row",
      invited_by_act: ours,
      withdrawn_by_act: ours,
      published_by_act: ours,
      unpublished_by_act: ours,
    },
    erased: "stays: it names the account by its id",
  },
  testimonial_consents: {
    about: "The words that you agreed to have shown.",
    rows: byCustomer,
    columns: [
      "id",
      "testimonial_id",
      "words",
      "shown_name",
      "role",
      "image",
      "agreed_at",
      "ended_at",
      "ended_by",
    ],
    leftOut: { customer_id: "your id, in every row" },
    erased: "deleted by content",
  },
  adjustments: {
    about: "What the operator gave you of his own money, was proposed to give, or took back.",
    rows: byCustomer,
    columns: [
      "id",
      "kind",
      "asset",
      "units",
      "reason",
      "note",
      "reverses",
      "proposed_at",
      "state",
      "decided_at",
      "rejection_reason",
      "transfer_id",
    ],
    leftOut: {
      customer_id: "your id, in every row",
      submission_key: ours,
      evidence_id: "staff's own papers",
      txid: "always empty: a payment of the operator to himself",
      proposed_by: "a member of staff",
      proposed_by_act: ours,
      decided_by: "a member of staff",
      decided_by_act: ours,
    },
    erased: "stays: the journal rests on it",
  },
  staff_notes: {
    about: "What our staff wrote about you for each other. Who it was is not told.",
    rows: byCustomer,
    columns: ["id", "body", "written_at"],
    leftOut: {
      customer_id: "your id, in every row",
      written_by: "a member of staff",
      written_by_act: ours,
    },
    erased: "deleted by staff-notes",
  },
  customer_flags: {
    about: "When our staff were asked to look closer, and why. Only what is over.",
    // While it stands, somebody who takes what is not his would be warned; the law forbids that in some cases.
    rows: ({ id }) => sql`customer_id = ${id} and (lifted_at is not null or ends_at <= now())`,
    columns: ["id", "kind", "reason", "raised_at", "ends_at", "lifted_at"],
    leftOut: {
      customer_id: "your id, in every row",
      raised_by: "a member of staff",
      raised_by_act: ours,
      lifted_by: "a member of staff",
      lifted_by_act: ours,
    },
    erased: "deleted by staff-notes",
  },
  customer_views: {
    about: "When our staff looked at your account as you see it, and why.",
    rows: byCustomer,
    columns: ["id", "reason", "started_at", "ends_at", "ended_at"],
    leftOut: {
      customer_id: "your id, in every row",
      operator_id: "a member of staff",
      session_id: "of a member of staff",
      act_id: ours,
    },
    erased: "stays: staff acts rest on it",
  },
  data_exports: {
    about: "Copies like this one that you asked for.",
    rows: byCustomer,
    columns: ["id", "state", "asked_at", "ready_at", "expires_at", "ended_at", "byte_size"],
    leftOut: { customer_id: "your id, in every row", file_key: "where the file lies", secret },
    erased: "ended, with their files",
  },
  residence_statements: {
    about: "Where you said that you live.",
    rows: byCustomer,
    columns: ["id", "country", "stated_at"],
    leftOut: { customer_id: "your id, in every row" },
    erased: keptByLaw,
  },
  verification_drafts: {
    about: "What you have entered for your verification and not submitted yet.",
    rows: byCustomer,
    columns: [
      "updated_at",
      "legal_name",
      "date_of_birth",
      "address_line",
      "address_line_2",
      "postal_code",
      "city",
      "region",
      "details_saved_at",
      "identity_kind",
      "identity_expires_on",
      "second_proof",
    ],
    leftOut: { customer_id: "your id, in every row" },
    erased: "deleted by verification",
  },
  verification_documents: {
    about: "The documents that you uploaded. The pictures themselves are shown to verifiers alone.",
    rows: byCustomer,
    columns: [
      "id",
      "purpose",
      "original_name",
      "media_type",
      "byte_size",
      "created_at",
      "stored_at",
      "replaced_at",
      "erasing_at",
      "erased_at",
    ],
    leftOut: {
      customer_id: "your id, in every row",
      file_key: "where the file lies",
      key_id: secret,
      wrapped_key: secret,
    },
    erased: "by the sweep of verification, 30 days after the decision at the latest",
  },
  verification_submissions: {
    about: "What you submitted for your verification, and what was decided.",
    rows: byCustomer,
    columns: [
      "id",
      "submitted_at",
      "legal_name",
      "date_of_birth",
      "country",
      "address_line",
      "address_line_2",
      "postal_code",
      "city",
      "region",
      "identity_kind",
      "identity_expires_on",
      "second_proof",
      "state",
      "decided_at",
      "valid_until",
      "expired_at",
    ],
    leftOut: {
      customer_id: "your id, in every row",
      second_review_reason: "how risks are judged",
      second_review_act: ours,
    },
    erased: keptByLaw,
  },
  verification_submission_documents: {
    about: "Which document belongs to which submission.",
    rows: byCustomer,
    columns: ["submission_id", "document_id"],
    leftOut: { customer_id: "your id, in every row" },
    erased: "goes with the submission",
  },
  account_closings: {
    about: "When you wanted to leave, and what became of it.",
    rows: byCustomer,
    columns: ["asked_at", "state", "closed_at", "erase_after", "ended_at"],
    leftOut: { id: ours, customer_id: "your id, in every row", return_token_sha256: secret },
    erased: "stays: it names the account by its id",
  },
};

/** Tables that name a user or a customer, and hold nothing about one. */
export const notPersonal: Record<string, string> = {
  operators: "staff, who are no customers",
  staff_changes: "staff, who are no customers",
  passkey_challenges: "questions to an authenticator, random and gone within minutes",
};
