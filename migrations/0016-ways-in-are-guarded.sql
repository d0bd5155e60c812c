-- A session says by what its owner last showed who he is, and when. Only the hash of its cookie is kept from
-- here on, so everybody signs in once more.
delete from sessions;
alter table sessions
  drop column token,
  drop column updated_at,
  add column token_sha256 bytea not null constraint one_session_per_token unique,
  add column proved_by text not null
    constraint sessions_rest_on_a_known_proof
      check (proved_by in ('password', 'totp', 'recovery-code', 'passkey')),
  add column proved_at timestamptz not null;
grant update (proved_by, proved_at) on sessions to assay_app;

-- The secret of an authenticator app (RFC 6238), encrypted with a key that is not in the database. A new one is
-- tried before it takes the old one's place.
create table totp_secrets (
  id uuid primary key,
  user_id uuid not null references users,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The 30-second step of the newest code that was taken.
  last_step bigint not null default 0
);
create unique index one_authenticator_app_per_user on totp_secrets (user_id) where confirmed_at is not null;
create unique index one_authenticator_app_being_set_up on totp_secrets (user_id) where confirmed_at is null;

create function refuse_a_code_again() returns trigger language plpgsql as $$
begin
  raise exception 'a code works once' using errcode = 'check_violation', constraint = 'a_code_works_once';
end
$$;
create trigger a_code_works_once before update of last_step on totp_secrets
  for each row when (new.last_step <= old.last_step) execute function refuse_a_code_again();

-- 120 random bits each, so a plain hash is enough.
create table recovery_codes (
  id uuid primary key,
  user_id uuid not null references users,
  code_sha256 bytea not null constraint one_recovery_code_per_hash unique,
  created_at timestamptz not null,
  used_at timestamptz
);
create index recovery_codes_of_a_user on recovery_codes (user_id);
create trigger a_recovery_code_works_once before update of used_at on recovery_codes
  for each row when (old.used_at is not null) execute function refuse_a_code_again();

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users,
  name text not null constraint passkeys_have_names_of_1_to_60_characters check (length(name) between 1 and 60),
  credential_id bytea not null constraint one_passkey_per_credential unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_a_user on passkeys (user_id);

create function refuse_a_copied_passkey() returns trigger language plpgsql as $$
begin
  raise exception 'the passkey was copied: its counter went back'
    using errcode = 'check_violation', constraint = 'passkey_counters_never_go_back';
end
$$;
-- Authenticators that do not count say 0 for ever.
create trigger passkey_counters_never_go_back before update of sign_count on passkeys
  for each row when (new.sign_count <= old.sign_count and not (new.sign_count = 0 and old.sign_count = 0))
  execute function refuse_a_copied_passkey();

-- What an authenticator is asked to sign, once.
create table passkey_challenges (
  challenge bytea primary key,
  purpose text not null constraint challenges_have_a_known_purpose check (purpose in ('register', 'prove', 'sign-in')),
  user_id uuid references users,
  expires_at timestamptz not null,
  constraint only_a_sign_in_does_not_know_whom_it_asks check ((purpose = 'sign-in') = (user_id is null))
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);

-- The password was right, the second factor is still to come. This is no session: nothing can be read with it.
create table half_sessions (
  id uuid primary key,
  user_id uuid not null references users,
  token_sha256 bytea not null constraint one_half_session_per_token unique,
  remember_me boolean not null,
  known_device boolean not null,
  attempts int not null default 0
    constraint half_sessions_allow_five_attempts check (attempts between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
    constraint half_sessions_end_after_ten_minutes check (expires_at <= created_at + interval '10 minutes')
);
create index half_sessions_of_a_user on half_sessions (user_id);
create index half_sessions_by_end on half_sessions (expires_at);

grant select, insert, delete on totp_secrets, recovery_codes, passkeys, passkey_challenges, half_sessions
  to assay_app;
grant update (confirmed_at, last_step) on totp_secrets to assay_app;
grant update (used_at) on recovery_codes to assay_app;
grant update (name, sign_count, last_used_at) on passkeys to assay_app;
grant update (attempts) on half_sessions to assay_app;

-- What a person's own account has been through. Staff acts are in the audit log and not repeated here.
create table account_events (
  id uuid primary key,
  position bigint not null generated always as identity constraint one_account_event_per_position unique,
  user_id uuid not null references users,
  event text not null constraint account_events_have_plain_names check (event ~ '^[a-z]+(-[a-z]+)*$'),
  by text not null constraint account_events_name_who_did_it check (by in ('self', 'staff', 'system')),
  detail jsonb not null default '{}'
    constraint account_event_details_are_objects check (jsonb_typeof(detail) = 'object'),
  ip_address text,
  user_agent text constraint account_events_keep_300_characters_of_a_browser check (length(user_agent) <= 300),
  occurred_at timestamptz not null
);
create index account_events_of_a_user on account_events (user_id, position desc);

-- After a changed password, e-mail address or factor, money stays for a day.
create table money_holds (
  id uuid primary key,
  user_id uuid not null references users,
  reason text not null constraint holds_have_a_known_reason
    check (reason in ('password-changed', 'email-changed', 'second-factor-changed', 'account-unfrozen')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The transaction that wrote it: a change looks for a hold of its own.
  written_in xid8 not null default pg_current_xact_id(),
  constraint money_is_held_for_a_day check (ends_at >= starts_at + interval '24 hours')
);
create index money_holds_of_a_user on money_holds (user_id, ends_at desc);

create function refuse_to_rewrite_an_account() returns trigger language plpgsql as $$
begin
  raise exception '% only grows', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger account_events_only_grow before update or delete or truncate on account_events
  for each statement execute function refuse_to_rewrite_an_account();
create trigger money_holds_only_grow before update or delete or truncate on money_holds
  for each statement execute function refuse_to_rewrite_an_account();
alter table account_events enable always trigger account_events_only_grow;
alter table money_holds enable always trigger money_holds_only_grow;

grant select, insert on account_events, money_holds to assay_app;

-- A link in a security mail freezes the account, once, without signing in. Only the token's hash is kept.
create table freeze_links (
  id uuid primary key,
  user_id uuid not null references users,
  token_sha256 bytea not null constraint one_freeze_link_per_token unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
    constraint freeze_links_end_after_seven_days check (expires_at <= created_at + interval '7 days'),
  used_at timestamptz
);
create index freeze_links_by_end on freeze_links (expires_at);
grant select, insert, delete on freeze_links to assay_app;
grant update (used_at) on freeze_links to assay_app;

-- A frozen account: nobody is signed in, nothing is changed, nothing leaves. Its owner freezes it by a link, staff
-- by an act; only an act of staff, or of who holds the machine, lifts it.
create table account_freezes (
  id uuid primary key,
  user_id uuid not null references users,
  by text not null constraint accounts_are_frozen_by_their_owner_or_staff check (by in ('self', 'staff')),
  -- Its owner reads it.
  reason text not null constraint freezes_have_a_reason check (length(reason) between 1 and 1000),
  frozen_at timestamptz not null,
  frozen_by_act uuid references audit_log,
  lifted_at timestamptz,
  lifted_by_act uuid references audit_log,
  lift_reason text constraint lifts_have_a_reason check (length(lift_reason) between 1 and 1000),
  constraint staff_freeze_by_an_act check ((by = 'staff') = (frozen_by_act is not null)),
  constraint freezes_are_lifted_by_an_act check (
    (lifted_at is null) = (lifted_by_act is null) and (lifted_at is null) = (lift_reason is null))
);
create unique index one_freeze_at_a_time on account_freezes (user_id) where lifted_at is null;
create index account_freezes_of_a_user on account_freezes (user_id);
grant select, insert on account_freezes to assay_app;
grant update (lifted_at, lifted_by_act, lift_reason) on account_freezes to assay_app;

create function is_frozen(person uuid) returns boolean language sql stable as $$
  select exists (select from account_freezes where user_id = person and lifted_at is null)
$$;

-- The lock on the user's row makes a sign-in or a change under way come wholly before the freeze or after it.
create function end_sessions_of_a_frozen_account() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for update;
  delete from sessions where user_id = new.user_id;
  delete from half_sessions where user_id = new.user_id;
  return null;
end
$$;
create trigger a_freeze_ends_every_session after insert on account_freezes
  for each row execute function end_sessions_of_a_frozen_account();

create function refuse_while_frozen() returns trigger language plpgsql as $$
declare
  person uuid := case tg_table_name when 'users' then (to_jsonb(new) ->> 'id')::uuid
                                    else (to_jsonb(new) ->> 'user_id')::uuid end;
begin
  perform from users where id = person for share;
  if is_frozen(person) then
    raise exception 'the account is frozen'
      using errcode = 'check_violation', constraint = 'frozen_accounts_change_nothing';
  end if;
  return new;
end
$$;
create trigger frozen_accounts_have_no_sessions before insert on sessions
  for each row execute function refuse_while_frozen();
create trigger frozen_accounts_keep_their_password before update of password on credentials
  for each row execute function refuse_while_frozen();
create trigger frozen_accounts_keep_their_email before update of email on users
  for each row when (new.email is distinct from old.email) execute function refuse_while_frozen();
create trigger frozen_accounts_get_no_authenticator_app before insert or update on totp_secrets
  for each row execute function refuse_while_frozen();
create trigger frozen_accounts_get_no_passkey before insert or update on passkeys
  for each row execute function refuse_while_frozen();
create trigger frozen_accounts_get_no_recovery_codes before insert or update on recovery_codes
  for each row execute function refuse_while_frozen();

-- Whoever has a second factor, and staff always, get a session only by showing one.
create function has_second_factor(person uuid) returns boolean language sql stable as $$
  select exists (select from totp_secrets where user_id = person and confirmed_at is not null)
      or exists (select from passkeys where user_id = person)
$$;
create function refuse_a_session_by_password_alone() returns trigger language plpgsql as $$
begin
  if exists (select from operators where id = new.user_id) or has_second_factor(new.user_id) then
    raise exception 'a second factor is needed'
      using errcode = 'check_violation', constraint = 'a_second_factor_is_asked_of_who_has_one_and_of_staff';
  end if;
  return new;
end
$$;
create trigger a_second_factor_is_asked_of_who_has_one_and_of_staff before insert or update of proved_by on sessions
  for each row when (new.proved_by = 'password') execute function refuse_a_session_by_password_alone();

-- A change of a way in is committed only together with a hold on the customer's money.
create function demand_a_hold() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
  person uuid := case tg_table_name when 'users' then (changed ->> 'id')::uuid else (changed ->> 'user_id')::uuid end;
begin
  if exists (select from customers where id = person)
    and not exists (select from money_holds where user_id = person and written_in = pg_current_xact_id()) then
    raise exception 'a changed way into an account holds its money'
      using errcode = 'check_violation', constraint = 'a_changed_way_in_holds_money';
  end if;
  return null;
end
$$;
create constraint trigger a_changed_password_holds_money after update of password on credentials
  deferrable initially deferred for each row
  when (new.password is distinct from old.password) execute function demand_a_hold();
create constraint trigger a_changed_email_holds_money after update of email on users
  deferrable initially deferred for each row
  when (new.email is distinct from old.email) execute function demand_a_hold();
create constraint trigger a_confirmed_authenticator_app_holds_money after update of confirmed_at on totp_secrets
  deferrable initially deferred for each row
  when (new.confirmed_at is distinct from old.confirmed_at) execute function demand_a_hold();
create constraint trigger a_removed_authenticator_app_holds_money after delete on totp_secrets
  deferrable initially deferred for each row
  when (old.confirmed_at is not null) execute function demand_a_hold();
create constraint trigger a_changed_passkey_holds_money after insert or delete on passkeys
  deferrable initially deferred for each row execute function demand_a_hold();

-- Until when a customer's money stays, or null. What pays out calls require_money_may_leave in its own
-- transaction: that also waits for a change of the account under way.
create function money_held_until(customer uuid, at timestamptz) returns timestamptz language sql stable as $$
  select max(ends_at) from money_holds where user_id = customer and ends_at > at
$$;
create function require_money_may_leave(customer uuid, at timestamptz) returns void language plpgsql as $$
begin
  perform from users where id = customer for share;
  if is_frozen(customer) then
    raise exception 'the account is frozen'
      using errcode = 'check_violation', constraint = 'frozen_accounts_pay_nothing';
  end if;
  if money_held_until(customer, at) is not null then
    raise exception 'money stays for a day after a change'
      using errcode = 'check_violation', constraint = 'money_stays_for_a_day_after_a_change';
  end if;
end
$$;

-- Counts one more attempt under each key in turn, in one trip, and stops at the first that is over its limit: an
-- attempt that its place may not make counts against nobody's account. Returns when that window ends, which key it is,
-- counted from 1, and how many there are, or nothing.
create function count_attempts(keys bytea[], maxima int[], minutes int[], at timestamptz)
  returns table (window_ends_at timestamptz, which int, so_far int) language plpgsql as $$
declare
  counted record;
begin
  for i in 1 .. cardinality(keys) loop
    insert into attempts as a (key, count, window_ends_at)
      values (keys[i], 1, at + make_interval(mins => minutes[i]))
    on conflict (key) do update set
      count = case when a.window_ends_at <= at then 1 else a.count + 1 end,
      window_ends_at = case when a.window_ends_at <= at then excluded.window_ends_at else a.window_ends_at end
    returning a.count, a.window_ends_at as ends_at into counted;
    if counted.count > maxima[i] then
      return query select counted.ends_at, i, counted.count;
      return;
    end if;
  end loop;
end
$$;
