-- SHA-256 of a text: the fields, each written with its length. docs/proof.md has the same in words, with examples.
create or replace function proof_digest(d proof_days) returns bytea language sql stable as $$
  select sha256(convert_to(
    field_to_hash('assay day 1') || field_to_hash(iso_day(d.day)) || field_to_hash(encode(d.previous_digest, 'hex'))
    || field_to_hash(d.seal_number::text) || field_to_hash(encode(d.seal_hash, 'hex'))
    || field_to_hash(d.audit_link::text) || field_to_hash(encode(d.audit_hash, 'hex')), 'UTF8'))
$$;

-- Whoever writes a day: the first stands on 32 zero bytes, each other one on the day before, on a seal and a link that are here, and
-- on none that is older than the day before has.
call write_once('{proof_days}', 'digests_are_never_rewritten');
call check_rows('proof_days', 'before insert', 'days_have_their_digest_in_turn',
  'wait for', $$'proof days'$$,
  'days_have_their_digest_in_turn', $$(new.day, new.previous_digest) = (
    select coalesce(max(day) + 1, new.day), coalesce((select digest from proof_days order by day desc limit 1), decode(repeat('00', 32), 'hex'))
      from proof_days)$$,
  'digests_are_of_days_that_are_over', $$new.day < (now() at time zone 'UTC')::date$$,
  'digests_stand_on_what_is_here', $$(new.seal_hash, new.audit_hash) is not distinct from (
    (select hash from ledger_seals where number = new.seal_number), (select hash from audit_chain where link = new.audit_link))
    and not exists (select from proof_days where day = new.day - 1
                       and (seal_number > coalesce(new.seal_number, 0) or audit_link > coalesce(new.audit_link, 0)))$$,
  'digests_stand_on_what_is_here', 'new.digest = proof_digest(new)');

-- Publishes the digest of each day that is over and has none, the oldest first, at most so many, and returns how many. The first one
-- is of the last day that is over. Days that were missed stand on what is here now. By PostgreSQL's clock: nobody brings another.
create or replace function publish_proof_days(p_limit integer default 400) returns integer language plpgsql security definer as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  due proof_days;
  published integer := 0;
begin
  perform lock_fact('proof days');
  select day + 1, digest into due.day, due.previous_digest from proof_days order by day desc limit 1;
  due.day := coalesce(due.day, today - 1);
  due.previous_digest := coalesce(due.previous_digest, decode(repeat('00', 32), 'hex'));
  select number, hash into due.seal_number, due.seal_hash from ledger_seals order by number desc limit 1;
  select link, hash into due.audit_link, due.audit_hash from audit_chain order by link desc limit 1;
  due.published_at := clock_timestamp();
  while due.day < today and published < p_limit loop
    due.digest := proof_digest(due);
    insert into proof_days select due.*;
    due.previous_digest := due.digest;
    due.day := due.day + 1;
    published := published + 1;
  end loop;
  return published;
end $$;
grant execute on function publish_proof_days to assay_app;

-- The newest digest; null: there is none yet. No newer one is published until who asks has committed.
create or replace function newest_digest() returns bytea language plpgsql security definer as $$
begin
  perform lock_fact('proof days');
  return (select digest from proof_days order by day desc limit 1);
end $$;
grant execute on function newest_digest to assay_app;
