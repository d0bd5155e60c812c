-- A session ends when nobody has used it for so long, whatever time it has left: soon for staff, later for customers,
-- latest where a customer wants to be remembered (core/security-terms.ts).
alter table sessions
  add column last_used_at timestamptz not null default now(),
  add column unused_minutes int not null default 30
    constraint sessions_end_unused check (unused_minutes between 1 and 43200);
update sessions s set unused_minutes = case
    when u.kind = 'operator' then 30
    when s.expires_at - s.created_at > interval '12 hours' then 20160
    else 60
  end
  from users u where u.id = s.user_id;

-- Which of the keys derived from AUTH_SECRET a secret is sealed with. Null: sealed before keys had names.
alter table totp_secrets
  add column key_name text constraint keys_have_short_names check (key_name ~ '^[0-9a-f]{8}$');
grant update (sealed_secret, key_name) on totp_secrets to assay_app;

-- Sealing a secret with another key changes nothing about the account: a frozen one takes part, or its app would be
-- worthless once the old key is gone.
drop trigger frozen_accounts_get_no_authenticator_app on totp_secrets;
create trigger frozen_accounts_get_no_authenticator_app
  before insert or update of user_id, created_at, confirmed_at, last_step on totp_secrets
  for each row execute function refuse_while_frozen();

-- Signing in is what an attacker asks for most, so it costs two trips to the database beside the hash between them.
-- The first counts the attempt and, if it may be made, finds whom it is about; no row: nobody has this address.
create function begin_sign_in(keys bytea[], maxima int[], minutes int[], moment timestamptz, address text)
  returns table (over_until timestamptz, over_which int, person uuid, kind text, hash text, state text, frozen boolean,
    has_factor boolean)
  language plpgsql as $$
#variable_conflict use_column
declare
  ends timestamptz;
  first_over int;
begin
  select window_ends_at, which into ends, first_over from count_attempts(keys, maxima, minutes, moment);
  if ends is not null then
    return query select ends, first_over, null::uuid, null, null, null, null::boolean, null::boolean;
    return;
  end if;
  return query
    select null::timestamptz, null::int, u.id, u.kind, c.password, o.state, is_frozen(u.id), has_second_factor(u.id)
      from users u
      join credentials c on c.user_id = u.id and c.provider_id = 'credential'
      left join operators o on o.id = u.id
      where u.email = address;
end
$$;

-- The second opens the session, in place of the one that the request came with, writes it into the account's history and
-- ends the counts that the right password has answered. Nothing happens when the account was closed, or when the
-- password that was checked is not the account's any more: the lock waits for a change under way, and a later one finds
-- the session and ends it. Says whether it opened, and whether somebody had signed in before, asked for a new browser alone.
create function open_session(
    new_session uuid, person uuid, token bytea, token_before bytea, opened_at timestamptz, ends_at timestamptz,
    unused int, address text, browser text, proof text, is_known_browser boolean, history_id uuid,
    checked_hash text, answered bytea[])
  returns table (opened boolean, signed_in_before boolean)
  language plpgsql as $$
#variable_conflict use_column
declare
  had_signed_in boolean := false;
begin
  if checked_hash is not null then
    perform from credentials
      where user_id = person and provider_id = 'credential' and password = checked_hash for share;
    if not found then
      return query select false, false;
      return;
    end if;
  end if;
  if exists (select from customers where id = person and closed_at is not null) then
    return query select false, false;
    return;
  end if;
  if not is_known_browser then
    had_signed_in := exists (select from account_events where user_id = person and event = 'signed-in');
  end if;
  if answered is not null then
    delete from attempts where key = any (answered);
  end if;
  if token_before is not null then
    delete from sessions where token_sha256 = token_before;
  end if;
  insert into sessions (id, user_id, token_sha256, expires_at, ip_address, user_agent, proved_by, proved_at,
      last_used_at, unused_minutes, created_at)
    values (new_session, person, token, ends_at, address, browser, proof, opened_at, opened_at, unused, opened_at);
  insert into account_events (id, user_id, event, by, detail, ip_address, user_agent, occurred_at)
    values (history_id, person, 'signed-in', 'self', jsonb_build_object('by', proof), address, browser, opened_at);
  return query select true, had_signed_in;
end
$$;

-- What was verified about somebody who left. The law on money laundering asks to keep who somebody was with whom there
-- was business, for years: the last approval, its reviews, and the country stated last. All else goes with the account;
-- of who never had a coin in the journal everything does, and of everybody once the years are over.
create function erase_verification_of(person uuid, keep_years int, moment timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  left_at timestamptz := (select closed_at from customers where id = person);
  kept_submission uuid;
  kept_statement uuid;
begin
  perform moment::ledger_time;
  if left_at is null then
    raise exception 'a customer who is still here is not forgotten'
      using errcode = 'check_violation', constraint = 'only_who_left_is_forgotten';
  end if;
  if left_at > moment - make_interval(years => keep_years)
     and exists (select from ledger_accounts where owner_id = person) then
    select id into kept_submission from verification_submissions
      where customer_id = person and state in ('approved', 'expired') order by decided_at desc limit 1;
    select id into kept_statement from residence_statements
      where customer_id = person order by stated_at desc, id desc limit 1;
  end if;
  delete from verification_decline_reasons where review_id in (
    select r.id from verification_reviews r join verification_submissions s on s.id = r.submission_id
     where s.customer_id = person and s.id is distinct from kept_submission);
  delete from verification_reviews where submission_id in (
    select id from verification_submissions where customer_id = person and id is distinct from kept_submission);
  delete from verification_submission_documents
    where customer_id = person and submission_id is distinct from kept_submission;
  delete from verification_submissions where customer_id = person and id is distinct from kept_submission;
  delete from residence_statements where customer_id = person and id is distinct from kept_statement;
  delete from verification_drafts where customer_id = person;
end
$$;
revoke execute on function erase_verification_of from public;
grant execute on function erase_verification_of to assay_app;
