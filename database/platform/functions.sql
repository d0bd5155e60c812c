-- The only way in which a day becomes part of a key or a text: the same in every session, whatever its settings.
create or replace function iso_day(value date) returns text language sql immutable as $$
  select pg_catalog.to_char(value::timestamp, 'YYYY-MM-DD')
$$;

-- A transaction that decides by what others have written waits for them here, and then sees what they wrote. One that keeps an
-- older picture would decide by that picture.
create or replace function lock_fact(fact text) returns void language plpgsql as $$
begin
  perform demand('facts_are_decided_by_what_is_committed',
    current_setting('transaction_isolation') in ('read committed', 'read uncommitted'), 'invalid_transaction_state',
    'Facts are decided in a transaction that reads what is committed.');
  perform pg_advisory_xact_lock(hashtextextended(fact, 0));
end $$;

-- Bounds that are the same for every site, in a coin's smallest unit: as core/payments/bounds.ts has them.
-- What one person records of payouts, approves of slips or orders of payments alone within 24 hours where another one could look; a fee that is
-- never too high; what is not worth to be sent, which keeps nobody from leaving; and the most that is left by who leaves.
create or replace function bound(of_what text, coin text) returns numeric language sql immutable strict as $$
  select units from (values
    ('recordedAlone', 'BTC', 1e6),
    ('approvedAlone', 'BTC', 1e6), ('approvedAlone', 'ETH', 3e17), ('approvedAlone', 'USDT', 1e9),
    ('orderedAlone', 'BTC', 1e7), ('orderedAlone', 'ETH', 2e18), ('orderedAlone', 'USDT', 5e9),
    ('smallFee', 'BTC', 1e5),
    ('dust', 'BTC', 545), ('dust', 'ETH', 1e14), ('dust', 'USDT', 1e5),
    ('left', 'BTC', 5e4), ('left', 'ETH', 1e16), ('left', 'USDT', 5e7)) b (what, of_coin, units)
   where (what, of_coin) = (of_what, coin)
$$;

-- Refusals ----------------------------------------------------------------------------------------------------
-- A rule is a sentence, and the name of its constraint: 'wallets_begin_closed' is refused with "wallets begin closed" where nothing
-- else is said. As with a CHECK, what is unknown (null) is let through.
create or replace function demand(rule text, holds boolean, code text default 'check_violation', says text default null)
returns void language plpgsql as $$
begin
  if not holds then
    raise exception '%', coalesce(says, replace(rule, '_', ' ')) using errcode = code, constraint = rule;
  end if;
end $$;

-- What such a trigger is on never happens. Like the two further down, it is named for its rule, or the rule is its argument; a second
-- one says what to do instead.
create or replace function refuse_to_rewrite() returns trigger language plpgsql as $$
declare rule text := coalesce(tg_argv[0], tg_name);
begin
  raise exception '%', case when tg_argv[1] is null then tg_table_name || ' is written once: ' || replace(rule, '_', ' ') || '.'
                            else tg_argv[1] || ': ' || tg_op || ' of ' || tg_table_name || ' is refused.' end
    using errcode = 'restrict_violation', constraint = rule;
end $$;

-- Triggers of which many tables have one. The rule is the trigger's name, `<table>_are_kept` or `<table>_are_written_once` if none is said.
create or replace procedure keep_rows(tables text, rule text default null, says text default null) language plpgsql as $$
begin
  call refuse_always('delete or truncate', tables, coalesce(rule, '%s_are_kept'), says);
end $$;

create or replace procedure write_once(tables text, rule text default null, says text default null) language plpgsql as $$
begin
  call refuse_always('update or delete or truncate', tables, coalesce(rule, '%s_are_written_once'), says);
end $$;

create or replace procedure refuse_always(events text, tables text, rule text, says text) language plpgsql as $$
declare relation text;
begin
  foreach relation in array tables::text[] loop
    execute format('create or replace trigger %I before %s on %I for each statement execute function refuse_to_rewrite(%s)',
                   format(rule, relation), events, relation, quote_literal(format(rule, relation)) || ', ' || quote_literal(says));
  end loop;
end $$;

-- A CHECK that asks other rows: of the row (`new`, `old`) these conditions hold, as the owner sees the tables. `events` as a trigger has
-- them: 'before insert or update of state when (new.state = ''paid'')'. A rule and its condition follow each other; a condition alone is
-- that of the trigger's own name; 'rule: Words.' says these words. 'wait for' and a text wait for who decides by that fact (`lock_fact`):
-- what follows sees what they wrote. 'at commit insert' waits for the commit.
create or replace procedure check_rows(relation text, events text, name text, variadic rules text[]) language plpgsql as $$
declare
  pairs text[] := case cardinality(rules) when 1 then name || rules else rules end;
  demands text := (
    select string_agg(case pairs[n] when 'wait for' then format('perform lock_fact(%s);', pairs[n + 1])
                                    else format('perform demand(%L, %s, says => %L);', split_part(pairs[n], ': ', 1), pairs[n + 1],
                                                substring(pairs[n], ': (.*)')) end, ' ' order by n)
      from generate_series(1, cardinality(pairs), 2) n);
begin
  execute format('create or replace function %I() returns trigger language plpgsql security definer as %L',
                 name, 'begin ' || demands || ' return coalesce(new, old); end');
  if events like 'at commit %' then
    call at_commit(relation, name, split_part(substr(events, 11), ' when ', 1), name, coalesce(substring(events, ' when (.*)'), 'true'));
  else
    execute format('create or replace trigger %I %s on %I for each row %s execute function %I()', name,
                   split_part(events, ' when ', 1), relation, substring(events, ' when .*'), name);
  end if;
end $$;

-- A trigger that waits for the commit.
create or replace procedure at_commit(relation text, rule text, events text, guard text, condition text default 'true')
language plpgsql as $$
begin
  execute format('drop trigger if exists %I on %I', rule, relation);
  execute format('create constraint trigger %I after %s on %I deferrable initially deferred for each row when (%s) execute function %I()',
                 rule, events, relation, condition, guard);
end $$;

-- What is written stays: these columns may change, and those once, from null.
create or replace procedure change_only(relation text, rule text, may text default '', once text default '', condition text default 'true')
language plpgsql as $$
begin
  execute format('create or replace trigger %I before update on %I for each row when (%s) execute function keep_columns(%L, %L)',
                 rule, relation, condition, may, once);
end $$;
create or replace function keep_columns() returns trigger language plpgsql as $$
declare before jsonb := to_jsonb(old) - string_to_array(tg_argv[0], ' '); after jsonb := to_jsonb(new);
begin
  perform demand(tg_name,
    not exists (select from jsonb_each(before) was
                 where after -> was.key <> was.value
                   and not (was.value = 'null' and was.key = any (string_to_array(coalesce(tg_argv[1], ''), ' ')))));
  return new;
end $$;

-- Which state may follow which: 'open: confirmed declined', and 'new: open' for how a row begins. A state that is not listed is an
-- end: such a row does not change any more. A state may stay as it is only where it is listed to follow itself.
create or replace function move_forward() returns trigger language plpgsql as $$
declare before text := case tg_op when 'INSERT' then 'new' else old.state end;
begin
  perform demand(tg_name,
    exists (select from unnest(tg_argv) move
             where split_part(move, ': ', 1) = before and new.state = any (string_to_array(split_part(move, ': ', 2), ' '))));
  return new;
end $$;

-- Whether an address of bitcoin, Ethereum or Tron stands in a text, whatever stands around it, and signs in it that nobody sees.
create or replace function names_an_address(p_text text) returns boolean language sql immutable as $$
  select said ~* '(?<![0-9a-z])(bc1|tb1|bcrt1)[02-9ac-hj-np-z]{11,87}(?![0-9a-z])' or said ~* '(?<![0-9a-z])(0x)?[0-9a-f]{40}(?![0-9a-z])'
      or said ~ '(?<![0-9A-Za-z])[123mnT](?=[A-Za-z]*[1-9])[1-9A-HJ-NP-Za-km-z]{25,39}(?![0-9A-Za-z])'
    from regexp_replace(p_text, '[\u00AD\u200B-\u200D\u2060\uFEFF]', '', 'g') as said
$$;

-- A transaction that changes what is sold, or what there is to sell, waits here for its turn.
create or replace function lock_fleet() returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('fleet', 0))
$$;

-- Errors of the whole database, or of its moment: connection, deadlock, resources, limits, shutdown, disk. No customer is set
-- apart for them; the work is tried again as a whole.
create or replace function concerns_everybody(p_sqlstate text) returns boolean
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select left(p_sqlstate, 2) in ('08', '25', '40', '53', '57', '58') or p_sqlstate in ('55P03', '54001')
$$;

-- When to try again: after 20 minutes, then ever more rarely, and once a day at last.
create or replace function retry_after(p_at timestamptz, p_tries integer) returns timestamptz
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select p_at + least(make_interval(mins => 10 * (1 << least(p_tries, 8))), make_interval(hours => 24))
$$;

-- Names are in mails to addresses that a stranger typed, so they hold nothing but a name: core/people/person-name.ts says the same of a
-- form, and is stricter with scripts. Here what no name needs is refused by code point, whatever the database's locale.
create or replace function is_a_name(name text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select length(name) between 1 and 100
    -- Controls; ASCII but letters, space, ' - and dot; signs of Latin-1; format characters, dashes, quotes (one is an apostrophe)
    -- and symbols; full-width forms of ASCII; private use and specials.
    and name !~ ('[\u0001-\u001F!-&(-,/-@[-`{-\u009F\u00A1-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u00D7\u00F7]'
      || '|[\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2000-\u200B\u200E-\u2018\u201A-\u206F\u20A0-\u2BFF\u2E00-\u2E7F]'
      || '|[\u3001-\u3004\u3008-\u3020\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFF01-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\uFFA0\uFFE0-\uFFFF]')
    and name !~ '[\U0001F000-\U0001FAFF\U000E0000-\U0010FFFF]'
    -- Joiners only inside the scripts that need them.
    and name !~ '(^|[^\u0600-\u0DFF])[\u200C\u200D]|[\u200C\u200D]($|[^\u0600-\u0DFF])'
    -- What a mail program would make an address of: a dot, and two letters after it.
    and name !~ '[.][^[:space:].''’-]{2}'
$$;

-- core/permissions.ts says the same; a test holds the two together.
create or replace function is_approval(p_act text) returns boolean language sql immutable
set search_path = pg_catalog, public, pg_temp as $$
  select p_act in ('withdrawals/order-broadcast', 'withdrawals/confirm-resolution', 'withdrawals/confirm-abandonment',
                   'deposits/confirm-resolution', 'deposits/confirm-approval', 'payouts/confirm', 'adjustments/approve', 'identity/invite-operator',
                   'identity/suspend-operator', 'identity/reinstate-operator', 'identity/change-role')
$$;

create or replace function in_base64url(p_bytes bytea) returns text language sql immutable
set search_path = pg_catalog, public, pg_temp as $$
  select translate(encode(p_bytes, 'base64'), E'+/=\n', '-_')
$$;

-- What is new keeps to the terms. What there is keeps to those of its time, so what asks for them is no CHECK, but a call of check_rows.
call refuse_always('insert or update or delete or truncate', '{terms_in_force,former_terms}', 'terms_are_written_by_the_start', null);

-- Length, colon, text, comma (a netstring): no text can pretend to be two. A missing value is one comma.
create or replace function field_to_hash(value text) returns text language sql stable as $$
  select coalesce(octet_length(convert_to(value, 'UTF8'))::text || ':' || value, '') || ','
$$;

create or replace function moment_to_hash(value timestamptz) returns text language sql stable as $$
  select to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

call write_once('{installation}', 'installations_stay_what_they_are');
