-- What customers say of themselves and choose, a change of e-mail address that both addresses agree to, the copy of
-- everything that is kept about somebody, and leaving.

-- Leaving ------------------------------------------------------------------------------------------------

-- Set: nobody signs in to this account any more. The way back is a link in a mail, until what is personal is erased.
alter table customers
  add column closed_at timestamptz,
  -- Since when nothing here tells who it was.
  add column erased_at timestamptz,
  add constraint only_the_closed_are_erased check (erased_at is null or closed_at is not null);
grant update (closed_at, erased_at) on customers to assay_app;

create table account_closings (
  id uuid primary key,
  customer_id uuid not null references customers,
  -- waiting: something is owed. leaving: closed, and can be taken back. kept: taken back. erased: final.
  state text not null
    constraint closings_wait_leave_end_or_are_taken_back check (state in ('waiting', 'leaving', 'kept', 'erased')),
  asked_at timestamptz not null,
  closed_at timestamptz,
  erase_after timestamptz,
  return_token_sha256 bytea constraint one_closing_per_token unique,
  ended_at timestamptz,
  constraint closings_leave_at_a_time
    check (state not in ('leaving', 'erased') or (closed_at is not null and erase_after > closed_at)),
  constraint closings_can_be_taken_back_while_leaving check ((state = 'leaving') = (return_token_sha256 is not null)),
  constraint closings_end_at_a_time check ((state in ('kept', 'erased')) = (ended_at is not null))
);
create unique index one_closing_at_a_time on account_closings (customer_id) where state in ('waiting', 'leaving');
create index account_closings_that_leave on account_closings (erase_after) where state = 'leaving';

create function something_is_owed(customer uuid) returns boolean language sql stable as $$
  select exists (select from ledger_accounts where owner_id = customer and balance <> 0)
      or exists (select from deposits where customer_id = customer and state = 'pending')
$$;

-- Whoever closes an account holds its customer's row: what arrives meanwhile comes before or is refused.
create function check_changed_closing() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state in ('kept', 'erased') then
    raise exception 'this closing has ended' using errcode = 'check_violation', constraint = 'ended_closings_stay';
  end if;
  if new.state in ('leaving', 'erased') and something_is_owed(new.customer_id) then
    raise exception 'something is owed to this customer'
      using errcode = 'check_violation', constraint = 'nobody_leaves_while_something_is_owed';
  end if;
  return new;
end
$$;
create trigger nobody_leaves_while_something_is_owed before insert or update on account_closings
  for each row execute function check_changed_closing();

-- The same of the account itself, whatever was written about its closing.
create function check_closed_customer() returns trigger language plpgsql as $$
begin
  if something_is_owed(new.id) then
    raise exception 'something is owed to this customer'
      using errcode = 'check_violation', constraint = 'nobody_leaves_while_something_is_owed';
  end if;
  return new;
end
$$;
create trigger nobody_leaves_while_something_is_owed before update of closed_at on customers
  for each row when (old.closed_at is null and new.closed_at is not null) execute function check_closed_customer();

create function refuse_what_is_of_the_closed() returns trigger language plpgsql as $$
declare
  person uuid := to_jsonb(new) ->> tg_argv[0];
begin
  perform from customers where id = person for share;
  if exists (select from customers where id = person and closed_at is not null) then
    raise exception 'this account is closed' using errcode = 'check_violation', constraint = tg_argv[1];
  end if;
  return new;
end
$$;
create trigger closed_accounts_have_no_sessions before insert on sessions
  for each row execute function refuse_what_is_of_the_closed('user_id', 'closed_accounts_have_no_sessions');
create trigger closed_accounts_make_no_deposits before insert on deposits
  for each row execute function refuse_what_is_of_the_closed('customer_id', 'closed_accounts_make_no_deposits');

grant select, insert on account_closings to assay_app;
grant update (state, closed_at, erase_after, return_token_sha256, ended_at) on account_closings to assay_app;

-- What somebody agreed to have shown goes with the account, and not before.
create function refuse_to_forget_who_is_here() returns trigger language plpgsql as $$
begin
  if not exists (select from customers where id = old.customer_id and closed_at is not null) then
    raise exception 'these words are deleted with their account only'
      using errcode = 'check_violation', constraint = 'consents_go_with_the_account';
  end if;
  return old;
end
$$;
create trigger consents_go_with_the_account before delete on testimonial_consents
  for each row execute function refuse_to_forget_who_is_here();
grant delete on testimonial_consents to assay_app;

-- The slip of a decided deposit outlives its account for as long as a dispute can last; then only its hash stays.
alter table deposit_slips add column erased_at timestamptz,
  drop constraint pictures_have_a_likeness,
  add constraint pictures_have_a_likeness check (erased_at is not null
    or (media_type = 'image/jpeg') = (likeness_hash is not null) and (likeness_hash is null) = (thumbnail is null)),
  add constraint erased_slips_show_nothing
    check (erased_at is null or (likeness_hash is null and thumbnail is null and original_name = ''));
grant update (erased_at, likeness_hash, thumbnail, original_name) on deposit_slips to assay_app;
create function check_erased_slip() returns trigger language plpgsql as $$
begin
  if new.erased_at is null and (new.likeness_hash, new.thumbnail, new.original_name)
     is not distinct from (old.likeness_hash, old.thumbnail, old.original_name) then
    return new;
  end if;
  if old.erased_at is null and not exists (select from customers where id = old.customer_id and closed_at is not null)
     or old.erased_at is not null and new.erased_at is distinct from old.erased_at then
    raise exception 'slips are erased after their account, once'
      using errcode = 'check_violation', constraint = 'slips_are_erased_after_their_account';
  end if;
  return new;
end
$$;
create trigger slips_are_erased_after_their_account before update on deposit_slips
  for each row execute function check_erased_slip();

-- The history of an account stays, without what tells who it was and where from.
create function check_changed_history() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{ip_address,user_agent,detail}'::text[] = to_jsonb(old) - '{ip_address,user_agent,detail}'::text[]
     and new.ip_address is null and new.user_agent is null and new.detail = '{}'
     and exists (select from customers where id = old.user_id and closed_at is not null) then
    return new;
  end if;
  raise exception 'account_events only grows' using errcode = 'insufficient_privilege';
end
$$;
drop trigger account_events_only_grow on account_events;
create trigger account_events_only_grow before delete or truncate on account_events
  for each statement execute function refuse_to_rewrite_an_account();
create trigger account_events_are_only_forgotten before update on account_events
  for each row execute function check_changed_history();
alter table account_events enable always trigger account_events_only_grow;
alter table account_events enable always trigger account_events_are_only_forgotten;
grant update (ip_address, user_agent, detail) on account_events to assay_app;

-- Names stand in the greeting of every mail: one line each. Those of before were held to it by the form alone.
alter table users
  add constraint first_names_are_one_line check (first_name !~ '[[:cntrl:]]') not valid,
  add constraint last_names_are_one_line check (last_name !~ '[[:cntrl:]]') not valid;

-- A new address ------------------------------------------------------------------------------------------

create table email_changes (
  id uuid primary key,
  user_id uuid not null references users,
  old_email text not null,
  new_email text not null
    constraint new_emails_are_stored_in_lower_case check (new_email = lower(new_email))
    constraint new_emails_are_one_line check (length(new_email) <= 254 and new_email !~ '[[:cntrl:][:space:]]'),
  old_token_sha256 bytea not null constraint one_change_per_old_token unique,
  -- Null: the new address is somebody else's, so nobody is asked to agree.
  new_token_sha256 bytea constraint one_change_per_new_token unique,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  outcome text constraint email_changes_are_made_replaced_cancelled_or_refused
    check (outcome in ('changed', 'replaced', 'cancelled', 'refused')),
  constraint new_emails_are_new check (old_email <> new_email),
  constraint email_changes_end_in_one_way check ((ended_at is null) = (outcome is null)),
  constraint only_who_was_asked_confirms check (new_confirmed_at is null or new_token_sha256 is not null),
  constraint emails_change_when_both_addresses_agree
    check (outcome <> 'changed' or (old_confirmed_at is not null and new_confirmed_at is not null))
);
create unique index one_open_email_change_per_user on email_changes (user_id) where ended_at is null;
create index email_changes_by_end on email_changes (expires_at);

-- Asked at the commit, when what the change rests on is written: in the same transaction, so that no earlier change
-- between the same two addresses speaks for this one.
create function check_changed_email() returns trigger language plpgsql as $$
begin
  if exists (select from email_changes where user_id = new.id and outcome = 'changed'
       and old_email = old.email and new_email = new.email and xmin = pg_current_xact_id()::xid) then
    return null;
  end if;
  if new.email = new.id || '@erased.invalid'
     and exists (select from account_closings where customer_id = new.id and state = 'erased') then
    return null;
  end if;
  raise exception 'both addresses must agree to a change'
    using errcode = 'check_violation', constraint = 'emails_change_when_both_addresses_agree';
end
$$;
create constraint trigger emails_change_when_both_addresses_agree after update of email on users
  deferrable initially deferred for each row
  when (old.email is distinct from new.email) execute function check_changed_email();

grant select, insert, delete on email_changes to assay_app;
grant update (old_confirmed_at, new_confirmed_at, ended_at, outcome) on email_changes to assay_app;

-- What customers choose ----------------------------------------------------------------------------------

create table customer_settings (
  customer_id uuid primary key references customers,
  phone text constraint phones_are_stored_as_e164 check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  -- Null: the site's own way, and the zone of whatever device shows the page.
  locale text constraint locales_are_tags check (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$'),
  time_zone text constraint time_zones_are_names check (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  display_currency text not null default 'USD'
    constraint values_are_shown_in_what_has_a_price check (display_currency in ('USD', 'BTC', 'ETH')),
  changed_at timestamptz not null
);
grant select, insert, update, delete on customer_settings to assay_app;

-- What a customer wants no mail about. What is not listed is mailed.
create table muted_notices (
  customer_id uuid not null references customers,
  event text not null constraint muted_events_are_named check (event ~ '^[a-z]+(-[a-z]+)*$'),
  muted_at timestamptz not null,
  primary key (customer_id, event)
);
grant select, insert, delete on muted_notices to assay_app;

-- A phrase that only this person and we know, in every mail to the address of the account and in none to another.
alter table users add constraint users_and_their_addresses unique (id, email);
create table mail_phrases (
  user_id uuid primary key,
  recipient text not null,
  phrase text not null constraint phrases_are_one_short_line
    check (length(phrase) between 1 and 60 and phrase = trim(phrase) and phrase !~ '[[:cntrl:]\u2028\u2029\u202A-\u202E\u2066-\u2069]'),
  changed_at timestamptz not null,
  constraint phrases_follow_the_address foreign key (user_id, recipient) references users (id, email) on update cascade
);
create unique index one_phrase_per_recipient on mail_phrases (recipient);
grant select, insert, delete on mail_phrases to assay_app;
grant update (phrase, changed_at) on mail_phrases to assay_app;

-- Taking everything along --------------------------------------------------------------------------------
-- The row is written before the file. The file is encrypted with a key of its own, which ends with the row's life.

create table data_exports (
  id uuid primary key,
  customer_id uuid not null references customers,
  state text not null default 'asked'
    constraint exports_are_asked_ready_or_ended check (state in ('asked', 'ready', 'ended')),
  asked_at timestamptz not null,
  file_key text collate "C" constraint one_export_per_file unique,
  secret bytea constraint secrets_of_exports_have_32_bytes check (length(secret) = 32),
  byte_size integer constraint exports_are_not_empty check (byte_size > 0),
  ready_at timestamptz,
  expires_at timestamptz,
  ended_at timestamptz,
  constraint ready_exports_can_be_read
    check (state <> 'ready' or num_nulls(file_key, secret, byte_size, ready_at, expires_at) = 0),
  constraint ended_exports_can_be_read_no_more check ((state = 'ended') = (ended_at is not null) and (state <> 'ended' or secret is null))
);
create unique index one_export_at_a_time on data_exports (customer_id) where state <> 'ended';
create index data_exports_with_a_file on data_exports (expires_at) where file_key is not null;
grant select, insert, delete on data_exports to assay_app;
grant update (state, file_key, secret, byte_size, ready_at, expires_at, ended_at) on data_exports to assay_app;
