import { readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { type SQL, sql } from "#server/platform/sql.ts";

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
  /** The column whose order the rows have, where it is not the first one. */
  sortedBy?: string;
  /** How a column is read, where not as it stands. */
  read?: Record<string, string>;
  /** Columns that are not in the export, and why; those that say whose a row is never are. All others are. */
  leftOut?: Record<string, string>;
  /** What becomes of the rows when the account is erased. */
  erased: string;
}

const secret = "a secret that opens something, or its hash";
const keptByLaw =
  "deleted by verification; of who had money in the ledger the last approval and country stay five years, as the law on money laundering asks";
const ours = "our own bookkeeping, not about the person";
const byUser = ({ id }: Subject) => sql`user_id = ${id}`;
const byCustomer = ({ id }: Subject) => sql`customer_id = ${id}`;
/** Rows that are known by an address alone. */
const byAddress = (column: SQL) => (person: Subject) =>
  person.emailVerified ? sql`${column} = ${person.email}` : sql`false`;

/** They have the person's own id, in every row. */
const ofPerson = ["user_id", "customer_id", "owner_id"];

/** What a table's export shows: every column of the catalogue, but those left out. */
export async function listExportedColumns(db: Db | Tx, name: string): Promise<string[]> {
  const table = personalTables[name];
  if (!table) throw new Error(`no table ${name}`);
  const rows = await readRows(
    db,
    sql`select attname as column from pg_attribute
         where attrelid = ${name}::regclass and attnum > 0 and not attisdropped order by attnum`,
    { column: text },
  );
  return rows
    .map(({ column }) => column)
    .filter((column) => !ofPerson.includes(column) && !(column in (table.leftOut ?? {})));
}

/**
 * Every table that holds something about a customer: what of it the customer gets in an export, and what becomes of
 * it when the account is erased. A test walks the database's catalogue and fails for what is missing here.
 */
export const personalTables: Record<string, PersonalTable> = {
  users: {
    about: "Your name and contact details.",
    rows: ({ id }) => sql`id = ${id}`,
    leftOut: { kind: "always customer", name: "first and last name together" },
    erased: "emptied by identity/erase-person: the id stays, pseudonymous",
  },
  customers: {
    about: "Your account: when you accepted the terms, and the message above your dashboard.",
    rows: ({ id }) => sql`id = ${id}`,
    leftOut: { kind: "always customer", dashboard_message_act: ours },
    erased: "emptied by identity/erase-person",
  },
  accepted_texts: {
    about: "Which terms and which privacy policy you accepted.",
    rows: byCustomer,
    read: { sha256: "encode(sha256, 'hex')" },
    erased:
      "stays: what was agreed is proof for both sides, and has no name once the person is erased",
  },
  customer_settings: {
    about: "What you chose in your profile.",
    rows: byCustomer,
    erased: "deleted by identity/erase-person",
  },
  muted_notices: {
    about: "What you want no mail about.",
    rows: byCustomer,
    erased: "deleted by identity/erase-person",
  },
  mail_phrases: {
    about: "The phrase that every mail to you carries.",
    rows: byUser,
    erased: "deleted by platform/mail",
  },
  credentials: {
    about: "That you have a password, and since when. The password itself is nowhere.",
    rows: byUser,
    leftOut: { password: secret },
    erased: "deleted by identity/erase-person",
  },
  sessions: {
    about: "Where you are signed in.",
    rows: byUser,
    leftOut: { token_sha256: secret },
    erased: "deleted when the account is closed",
  },
  mailed_links: {
    about: "Links that we mailed to you, and what became of them.",
    rows: byUser,
    leftOut: { id: ours, token_sha256: secret },
    erased: "deleted by identity/erase-person",
  },
  freeze_links: {
    about: "Links in mails about security that freeze the account.",
    rows: byUser,
    leftOut: { id: ours, token_sha256: secret },
    erased: "deleted by identity/erase-person",
  },
  pending_mfa_sessions: {
    about: "Sign-ins that wait for a second factor.",
    sortedBy: "created_at",
    rows: byUser,
    leftOut: { id: ours, token_sha256: secret },
    erased: "deleted when the account is closed",
  },
  totp_secrets: {
    about: "Your authenticator app.",
    rows: byUser,
    leftOut: {
      id: ours,
      sealed_secret: secret,
      key_name: ours,
      begun_in: ours,
      last_step: ours,
    },
    erased: "deleted by identity/erase-person",
  },
  recovery_codes: {
    about: "Your recovery codes: that they exist, and which were used.",
    rows: byUser,
    leftOut: { id: ours, code_sha256: secret },
    erased: "deleted by identity/erase-person",
  },
  passkeys: {
    about: "Your passkeys.",
    rows: byUser,
    leftOut: {
      id: ours,
      credential_id: "only your authenticator can use it",
      public_key: "only your authenticator can use it",
    },
    erased: "deleted by identity/erase-person",
  },
  account_freezes: {
    about: "When your account was frozen, and why.",
    sortedBy: "frozen_at",
    rows: byUser,
    leftOut: {
      id: ours,
      frozen_by_act: ours,
      lifted_by_act: ours,
    },
    erased: "stays: staff acts rest on it",
  },
  email_changes: {
    about: "Changes of your e-mail address that were asked for.",
    rows: byUser,
    leftOut: {
      id: ours,
      old_token_sha256: secret,
      new_token_sha256: secret,
    },
    erased: "deleted by identity/erase-person",
  },
  account_events: {
    about: "What happened to your account.",
    rows: byUser,
    leftOut: { id: ours, position: ours },
    erased: "stays, without addresses, browsers and details",
  },
  money_holds: {
    about: "When money could not leave your account, and why.",
    rows: byUser,
    leftOut: { id: ours, written_in: ours },
    erased: "stays: it has no name",
  },
  audit_log: {
    about: "What staff did to your account, without their names.",
    // That colleagues were asked to look closer is told once it is over: see customer_flags.
    sortedBy: "occurred_at",
    rows: ({ id }) =>
      sql`customer_id = ${id} and act not in ('staff-notes/raise-flag', 'staff-notes/lift-flag')`,
    leftOut: {
      id: ours,
      position: ours,
      operator_id: "a member of staff",
      request_id: ours,
    },
    erased: "stays: it only grows, and names the account by its id",
  },
  deposits: {
    about: "Your deposits.",
    rows: byCustomer,
    leftOut: {
      submission_key: ours,
      slip_id: "see deposit_slips",
      review_action_id: ours,
      resolution_id: ours,
      payment_price_id: "the stored price, which is not about you",
    },
    erased: "stays: the ledger rests on it",
  },
  deposit_addresses: {
    about: "The addresses that are yours to pay to.",
    rows: byCustomer,
    leftOut: {
      wallet_id: ours,
      branch: ours,
      derivation_index: ours,
    },
    erased: "stays: what arrives there later is still known to be yours",
  },
  chain_payments: {
    about: "What was paid to your addresses, as the chain says it.",
    rows: ({ id }) =>
      sql`address in (select a.address from deposit_addresses a where a.customer_id = ${id})`,
    leftOut: {
      ask_at: ours,
      refusals: ours,
      resolution_id: ours,
      counts: "follows from the other columns",
    },
    erased: "stays: public anyway, and the ledger rests on it",
  },
  deposit_slips: {
    about: "The slips that you uploaded. The pictures themselves are on the page of each deposit.",
    rows: byCustomer,
    leftOut: {
      file_key: "the file's address",
      stored_at: ours,
      discarded_at: ours,
    },
    erased: "drafts at once; pictures and names of submitted ones by the sweep of deposits",
  },
  ledger_accounts: {
    about: "The balances of your accounts, in the smallest unit of each coin.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    erased: "stays: the ledger is never rewritten",
  },
  ledger_transfers: {
    about: "Every transfer of your accounts in the ledger.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    leftOut: { key: ours },
    erased: "stays: the ledger is never rewritten",
  },
  ledger_entries: {
    about: "Every entry on your accounts, in the smallest unit of each coin.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    erased: "stays: the ledger is never rewritten",
  },
  ledger_openings: {
    about: "What stood in your accounts before the months that are shown here.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    erased: "stays: the ledger is never rewritten",
  },
  ledger_opening_totals: {
    about: "What had moved your accounts before the months that are shown here.",
    rows: ({ id }) => sql`owner_id = ${id}`,
    erased: "stays: the ledger is never rewritten",
  },
  issued_statements: {
    about: "Statements that you printed, each with the code by which anyone can check it.",
    rows: byCustomer,
    read: { sha256: "encode(sha256, 'hex')" },
    leftOut: { id: ours },
    erased: "stays: the holder of the paper can still check it, and it has no name",
  },
  notices: {
    about: "What we told you in your account.",
    rows: byCustomer,
    leftOut: { key: ours, path: "a page of your account" },
    erased: "deleted",
  },
  mail_keys: {
    about: "Which mails we sent you, also where they are no longer in the database.",
    rows: byUser,
    leftOut: { key: ours },
    erased: "deleted by platform/mail",
  },
  mails: {
    about: "The mails that we sent you. Of those with a link that opens something no text is kept.",
    rows: (person) =>
      person.emailVerified
        ? sql`(user_id = ${person.id} or recipient = ${person.email})`
        : byUser(person),
    // Who has somebody's session for a minute must not find the way back in here.
    read: { body_text: "case when holds_link then null else body_text end" },
    leftOut: {
      body_html: "the same words as body_text",
      holds_link: ours,
      attempts: ours,
      last_error: ours,
      sending_until: ours,
      sent_via: ours,
      resent_by_act: ours,
      reply_to: "our own address",
    },
    erased: "deleted by platform/mail",
  },
  contact_threads: {
    about: "What you wrote to us while signed in.",
    rows: byCustomer,
    leftOut: {
      has_news: ours,
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
    leftOut: { submission_sha256: ours, proven: ours },
    erased: "deleted with their thread",
  },
  contact_files: {
    about: "The files that you sent along. The files themselves are on the page of each message.",
    rows: byCustomer,
    read: { sha256: "encode(sha256, 'hex')" },
    leftOut: { file_key: "where the file is" },
    erased: "names at once; files and rows within a day, by the sweep of contact",
  },
  contact_replies: {
    about: "Our answers in these threads.",
    rows: ({ id }) => sql`thread_id in (select id from contact_threads where customer_id = ${id})`,
    leftOut: { submission_key: ours, act_id: ours },
    erased: "deleted with their thread",
  },
  newsletter_subscriptions: {
    about: "The newsletter to your address: when and how you agreed and left.",
    rows: byAddress(sql`email`),
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
    leftOut: {
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
    erased: "deleted by content",
  },
  adjustments: {
    about:
      "What the operator gave you, was proposed to give you, or reversed (goodwill or subsidy).",
    rows: byCustomer,
    leftOut: {
      submission_key: ours,
      evidence_id: "staff's own papers",
      txid: "always empty: a payment of the operator to himself",
      fee_units: "always empty: of payments that the operator sent",
      is_on_chain: "always false: of payments that the operator sent",
      proposed_by: "a member of staff",
      proposed_by_act: ours,
      decided_by: "a member of staff",
      decided_by_act: ours,
    },
    erased: "stays: the ledger rests on it",
  },
  staff_notes: {
    about: "What our staff wrote about you for each other, without their names.",
    rows: byCustomer,
    leftOut: {
      written_by: "a member of staff",
      written_by_act: ours,
    },
    erased: "deleted by staff-notes",
  },
  customer_flags: {
    about: "When our staff were asked to look closer, and why. Only what is over.",
    // While it stands, somebody who takes what is not his would be warned; the law forbids that in some cases.
    rows: ({ id }) => sql`customer_id = ${id} and (lifted_at is not null or ends_at <= now())`,
    leftOut: {
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
    leftOut: {
      operator_id: "a member of staff",
      session_id: "of a member of staff",
      act_id: ours,
    },
    erased: "stays: staff acts rest on it",
  },
  data_exports: {
    about: "Copies like this one that you asked for.",
    rows: byCustomer,
    leftOut: { file_key: "the file's address", secret },
    erased: "ended, with their files",
  },
  residence_statements: {
    about: "Where you said that you live.",
    rows: byCustomer,
    erased: keptByLaw,
  },
  kyc_drafts: {
    about: "What you have entered for your verification and not submitted yet.",
    rows: byCustomer,
    erased: "deleted by verification",
  },
  kyc_documents: {
    about: "The documents that you uploaded. The pictures themselves are shown to verifiers alone.",
    rows: byCustomer,
    leftOut: {
      file_key: "the file's address",
      key_id: secret,
      wrapped_key: secret,
    },
    erased: "by the sweep of verification, 30 days after the decision at the latest",
  },
  kyc_submissions: {
    about: "What you submitted for your verification, and what was decided.",
    rows: byCustomer,
    leftOut: {
      second_review_reason: "how risks are judged",
      second_review_act: ours,
    },
    erased: keptByLaw,
  },
  kyc_submission_documents: {
    about: "Which document belongs to which submission.",
    rows: byCustomer,
    erased: "goes with the submission",
  },
  contract_quotes: {
    about: "Prices that you asked for before buying a contract.",
    rows: byCustomer,
    erased: "deleted after a week by contracts; those of contracts stay",
  },
  contracts: {
    about: "Your mining contracts.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  receipt_links: {
    about: "Links with which you shared a receipt.",
    rows: ({ id }) => sql`contract_id in (select id from contracts where customer_id = ${id})`,
    leftOut: { token: secret },
    erased: "stays: a receipt has no name",
  },
  mining_contract_days: {
    about: "What each contract earned and owed on each day.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  mining_customer_days: {
    about: "What all your contracts together earned and owed on each day.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  mining_customer_corrections: {
    about: "What changed because a pool had paid another amount than was recorded first.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  maintenance_arrears: {
    about: "Maintenance that your balance did not cover, and what became of it.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  maintenance_clocks: {
    about: "Clocks that ran while maintenance was unpaid.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  proof_leaves: {
    about: "Your place in the trees of what we owe to all customers, of the last 31 days.",
    sortedBy: "day",
    rows: byCustomer,
    leftOut: { entry_counts: ours },
    erased: "deleted by proof/erase-leaves-of; the hash of each leaf stays in its tree",
  },
  mining_failures: {
    about: "Work for you that failed, and that we try again.",
    rows: byCustomer,
    leftOut: { told_at: "when our staff were told" },
    erased: "stays until it succeeds, then the row is deleted",
  },
  contract_endings: {
    about: "How your contracts ended, and what of their price was paid back.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  inactivity_notices: {
    about: "That we told you about the fixed daily fee without a contract.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  inactivity_fees: {
    about: "The fixed daily fees without a contract.",
    rows: byCustomer,
    erased: "stays: the ledger rests on it",
  },
  digest_choices: {
    about: "How often you want to read what was credited.",
    rows: byCustomer,
    erased: "stays: it names the account by its id",
  },
  withdrawal_addresses: {
    about: "Addresses that you had coins sent to, by the names that you gave them.",
    rows: byCustomer,
    leftOut: { id: ours },
    erased: "deleted by withdrawals",
  },
  withdrawals: {
    about: "What you had paid out, where to, and what became of it.",
    rows: byCustomer,
    leftOut: {
      request_key: ours,
      confirm_token_sha256: secret,
      confirm_by: ours,
      approved_by: "a member of staff",
      approved_by_act: ours,
      batch_id: ours,
      ended_by_act: ours,
    },
    erased: "stays: the ledger rests on it",
  },
  left_remainders: {
    about: "What you left to the operator because it was too little to be sent, or not worth it.",
    rows: byCustomer,
    leftOut: { id: ours, closing_id: ours },
    erased: "stays: the ledger rests on it",
  },
  account_closings: {
    about: "When you wanted to leave, and what became of it.",
    sortedBy: "asked_at",
    rows: byCustomer,
    leftOut: { id: ours, return_token_sha256: secret },
    erased: "stays: it names the account by its id",
  },
};

/** Tables that name a user or a customer, and hold nothing about one. */
export const notPersonal: Record<string, string> = {
  operators: "staff, who are no customers",
  staff_changes: "staff, who are no customers",
  passkey_challenges: "questions to an authenticator, random and gone within minutes",
};
