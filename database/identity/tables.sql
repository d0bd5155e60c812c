-- People sign in as users. Each is a customer or an operator, never both: the kind is part of the key that others refer to.
create table users (
  id uuid primary key, kind text not null constraint users_are_customers_or_operators check (kind in ('customer', 'operator')),
  email text not null constraint emails_are_stored_in_lower_case check (email = lower(email))
    constraint emails_have_at_most_254_characters check (length(email) <= 254) constraint one_user_per_email unique,
  first_name text not null, last_name text not null, -- What they hold: `names_are_names`.
  name text generated always as (first_name || ' ' || last_name) stored not null,
  email_verified boolean not null default false, created_at timestamptz not null, updated_at timestamptz not null,
  constraint users_keep_their_kind unique (id, kind), constraint users_and_their_addresses unique (id, email)
);
-- The console searches by parts of names and addresses. Trigrams make that quick; PostgreSQL without them is only slower.
do $$
begin
  create extension if not exists pg_trgm;
  create index users_by_part_of_name_or_email on users using gin ((name || ' ' || email) gin_trgm_ops);
exception when undefined_file or feature_not_supported or insufficient_privilege or undefined_object then
  raise notice 'pg_trgm is not available: searching customers reads them all';
end $$;

-- What somebody signs in with; null: a link sets it first.
create table credentials (
  user_id uuid primary key references users,
  password text constraint passwords_are_hashed_with_argon2id check (password like '$argon2id$v=19$%'),
  created_at timestamptz not null, updated_at timestamptz not null
);

create table sessions (
  id uuid primary key, user_id uuid not null references users, expires_at timestamptz not null,
  ip_address text, user_agent text, created_at timestamptz not null, token_sha256 bytea not null constraint one_session_per_token unique,
  proved_by text not null constraint sessions_rest_on_a_known_proof check (proved_by in ('password', 'totp', 'recovery-code', 'passkey')),
  proved_at timestamptz not null, last_used_at timestamptz not null default now(),
  idle_minutes integer not null default 30 constraint sessions_end_when_idle check (idle_minutes between 1 and 43200)
);
create index sessions_of_a_user on sessions (user_id);

-- A used or expired link stays for a while: its page says what happened. A newer one of its purpose, or a new password, revokes it.
create table mailed_links (
  id uuid primary key, user_id uuid not null references users,
  purpose text not null constraint links_have_a_known_purpose check (purpose in ('verify-email', 'reset-password', 'operator-invitation')),
  email text not null, token_sha256 bytea not null constraint one_link_per_token unique,
  created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz, revoked_at timestamptz
);
create index mailed_links_of_a_user on mailed_links (user_id, purpose);

-- How often something was tried within a window of time. The key is a hash: it names no person.
create table attempts (key bytea primary key, count integer not null, window_ends_at timestamptz not null);

-- The secret of an authenticator app (RFC 6238), encrypted with a key that is not in the database. A new one is tried
-- before it takes the old one's place. `last_step`: the 30-second step of the newest code that was taken.
create table totp_secrets (
  id uuid primary key, user_id uuid not null references users, sealed_secret bytea not null,
  created_at timestamptz not null, confirmed_at timestamptz, last_step bigint not null default 0,
  key_name text constraint keys_have_short_names check (key_name ~ '^[0-9a-f]{8}$'), begun_in uuid,
  constraint an_app_is_set_up_in_one_sign_in check (confirmed_at is not null or begun_in is not null)
);
comment on column totp_secrets.last_step is 'ts: number';
create unique index one_authenticator_app_per_user on totp_secrets (user_id) where confirmed_at is not null;
create unique index one_authenticator_app_being_set_up on totp_secrets (user_id) where confirmed_at is null;

-- 120 random bits each, so a plain hash is enough.
create table recovery_codes (
  id uuid primary key, user_id uuid not null references users,
  code_sha256 bytea not null constraint one_recovery_code_per_hash unique, created_at timestamptz not null, used_at timestamptz
);
create index recovery_codes_of_a_user on recovery_codes (user_id);

create table passkeys (
  id uuid primary key, user_id uuid not null references users,
  name text not null constraint passkeys_have_names_of_1_to_60_characters check (length(name) between 1 and 60),
  credential_id bytea not null constraint one_passkey_per_credential unique, public_key bytea not null, sign_count bigint not null,
  transports text[] not null default '{}', created_at timestamptz not null, last_used_at timestamptz
);
comment on column passkeys.sign_count is 'ts: number';
create index passkeys_of_a_user on passkeys (user_id);

-- What an authenticator is asked to sign, once.
create table passkey_challenges (
  challenge bytea primary key, user_id uuid references users, expires_at timestamptz not null,
  purpose text not null constraint challenges_have_a_known_purpose check (purpose in ('register', 'prove', 'sign-in')),
  constraint only_a_sign_in_does_not_know_whom_it_asks check ((purpose = 'sign-in') = (user_id is null))
);

-- The password was right, the second factor is still to come. This is no session: nothing can be read with it.
create table pending_mfa_sessions (
  id uuid primary key, user_id uuid not null references users, token_sha256 bytea not null
    constraint one_pending_mfa_session_per_token unique, remember_me boolean not null, known_device boolean not null,
  attempts integer not null default 0 constraint pending_mfa_sessions_allow_five_attempts check (attempts between 0 and 5),
  created_at timestamptz not null, expires_at timestamptz not null,
  constraint pending_mfa_sessions_end_after_ten_minutes check (expires_at <= created_at + interval '10 minutes')
);
create index pending_mfa_sessions_of_a_user on pending_mfa_sessions (user_id);

-- What a person's own account has been through. Staff acts are in the audit log and not repeated here.
create table account_events (
  id uuid primary key, position bigint generated always as identity, user_id uuid not null, occurred_at timestamptz not null,
  event text not null constraint account_events_have_plain_names check (event ~ '^[a-z]+(-[a-z]+)*$'),
  by text not null constraint account_events_name_who_did_it check (by in ('self', 'staff', 'system')),
  detail jsonb not null default '{}' constraint account_event_details_are_objects check (jsonb_typeof(detail) = 'object'),
  ip_address text, user_agent text constraint account_events_keep_300_characters_of_a_browser check (length(user_agent) <= 300)
) partition by range (id);
comment on column account_events.position is 'ts: number';
create table account_events_rest partition of account_events default;
create index account_events_of_a_user on account_events (user_id, position desc);

create table money_holds (
  id uuid primary key, user_id uuid not null references users, reason text not null constraint holds_have_a_known_reason
    check (reason in ('password-changed', 'email-changed', 'mfa-changed', 'account-unfrozen')),
  starts_at timestamptz not null, ends_at timestamptz not null,
  written_in xid8 not null default pg_current_xact_id(), -- A change looks for a hold of its own transaction.
  constraint money_is_held_for_a_day check (ends_at >= starts_at + interval '24 hours')
);
create index money_holds_of_a_user on money_holds (user_id, ends_at desc);

-- A link in a security mail freezes the account, once, without signing in. Only the token's hash is kept.
create table freeze_links (
  id uuid primary key, user_id uuid not null references users, token_sha256 bytea not null constraint one_freeze_link_per_token unique,
  created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz,
  constraint freeze_links_end_after_seven_days check (expires_at <= created_at + interval '7 days')
);

create table email_changes (
  id uuid primary key, user_id uuid not null references users, old_email text not null,
  new_email text not null constraint new_emails_are_stored_in_lower_case check (new_email = lower(new_email))
    constraint new_emails_are_one_line check (length(new_email) <= 254 and new_email !~ '[[:cntrl:][:space:]]'),
  old_token_sha256 bytea not null constraint one_change_per_old_token unique,
  new_token_sha256 bytea constraint one_change_per_new_token unique, -- Null: the new address is another user's, who is not asked.
  old_confirmed_at timestamptz, new_confirmed_at timestamptz, asked_at timestamptz not null, expires_at timestamptz not null,
  ended_at timestamptz, outcome text constraint email_changes_are_made_replaced_cancelled_or_refused
    check (outcome in ('changed', 'replaced', 'cancelled', 'refused')),
  constraint new_emails_are_new check (old_email <> new_email),
  constraint email_changes_end_in_one_way check ((ended_at is null) = (outcome is null)),
  constraint only_who_was_asked_confirms check (new_confirmed_at is null or new_token_sha256 is not null),
  constraint emails_change_when_both_addresses_agree check (outcome <> 'changed' or num_nulls(old_confirmed_at, new_confirmed_at) = 0)
);
create unique index one_open_email_change_per_user on email_changes (user_id) where ended_at is null;

create table customers (
  id uuid primary key, kind text generated always as ('customer'::text) stored not null, accepted_terms_at timestamptz not null,
  dashboard_message text not null default ''
    constraint dashboard_messages_have_at_most_500_characters check (length(dashboard_message) <= 500),
  dashboard_message_expires_at timestamptz, created_at timestamptz not null, dashboard_message_act uuid, closed_at timestamptz,
  erased_at timestamptz, -- Since when nothing here says which person it was.
  constraint customers_are_users_of_that_kind foreign key (id, kind) references users (id, kind),
  constraint dashboard_messages_are_written_by_an_act check (dashboard_message = '' or dashboard_message_act is not null),
  constraint only_the_closed_are_erased check (erased_at is null or closed_at is not null)
);
create index customers_newest_first on customers (created_at desc, id desc);

create table customer_settings (
  customer_id uuid primary key references customers, phone text constraint phones_are_stored_as_e164 check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  -- Null: the site's own way, and the zone of whatever device shows the page.
  locale text constraint locales_are_tags check (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$'),
  time_zone text constraint time_zones_are_names check (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'), changed_at timestamptz not null,
  display_currency text not null default 'USD'
    constraint values_are_shown_in_what_has_a_price check (display_currency in ('USD', 'BTC', 'ETH'))
);
comment on column customer_settings.locale is 'ts: FormatLocale from #core/people/locale-preferences.ts';

-- What a customer wants no mail about. What is not listed is mailed.
create table muted_notices (
  customer_id uuid references customers, event text constraint muted_events_are_named check (event ~ '^[a-z]+(-[a-z]+)*$'),
  muted_at timestamptz not null, primary key (customer_id, event)
);
comment on column muted_notices.event is 'ts: NoticeEvent from #core/notice-events.ts';

create table accepted_texts (
  customer_id uuid references customers,
  text text constraint texts_that_are_accepted_are_listed check (text in ('terms', 'privacy')), version text,
  -- Of the plain text that applied: core/legal/plain-text.ts.
  sha256 bytea not null constraint accepted_texts_are_known_by_their_sha256 check (length(sha256) = 32), accepted_at timestamptz not null,
  constraint a_version_is_accepted_once primary key (customer_id, text, version)
);

create table operators (
  id uuid primary key, kind text generated always as ('operator'::text) stored not null, role text not null
    constraint operators_have_a_known_role check (role in ('support', 'verifier', 'treasurer', 'approver', 'content', 'auditor', 'owner')),
  state text not null default 'active' constraint operators_are_active_or_suspended check (state in ('active', 'suspended')),
  created_at timestamptz not null, created_by_act uuid not null, changed_by_act uuid, gets_morning_mail boolean not null default true,
  constraint operators_are_users_of_that_kind foreign key (id, kind) references users (id, kind),
  constraint operators_are_suspended_by_an_act check (state = 'active' or changed_by_act is not null)
);

-- One row for every staff act, written in its transaction. No operator: a command on the server itself.
create table audit_log (
  id uuid primary key, position bigint generated always as identity constraint one_act_per_position unique,
  act text not null constraint acts_are_written_room_and_verb check (act ~ '^[a-z]+(-[a-z]+)*/[a-z]+(-[a-z]+)*$'),
  operator_id uuid references operators, customer_id uuid references customers,
  subject text not null constraint subjects_are_named check (length(subject) between 1 and 200),
  detail jsonb not null default '{}' constraint details_are_objects check (jsonb_typeof(detail) = 'object'),
  request_id text, occurred_at timestamptz not null
);
comment on column audit_log.position is 'ts: number';
create index audit_log_of_a_customer on audit_log (customer_id, position desc);
create index audit_log_of_an_operator on audit_log (operator_id, position desc);
create index audit_log_by_act on audit_log (act, position desc);
create index audit_log_by_time on audit_log (occurred_at);
-- One signature approves once.
create unique index one_act_per_signature on audit_log ((detail -> 'passkey' ->> 'asked')) where detail ? 'passkey';

-- Links count from 1, without gaps, in the order of the commits. The hash before the first is 32 zero bytes.
create table audit_chain (
  link bigint constraint links_count_from_one check (link >= 1) primary key,
  act_id uuid not null constraint one_link_per_act unique references audit_log,
  previous_hash bytea not null constraint previous_hashes_have_32_bytes check (length(previous_hash) = 32),
  hash bytea not null constraint hashes_have_32_bytes check (length(hash) = 32) constraint one_link_per_hash unique
);
comment on column audit_chain.link is 'ts: number';

create table staff_changes (
  id uuid primary key, operator_id uuid references operators, -- The operator it concerns; null: the person is to become one.
  kind text not null constraint staff_changes_are_of_a_known_kind check (kind in ('invite', 'suspend', 'reinstate', 'change-role')),
  email text, first_name text, last_name text, role text constraint staff_changes_give_a_known_role
    check (role in ('support', 'verifier', 'treasurer', 'approver', 'content', 'auditor', 'owner')),
  reason text not null default '' constraint reasons_are_short check (length(reason) <= 500),
  proposed_by uuid not null references operators, proposed_by_act uuid not null constraint one_proposal_per_act unique references audit_log,
  proposed_at timestamptz not null, expires_at timestamptz not null, state text not null default 'open'
    constraint staff_changes_have_a_known_state check (state in ('open', 'confirmed', 'declined', 'withdrawn', 'ended')),
  decided_by uuid references operators, decided_by_act uuid constraint one_decision_per_act unique references audit_log,
  decided_at timestamptz, ended_by_act uuid references audit_log,
  constraint staff_changes_say_whom_they_concern check (case when kind = 'invite' then num_nonnulls(email, first_name, last_name, role) = 4
    else operator_id is not null and num_nonnulls(email, first_name, last_name) = 0 and (role is not null) = (kind = 'change-role') end),
  constraint staff_changes_expire_after_7_days check (expires_at = proposed_at + interval '168 hours'),
  constraint nobody_confirms_his_own_proposal check (state not in ('confirmed', 'declined') or decided_by <> proposed_by),
  constraint nobody_decides_about_himself check (state not in ('confirmed', 'declined') or decided_by <> operator_id),
  constraint who_proposed_may_withdraw check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint nothing_is_confirmed_too_late check (state <> 'confirmed' or decided_at < expires_at),
  constraint decisions_have_an_act check (case state when 'open' then num_nonnulls(decided_by, decided_by_act, ended_by_act, decided_at) = 0
    when 'ended' then num_nonnulls(decided_by, decided_by_act) = 0 and num_nonnulls(ended_by_act, decided_at) = 2
    else ended_by_act is null and num_nonnulls(decided_by, decided_by_act, decided_at) = 3 end)
);

-- No session, no change, no withdrawal: by its owner's link, or an act of staff, who alone lift it. The owner reads the reason.
create table account_freezes (
  id uuid primary key, user_id uuid not null references users,
  by text not null constraint accounts_are_frozen_by_their_owner_or_staff check (by in ('self', 'staff')),
  reason text not null constraint freezes_have_a_reason check (length(reason) between 1 and 1000),
  frozen_at timestamptz not null, frozen_by_act uuid references audit_log, lifted_at timestamptz, lifted_by_act uuid references audit_log,
  lift_reason text constraint lifts_have_a_reason check (length(lift_reason) between 1 and 1000),
  constraint staff_freeze_by_an_act check ((by = 'staff') = (frozen_by_act is not null)),
  constraint freezes_are_lifted_by_an_act check (num_nulls(lifted_at, lifted_by_act, lift_reason) in (0, 3))
);
create unique index one_freeze_at_a_time on account_freezes (user_id) where lifted_at is null;

-- The session is no foreign key, because the row outlives it. The customer reads the reason.
create table customer_views (
  id uuid primary key, operator_id uuid not null references operators, session_id uuid not null,
  customer_id uuid not null references customers, started_at timestamptz not null, ends_at timestamptz not null, ended_at timestamptz,
  reason text not null constraint views_have_a_reason check (length(trim(reason)) between 1 and 1000),
  act_id uuid not null constraint one_view_per_act unique references audit_log,
  constraint views_last_a_quarter_of_an_hour check (ends_at > started_at and ends_at <= started_at + interval '15 minutes')
);
create unique index one_view_per_session on customer_views (session_id) where ended_at is null;
create index customer_views_of_a_customer on customer_views (customer_id, started_at desc);

alter table mail_phrases
  add constraint phrases_follow_the_address foreign key (user_id, recipient) references users (id, email) on update cascade;
alter table customers add constraint customers_dashboard_message_act_fkey foreign key (dashboard_message_act) references audit_log;
alter table operators add constraint operators_created_by_act_fkey foreign key (created_by_act) references audit_log,
  add constraint operators_changed_by_act_fkey foreign key (changed_by_act) references audit_log;
