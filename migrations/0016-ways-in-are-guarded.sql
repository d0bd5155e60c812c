-- A session says by what its owner last showed who he is, and when. Sessions of staff from before second factors end.
delete from sessions where user_id in (select id from operators);
alter table sessions
  add column proved_by text not null default 'password'
    constraint sessions_rest_on_a_known_proof
      check (proved_by in ('password', 'totp', 'recovery-code', 'passkey')),
  add column proved_at timestamptz;
update sessions set proved_at = created_at;
alter table sessions alter column proved_at set default now(), alter column proved_at set not null;

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
