-- The application works as assay_app: it owns nothing and has only the rights of rights.sql. Roles belong to the whole
-- cluster, so the role may exist already.
do $$
begin
  create role assay_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;

do $$ begin if not pg_has_role(current_user, 'assay_app', 'set') then grant assay_app to current_user; end if; end $$;
grant usage on schema public to assay_app;
revoke create on schema public from public;

-- PostgreSQL 17 has no uuidv7() of its own: RFC 9562, version 7, with the microseconds of the clock in rand_a (method 3).
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then return; end if;
  create function public.uuidv7() returns uuid language sql volatile parallel safe as $uuid$
    select (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
      || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
    from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as clock
  $uuid$;
end $$;

-- The numbers of the terms that PostgreSQL holds itself to: core/terms.ts, written with the functions at each start that
-- finds others. Texts, forms, contracts and engine say the same.
create table terms_in_force (
  is_only boolean primary key default true check (is_only),
  minimum_withdrawal_sats numeric(38, 0) not null, withdrawal_hold interval not null, final_payment interval not null,
  quote interval not null, cooling_off interval not null, unpaid_maintenance interval not null, maintenance_notice interval not null,
  inactivity_after_days integer not null, inactivity_notice_days integer not null,
  inactivity_fee_per_million numeric not null, inactivity_fee_minimum_sats numeric(38, 0) not null
);
-- Those of before, which rows of before keep to.
create table former_terms (like terms_in_force);
create view terms_ever as table terms_in_force union table former_terms;

-- Tables that grow for ever are kept by months, which can be taken out in turn: months.sql. Null: the month is here.
create table months (
  parent text, month date constraint months_begin_on_their_first_day check (extract(day from month) = 1),
  opened_at timestamptz not null default clock_timestamp(), detached_at timestamptz,
  newest_at timestamptz, -- Of the ledger's that are not here: the newest time that one of their transfers says.
  primary key (parent, month)
);

-- Every mail that was not forgotten, also of months that were taken out: what belongs to a mail refers to this. The key is for what is
-- told once, however often the job that tells it runs.
create table mail_keys (id uuid primary key, key text constraint one_mail_per_key unique, user_id uuid);
create index mail_keys_of_a_user on mail_keys (user_id);

-- Every mail is a row first, written in the transaction of what it tells about, and sent by a job after that transaction
-- committed: a mail server that is down delays it and loses nothing.
create table mails (
  id uuid primary key, user_id uuid, recipient text not null, template text not null, subject text not null, body_text text, body_html text,
  holds_link boolean not null default false,
  state text not null default 'queued' constraint mails_are_queued_sent_or_failed check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0, last_error text,
  -- Until then one worker is at it: another one leaves it alone.
  sending_until timestamptz, sent_via text constraint mails_leave_by_smtp_or_outbox check (sent_via in ('smtp', 'outbox')),
  created_at timestamptz not null, sent_at timestamptz, resent_by_act uuid,
  reply_to text constraint answers_go_to_one_address check (reply_to !~ '[[:cntrl:][:space:],;<>]'),
  constraint mails_keep_their_bodies_until_sent check (state = 'sent' or (body_text is not null and body_html is not null)),
  constraint mails_are_sent_at_a_time check ((state = 'sent') = (sent_at is not null and sent_via is not null))
) partition by range (id);
create table mails_rest partition of mails default;
create index mails_of_a_user on mails (user_id, id desc);
create index mails_by_state on mails (state, id desc);

create table mail_phrases (
  user_id uuid primary key, recipient text not null, phrase text not null constraint phrases_are_one_short_line
    check (length(phrase) between 1 and 60 and phrase = trim(phrase) and phrase !~ '[[:cntrl:]\u2028\u2029\u202A-\u202E\u2066-\u2069]'),
  changed_at timestamptz not null
);
create unique index one_phrase_per_recipient on mail_phrases (recipient);

create table installation (
  only_one boolean default true constraint there_is_one_installation check (only_one) primary key,
  network text not null constraint installations_are_on_a_listed_network check (network in ('regtest', 'testnet', 'mainnet')),
  demo boolean not null, begun_at timestamptz not null, constraint demos_are_on_test_networks check (not demo or network <> 'mainnet')
);

-- The disk of DATA_DIR on each machine that answers HTTP, by machine and folder: when it was looked at, and since when too little of it is free.
create table disks (place text primary key, short_since timestamptz, seen_at timestamptz not null);

-- What every process has to have besides the database, by a mark that tells nothing of it; of the file store a file's key.
create table installation_keys (
  of text collate "C" constraint keys_are_of_a_known_kind check (of in ('auth-secret', 'document-key', 'file-store')),
  fingerprint text collate "C", noted_at timestamptz not null, constraint keys_are_noted_once primary key (of, fingerprint)
);
create unique index one_key_of_a_kind on installation_keys (of) where of <> 'document-key';
