-- The journal: double-entry transfers that PostgreSQL itself keeps balanced, complete, append-only and
-- never below zero for a customer. The application may read these tables; it writes only by calling the
-- functions at the end of this file. docs/decisions/0002-the-journal.md says why it is shaped like this.

-- The chart of accounts ------------------------------------------------------------------------------

create table ledger_account_kinds (
  account text collate "C" primary key,
  owner text not null constraint an_account_is_a_customers_or_the_houses check (owner in ('customer', 'house')),
  side text not null constraint an_account_has_a_side check (side in ('credit', 'debit', 'both')),
  holds text not null
);

insert into ledger_account_kinds (account, owner, side, holds) values
  ('available',              'customer', 'credit', 'what the customer can use now'),
  ('held',                   'customer', 'credit', 'reserved: requested withdrawals, holds with a reason and an end date'),
  ('custody',                'house',    'debit',  'coins in the operator''s wallets for customers'),
  ('pool_receivable',        'house',    'credit', 'a day''s pool payout not yet distributed; only evidence can fund it'),
  ('rounding',               'house',    'credit', 'remainders carried to the next run'),
  ('contract_prepaid',       'house',    'credit', 'contract price not yet earned'),
  ('contract_revenue',       'house',    'credit', 'the operator''s income from contract days served'),
  ('maintenance_revenue',    'house',    'credit', 'the operator''s income from maintenance fees'),
  ('inactivity_revenue',     'house',    'credit', 'the operator''s income from inactivity fees'),
  ('withdrawal_fee_revenue', 'house',    'credit', 'the operator''s income from withdrawal fees'),
  ('network_fee_expense',    'house',    'debit',  'miners'' and gas fees paid'),
  ('operator_equity',        'house',    'credit', 'the operator''s own money; subsidies and goodwill come only from here'),
  ('operator_drawings',      'house',    'debit',  'what the operator took out: of the equity, and of the income'),
  ('conversion',             'house',    'both',   'the two sides of a conversion, one per asset');

-- The business facts that move value, and what each may debit and credit. Nothing else can be posted. A
-- reversal is the exact mirror of the transfer it reverses.
create table ledger_transfer_kinds (
  kind text collate "C" primary key,
  debits text[] collate "C" not null,
  credits text[] collate "C" not null
);

insert into ledger_transfer_kinds (kind, debits, credits) values
  ('deposit',              '{custody}',                  '{available}'),
  ('contract-purchase',    '{available}',                '{contract_prepaid}'),
  ('contract-day',         '{contract_prepaid}',         '{contract_revenue}'),
  ('pool-payout',          '{custody}',                  '{pool_receivable}'),
  ('mining-credit',        '{pool_receivable}',          '{available,rounding}'),
  ('rounding-carry',       '{pool_receivable,rounding}', '{pool_receivable,rounding}'),
  ('maintenance-fee',      '{available}',                '{maintenance_revenue}'),
  ('inactivity-fee',       '{available}',                '{inactivity_revenue}'),
  ('hold',                 '{available}',                '{held}'),
  ('hold-release',         '{held}',                     '{available}'),
  ('withdrawal-request',   '{available}',                '{held}'),
  ('withdrawal-sent',      '{held}',                     '{custody,withdrawal_fee_revenue}'),
  ('withdrawal-cancelled', '{held}',                     '{available}'),
  ('network-fee',          '{network_fee_expense}',      '{custody}'),
  ('conversion',           '{available,conversion}',     '{available,conversion}'),
  ('goodwill',             '{operator_equity}',          '{available}'),
  ('equity-funding',       '{custody}',                  '{operator_equity}'),
  ('equity-drawing',       '{network_fee_expense,operator_drawings}', '{custody}'),
  ('wallet-transfer',      '{network_fee_expense}',      '{custody}'),
  ('reversal',             '{}',                         '{}');

-- Words of the journal ----------------------------------------------------------------------------------
-- Domains hold the rules that concern one value: PostgreSQL keeps them ready, while it would read a
-- table's CHECK constraints anew for every statement, a fifth of the cost of a posting.

create domain ledger_asset as text collate "C" constraint an_account_holds_a_coin check (value in ('BTC', 'ETH', 'USDT'));
create domain ledger_balance as numeric(38, 0) constraint customers_never_below_zero check (value >= 0);
-- Signed: positive credits, negative debits.
create domain ledger_units as numeric(38, 0) constraint an_entry_moves_something check (value <> 0);
create type ledger_leg as (account text collate "C", asset text collate "C", units numeric(38, 0));
create domain ledger_legs as ledger_leg[] constraint a_transfer_has_two_sides check (cardinality(value) between 2 and 100);
create domain ledger_key as text collate "C" constraint a_key_is_short check (length(value) between 1 and 200);
create domain ledger_source as text constraint a_source_is_named check (length(value) between 1 and 200);
create domain ledger_memo as text constraint a_memo_is_short check (length(value) <= 500);
-- Bitcoin's first block is of 2009: no fact of this journal is older, and none is of a day that no calendar has.
create domain ledger_day as date constraint a_day_is_in_the_calendar
  check (value between '2009-01-03' and '9999-12-31');
-- No fact is of a time that never comes either: whoever writes times that a caller gives casts them to this first.
create domain ledger_time as timestamptz constraint a_time_is_in_the_calendar
  check (value >= '2009-01-03 00:00:00+00' and value < '10000-01-01 00:00:00+00');

-- The only way in which a day becomes part of a key or a text: the same in every session, whatever its settings.
create function iso_day(value date) returns text language sql immutable as $$
  select pg_catalog.to_char(value::timestamp, 'YYYY-MM-DD')
$$;

-- Whoever decides by what others have written waits for them here, and then sees what they wrote: a transaction that keeps an
-- older picture would decide by that.
create function lock_fact(fact text) returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise exception 'This is decided in a transaction that reads what is committed.'
      using errcode = 'invalid_transaction_state', constraint = 'facts_are_decided_by_what_is_committed';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(fact, 0));
end
$$;

-- Accounts: one row per owner, kind and asset ----------------------------------------------------------
-- The house is the owner 00000000-0000-0000-0000-000000000000. A customer's row carries his balance and
-- the number of its entries. House rows carry none: every deposit and every credit touches them, and one
-- hot row would make the whole site wait in line.

create table ledger_accounts (
  owner_id uuid not null,
  account text collate "C" not null,
  asset ledger_asset not null,
  balance ledger_balance,
  entry_count bigint,
  constraint one_account_per_owner_kind_and_asset primary key (owner_id, account, asset)
) with (fillfactor = 60);

insert into ledger_accounts (owner_id, account, asset)
select '00000000-0000-0000-0000-000000000000', kinds.account, coins.asset
  from ledger_account_kinds kinds cross join (values ('BTC'), ('ETH'), ('USDT')) coins (asset)
 where kinds.owner = 'house';

-- Transfers and entries --------------------------------------------------------------------------------
-- A transfer says everything: the fact and its legs. Its entries, and the balances they move, are
-- PostgreSQL's own consequence of the insert; nobody else can write either.

create sequence ledger_transfer_numbers;

create table ledger_transfers (
  -- The order in the journal. The transaction has its id before it draws a number (see seal_transfers).
  number bigint primary key
    default nextval(case when pg_current_xact_id() is not null then 'ledger_transfer_numbers'::regclass end),
  id uuid not null constraint one_transfer_per_id unique,
  key ledger_key not null constraint one_transfer_per_key unique,
  kind text collate "C" not null,
  owner_id uuid not null,
  day ledger_day not null,
  occurred_at ledger_time not null,
  created_at timestamptz not null default now(),
  source ledger_source not null,
  memo ledger_memo not null,
  reverses uuid,
  legs ledger_legs not null
);
alter sequence ledger_transfer_numbers owned by ledger_transfers.number;
create unique index one_reversal_per_transfer on ledger_transfers (reverses) where reverses is not null;

-- One row per leg. Every entry carries its transfer's owner, so the customer's account that an entry can
-- touch is that customer's and nobody else's.
create table ledger_entries (
  owner_id uuid not null,
  transfer_number bigint not null,
  account text collate "C" not null,
  asset ledger_asset not null,
  units ledger_units not null,
  -- Of customers' accounts only: the entry's place in its account, from 1, and the balance after it.
  sequence bigint,
  balance_after ledger_balance,
  constraint only_customers_entries_keep_a_balance
    check ((sequence is null) = (account not in ('available', 'held')))
);
-- Customers' entries are found here, by account and in the order of the journal. The house's are found in
-- their transfer's legs, and summed in the order they lie in: that of their numbers, which takes a few
-- bytes per range and nothing per entry.
create unique index one_entry_per_account_and_transfer
  on ledger_entries (owner_id, account, asset, transfer_number) where account in ('available', 'held');
create index ledger_entries_by_number on ledger_entries using brin (transfer_number) with (autosummarize = on);

-- What an inserted transfer does ------------------------------------------------------------------------
-- It moves the customer's balances and writes the entries, or it is refused. A transfer that comes alone
-- is worked leg by leg, which is the cheapest; thousands in one statement are worked as sets.

create function ledger_post() returns trigger language plpgsql as $$
declare
  customers_accounts constant text[] := '{available,held}';
  alone boolean;
  t record;
  its_legs ledger_leg[];
  leg ledger_leg;
  asset_so_far text collate "C";
  account_so_far text collate "C";
  total numeric;
  new_sequence bigint;
  new_balance numeric;
  sequences bigint[];
  balances numeric[];
  entries bigint := 0;
  more_accounts boolean := false;
  written bigint;
begin
  for t in
    select n.number, n.owner_id, n.kind, n.reverses, n.legs, k.debits, k.credits,
           (select count(*) from new_transfers) = 1 as alone
      from new_transfers n left join public.ledger_transfer_kinds k on k.kind = n.kind
  loop
    alone := t.alone;
    its_legs := t.legs;
    asset_so_far := '';
    total := 0;
    if t.reverses is not null then
      perform from public.ledger_transfers o
        where o.id = t.reverses and o.owner_id = t.owner_id and o.reverses is null and t.kind = 'reversal'
          and its_legs = public.ledger_mirror(o.legs);
      if not found then
        raise exception 'A reversal is the exact mirror of a transfer that is no reversal itself.'
          using errcode = 'check_violation', constraint = 'a_reversal_mirrors_its_transfer';
      end if;
    end if;

    foreach leg in array its_legs loop
      if leg.asset is distinct from asset_so_far then
        if total <> 0 then exit; end if;
        account_so_far := '';
      end if;
      if (leg.asset, leg.account) > (asset_so_far, account_so_far) is not true then
        raise exception 'The legs of a transfer stand in the order of assets and accounts, one for each.'
          using errcode = 'check_violation', constraint = 'legs_stand_in_order';
      end if;
      asset_so_far := leg.asset;
      account_so_far := leg.account;
      total := total + leg.units;
      if t.reverses is null and leg.account = any (case when leg.units > 0 then t.credits else t.debits end) is not true then
        raise exception 'A transfer of the kind % may not move % in this direction.', t.kind, leg.account
          using errcode = 'check_violation', constraint = 'movements_are_listed';
      end if;

      entries := entries + 1;
      if not alone then
        more_accounts := more_accounts
          or leg.account = any (customers_accounts) and (leg.account <> 'available' or leg.asset <> 'BTC');
        continue;
      end if;
      new_sequence := null;
      new_balance := null;
      if leg.account = any (customers_accounts) then
        update public.ledger_accounts a set balance = a.balance + leg.units, entry_count = a.entry_count + 1
         where a.owner_id = t.owner_id and a.account = leg.account and a.asset = leg.asset
        returning a.entry_count, a.balance into new_sequence, new_balance;
        if not found then
          insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
          values (t.owner_id, leg.account, leg.asset, 0, 0) on conflict do nothing;
          update public.ledger_accounts a set balance = a.balance + leg.units, entry_count = a.entry_count + 1
           where a.owner_id = t.owner_id and a.account = leg.account and a.asset = leg.asset
          returning a.entry_count, a.balance into new_sequence, new_balance;
        end if;
      end if;
      sequences := sequences || new_sequence;
      balances := balances || new_balance;
    end loop;
    if total is distinct from 0 then
      raise exception 'The legs of a transfer must sum to zero per asset.'
        using errcode = 'check_violation', constraint = 'transfers_sum_to_zero';
    end if;
  end loop;

  if alone then
    insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
    select t.owner_id, t.number, each.account, each.asset, each.units, each.sequence, each.balance
      from unnest(its_legs, sequences, balances) each (account, asset, units, sequence, balance);
  elsif entries > 0 then
    -- Planned each time: what suits thousands of transfers must not stay in a connection's plan cache.
    if more_accounts then
      -- One look into the index for each, whatever the planner believes of a table that has just grown. The
      -- account that customers are locked by is there.
      execute $sets$
        insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
        select distinct t.owner_id, leg.account, leg.asset, 0, 0
          from new_transfers t cross join unnest(t.legs) leg
         where leg.account = any ($1) and (leg.account <> 'available' or leg.asset <> 'BTC')
           and (select true from public.ledger_accounts a
                 where a.owner_id = t.owner_id and a.account = leg.account and a.asset = leg.asset) is null
         order by 1, 2, 3
        on conflict do nothing
      $sets$ using customers_accounts;
    end if;
    execute $sets$
      with legs as (
        select t.owner_id, t.number, leg.account, leg.asset, leg.units, sum(leg.units) over account as moved_so_far,
               row_number() over account as step, lead(t.number) over account is null as is_last
          from new_transfers t cross join unnest(t.legs) leg
        window account as (partition by t.owner_id, leg.account, leg.asset order by t.number)
      ), moved as (
        update public.ledger_accounts a
           set balance = a.balance + leg.moved_so_far, entry_count = a.entry_count + leg.step
          from legs leg
         where leg.is_last and leg.account = any ($1)
           and a.owner_id = leg.owner_id and a.account = leg.account and a.asset = leg.asset
        returning a.owner_id, a.account, a.asset, a.balance - leg.moved_so_far as balance, a.entry_count - leg.step as entries
      )
      insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
      select leg.owner_id, leg.number, leg.account, leg.asset, leg.units,
             moved.entries + leg.step, moved.balance + leg.moved_so_far
        from legs leg left join moved
          on moved.owner_id = leg.owner_id and moved.account = leg.account and moved.asset = leg.asset
       order by leg.owner_id, leg.number
    $sets$ using customers_accounts;
    get diagnostics written = row_count;
    assert written = entries, 'every leg becomes an entry';
  end if;
  return null;
end
$$;

create function ledger_mirror(legs ledger_leg[]) returns ledger_leg[] language sql immutable as $$
  select array_agg(row (leg.account, leg.asset, -leg.units)::public.ledger_leg order by place)
    from unnest(legs) with ordinality leg (account, asset, units, place)
$$;

create trigger transfers_are_posted after insert on ledger_transfers
  referencing new table as new_transfers for each statement execute function ledger_post();

-- What is refused in every statement, the table owner's too ----------------------------------------------
-- Depth 0 is a statement that somebody sent; depth 1 is the trigger above at work.

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception '%: % of % is refused.', tg_argv[1], tg_op, tg_table_name
    using errcode = 'restrict_violation', constraint = tg_argv[0];
end
$$;

create function ledger_check_new_account() returns trigger language plpgsql as $$
begin
  if new.balance <> 0 or new.entry_count <> 0 then
    raise exception 'Accounts start at zero.'
      using errcode = 'check_violation', constraint = 'accounts_start_at_zero';
  end if;
  if (select (k.owner = 'customer') = (new.owner_id <> '00000000-0000-0000-0000-000000000000')
         and (k.owner = 'customer') = (new.balance is not null) and (new.balance is null) = (new.entry_count is null)
        from public.ledger_account_kinds k where k.account = new.account) is not true then
    raise exception 'Customers own accounts of customers, and only these keep a running balance.'
      using errcode = 'check_violation', constraint = 'accounts_are_in_the_chart';
  end if;
  return new;
end
$$;

create trigger accounts_are_in_the_chart before insert on ledger_accounts
  for each row execute function ledger_check_new_account();
create trigger accounts_are_kept before delete or truncate on ledger_accounts
  for each statement execute function ledger_refuse('accounts_are_kept', 'Accounts are kept');
create trigger balances_move_with_entries before update on ledger_accounts
  for each statement when (pg_trigger_depth() = 0)
  execute function ledger_refuse('balances_move_with_entries', 'Balances move only with entries');
create trigger entries_come_from_transfers before insert on ledger_entries
  for each statement when (pg_trigger_depth() = 0)
  execute function ledger_refuse('entries_come_from_transfers', 'Entries come from transfers');
create trigger entries_are_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse('the_journal_is_append_only', 'Correct a transfer with a reversal');
create trigger transfers_are_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse('the_journal_is_append_only', 'Correct a transfer with a reversal');

-- Also while a replica applies changes, or a session pretends to be one.
alter table ledger_accounts enable always trigger accounts_are_kept;
alter table ledger_entries enable always trigger entries_are_append_only;
alter table ledger_transfers enable always trigger transfers_are_append_only;

-- Writing: the only ways in -----------------------------------------------------------------------------

-- A customer's postings wait for each other at his account `available BTC`, which is therefore locked
-- before a number is drawn: an account's entries and their numbers have the same order.
-- Generic plans: ten thousand owners cost more to plan for than to find.
create function ledger_lock_customers(p_owners uuid[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan as $$
begin
  -- First what is missing, then the locks, each in one order: whoever waits holds nothing that comes later.
  if (select count(*) from public.ledger_accounts
       where owner_id = any (p_owners) and account = 'available' and asset = 'BTC')
     < (select count(distinct owner) from unnest(p_owners) owner) then
    insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
    select distinct owner, 'available', 'BTC', 0, 0 from unnest(p_owners) owner
     where (select true from public.ledger_accounts a
             where a.owner_id = owner and a.account = 'available' and a.asset = 'BTC') is null
     order by owner
    on conflict do nothing;
  end if;
  perform from public.ledger_accounts
    where owner_id = any (p_owners) and account = 'available' and asset = 'BTC'
    order by owner_id for no key update;
end
$$;

-- Posts one transfer, in one round trip. The same key with the same body returns the first transfer; with
-- another body it is refused. Clocks are not part of the body.
create function post_transfer(
  p_id uuid, p_key text, p_kind text, p_owner uuid, p_day date, p_occurred_at timestamptz, p_source text,
  p_memo text, p_legs ledger_leg[], p_reverses uuid default null,
  out transfer_id uuid, out posted boolean
) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  first ledger_transfers;
begin
  if p_owner <> '00000000-0000-0000-0000-000000000000' then
    perform from ledger_accounts where owner_id = p_owner and account = 'available' and asset = 'BTC' for no key update;
    if not found then
      perform ledger_lock_customers(array[p_owner]);
    end if;
  end if;

  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
  values (p_id, p_key, p_kind, p_owner, p_day, p_occurred_at, p_source, p_memo, p_reverses, p_legs)
  on conflict (key) do nothing;
  if found then
    transfer_id := p_id;
    posted := true;
    return;
  end if;

  select * into strict first from ledger_transfers where key = p_key;
  if (first.kind, first.owner_id, first.source, first.memo, first.legs) is distinct from
     (p_kind, p_owner, p_source, p_memo, p_legs) or first.reverses is distinct from p_reverses then
    raise exception 'The key % belongs to another transfer.', p_key
      using errcode = 'unique_violation', constraint = 'one_transfer_per_key';
  end if;
  transfer_id := first.id;
  posted := false;
end
$$;

-- Posts the exact mirror of a transfer. It can be done once.
create function reverse_transfer(
  p_id uuid, p_reverses uuid, p_key text, p_day date, p_occurred_at timestamptz, p_memo text,
  out transfer_id uuid, out posted boolean
) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  original ledger_transfers;
begin
  select * into original from ledger_transfers where id = p_reverses;
  if not found then
    raise exception 'There is no transfer % to reverse.', p_reverses
      using errcode = 'foreign_key_violation', constraint = 'a_reversal_needs_a_transfer';
  end if;
  select done.transfer_id, done.posted into transfer_id, posted
    from post_transfer(p_id, p_key, 'reversal', original.owner_id, p_day, p_occurred_at, original.source,
                       p_memo, ledger_mirror(original.legs), p_reverses) done;
end
$$;

-- Posts many transfers as one: all of them, or none. Takes the parts of each transfer at the same place
-- of every array. Returns those that had been posted before, with the place they were asked for at.
create function post_transfers(
  p_ids uuid[], p_keys text[], p_kinds text[], p_owners uuid[], p_days date[], p_occurred_ats timestamptz[],
  p_sources text[], p_memos text[], p_legs text[]
) returns table (place bigint, transfer_id uuid)
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  posted bigint;
begin
  perform ledger_lock_customers(array_remove(p_owners, '00000000-0000-0000-0000-000000000000'));
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select id, key, kind, owner_id, day, occurred_at, source, memo, legs::ledger_leg[]
    from unnest(p_ids, p_keys, p_kinds, p_owners, p_days, p_occurred_ats, p_sources, p_memos, p_legs)
      asked (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  on conflict (key) do nothing;
  get diagnostics posted = row_count;
  if posted = cardinality(p_ids) then
    return;
  end if;

  perform from unnest(p_keys, p_kinds, p_owners, p_sources, p_memos, p_legs) asked (key, kind, owner_id, source, memo, legs)
    join ledger_transfers first on first.key = asked.key
   where first.reverses is not null or (first.kind, first.owner_id, first.source, first.memo, first.legs)
      is distinct from (asked.kind, asked.owner_id, asked.source, asked.memo, asked.legs::ledger_leg[]);
  if found then
    raise exception 'A key of these transfers belongs to another transfer.'
      using errcode = 'unique_violation', constraint = 'one_transfer_per_key';
  end if;
  return query
    select asked.place, first.id
      from unnest(p_ids, p_keys) with ordinality asked (id, key, place)
      join ledger_transfers first on first.key = asked.key
     where first.id <> asked.id
     order by asked.place;
end
$$;

-- Seals ---------------------------------------------------------------------------------------------------
-- A seal closes a block of finished transfers under one hash, which also covers the seal before it. Who
-- kept any seal can tell whether a transfer under it, or before it, was changed since. Never on the path of
-- a posting. server/ledger/seal.ts computes the same hashes; docs/decisions/0002-the-journal.md has the bytes.

create table ledger_seals (
  number bigint constraint seals_count_from_one check (number >= 1) primary key,
  previous_hash bytea not null,
  transfer_count integer not null constraint a_seal_covers_transfers check (transfer_count > 0),
  merkle_root bytea not null,
  sealed_at ledger_time not null,
  hash bytea not null constraint one_seal_per_hash unique,
  -- Where the next search may start: every transfer up to this number is under this seal or an older one.
  complete_through bigint not null,
  -- Numbers up to here had been drawn when somebody looked, all by transactions with ids below this one,
  -- his own: once those have ended, no transfer up to here is still to come.
  watched_through bigint not null,
  watched_before bigint not null
);

create table ledger_sealed_transfers (
  transfer_number bigint primary key,
  seal_number bigint not null references ledger_seals,
  place integer not null,
  constraint one_transfer_per_place_under_a_seal unique (seal_number, place)
);

-- The balances of the house's accounts over all transfers up to a seal, so that nobody sums from the beginning.
create table ledger_house_snapshots (
  seal_number bigint not null references ledger_seals,
  account text collate "C" not null,
  asset ledger_asset not null,
  units numeric(38, 0) not null,
  primary key (seal_number, account, asset)
);

create trigger seals_are_append_only before update or delete or truncate on ledger_seals
  for each statement execute function ledger_refuse('the_journal_is_append_only', 'A seal is for good');
create trigger sealed_transfers_are_append_only before update or delete or truncate on ledger_sealed_transfers
  for each statement execute function ledger_refuse('the_journal_is_append_only', 'A seal is for good');
create trigger house_snapshots_are_append_only before update or delete or truncate on ledger_house_snapshots
  for each statement execute function ledger_refuse('the_journal_is_append_only', 'A snapshot is for good');
alter table ledger_seals enable always trigger seals_are_append_only;
alter table ledger_sealed_transfers enable always trigger sealed_transfers_are_append_only;
alter table ledger_house_snapshots enable always trigger house_snapshots_are_append_only;

-- Length, colon, text, comma (a netstring): no text can pretend to be two. A missing value is one comma.
create function ledger_field(value text) returns text language sql immutable as $$
  select coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '') || ','
$$;

create function ledger_moment(value timestamptz) returns text language sql stable as $$
  select to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- The tree of RFC 9162, 2.1.1: an odd node goes up as it is.
create function ledger_merkle_root(leaves bytea[]) returns bytea language plpgsql immutable as $$
declare
  level bytea[] := leaves;
begin
  while cardinality(level) > 1 loop
    -- Unnested, never by subscript: finding one element of an array of texts or bytes walks over all before it.
    level := (select array_agg(case nodes when 1 then joined else sha256('\x01'::bytea || joined) end order by pair)
                from (select (place - 1) / 2 as pair, count(*) as nodes, string_agg(node, ''::bytea order by place) as joined
                        from unnest(level) with ordinality each (node, place) group by (place - 1) / 2) pairs);
  end loop;
  return level[1];
end
$$;

-- Seals the next block, of at most so many transfers, and returns the seal's number; null when there is
-- nothing to seal. One sealer works at a time; postings and readers do not wait.
create function seal_transfers(p_at timestamptz, p_limit integer default 10000) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  last ledger_seals;
  drawn bigint;
  own_id bigint;
  oldest_running bigint;
  numbers bigint[];
  seal ledger_seals;
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception 'A seal is made in a transaction of its own.' using errcode = 'invalid_transaction_state';
  end if;
  lock table ledger_seals in share row exclusive mode;
  select * into last from ledger_seals order by number desc limit 1;
  -- First the numbers drawn so far, then an id: whoever drew one of them had his id before, a lower one.
  -- (The xmax of a snapshot would not do: it is above the last id that ended, not above those that run.)
  select last_value into drawn from ledger_transfer_numbers;
  own_id := pg_current_xact_id()::text::bigint;
  oldest_running := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;

  select array_agg(unsealed.number order by unsealed.number) into numbers
    from (select t.number from ledger_transfers t
           where t.number > coalesce(last.complete_through, 0)
             and not exists (select from ledger_sealed_transfers s where s.transfer_number = t.number)
           order by t.number limit p_limit) unsealed;
  if numbers is null then
    return null;
  end if;

  seal.number := coalesce(last.number, 0) + 1;
  seal.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  seal.transfer_count := cardinality(numbers);
  select ledger_merkle_root(array_agg(leaf.hash order by leaf.number)) into seal.merkle_root
    from (select t.number, sha256('\x00'::bytea || convert_to(
                   ledger_field('assay transfer 1') || ledger_field(t.number::text) || ledger_field(t.id::text)
                   || ledger_field(t.key) || ledger_field(t.kind) || ledger_field(t.owner_id::text)
                   || ledger_field(iso_day(t.day)) || ledger_field(ledger_moment(t.occurred_at))
                   || ledger_field(ledger_moment(t.created_at)) || ledger_field(t.source) || ledger_field(t.memo)
                   || ledger_field(t.reverses::text)
                   || string_agg(ledger_field(leg.account) || ledger_field(leg.asset) || ledger_field(leg.units::text)
                                 || ledger_field(e.sequence::text) || ledger_field(e.balance_after::text),
                                 '' order by leg.asset, leg.account), 'UTF8')) as hash
            from ledger_transfers t cross join unnest(t.legs) leg
            -- One look into the index for each leg, whatever the planner believes of a table that has just grown.
            left join lateral (
              select * from ledger_entries
               where owner_id = t.owner_id and account = leg.account and asset = leg.asset
                 and transfer_number = t.number and account in ('available', 'held') limit 1) e on true
           where t.number = any (numbers)
           group by t.number) leaf;
  -- Never before what it seals or the seal before it, and never of a time that has not come.
  seal.sealed_at := greatest(least(p_at, clock_timestamp()), last.sealed_at,
    (select max(t.occurred_at) from ledger_transfers t where t.number = any (numbers) and t.occurred_at <= clock_timestamp()));
  seal.hash := sha256('\x02'::bytea || convert_to(
    ledger_field('assay seal 1') || ledger_field(seal.number::text) || ledger_field(encode(seal.previous_hash, 'hex'))
    || ledger_field(seal.transfer_count::text) || ledger_field(encode(seal.merkle_root, 'hex'))
    || ledger_field(ledger_moment(seal.sealed_at)), 'UTF8'));

  seal.complete_through := coalesce(last.complete_through, 0);
  seal.watched_through := drawn;
  seal.watched_before := own_id;
  -- An id from the future was another cluster's, before a dump was restored: nobody from there is running here.
  if last.watched_before <= oldest_running or last.watched_before > own_id then
    seal.complete_through := greatest(seal.complete_through,
      least(last.watched_through, case when cardinality(numbers) = p_limit then numbers[p_limit] end));
  elsif last.number is not null then
    seal.watched_through := last.watched_through;
    seal.watched_before := last.watched_before;
  end if;

  insert into ledger_seals select seal.*;
  insert into ledger_sealed_transfers (transfer_number, seal_number, place)
  select number, seal.number, place from unnest(numbers) with ordinality sealed (number, place);
  return seal.number;
end
$$;

-- Notes the house's balances at the newest seal, once enough transfers came under seals since the last note.
create function snapshot_house_balances(p_every integer default 10000) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  since bigint;
  upto bigint;
begin
  lock table ledger_house_snapshots in share row exclusive mode;
  select coalesce(max(seal_number), 0) into since from ledger_house_snapshots;
  select max(number) into upto from ledger_seals
   where number > since having sum(transfer_count) >= p_every;
  if upto is null then
    return null;
  end if;
  insert into ledger_house_snapshots (seal_number, account, asset, units)
  select upto, a.account, a.asset, coalesce(before.units, 0) + coalesce(moved.units, 0)
    from ledger_accounts a
    left join ledger_house_snapshots before
      on before.seal_number = since and before.account = a.account and before.asset = a.asset
    left join (select leg.account, leg.asset, sum(leg.units) as units
                 from ledger_sealed_transfers s
                 join ledger_transfers t on t.number = s.transfer_number
                 cross join unnest(t.legs) leg
                where s.seal_number > since and s.seal_number <= upto
                group by leg.account, leg.asset) moved
      on moved.account = a.account and moved.asset = a.asset
   where a.owner_id = '00000000-0000-0000-0000-000000000000';
  return upto;
end
$$;

-- The house's balances now: the last snapshot, and what happened since. Sees what the calling statement sees.
create function house_balances() returns table (account text, asset text, units numeric)
language plpgsql stable as $$
declare
  since bigint;
  complete_through bigint;
begin
  select max(s.seal_number) into since from public.ledger_house_snapshots s;
  select s.complete_through into complete_through from public.ledger_seals s where s.number = since;
  -- Written out, so that the planner knows how little lies above the number.
  return query execute format($sums$
    select a.account, a.asset::text, coalesce(before.units, 0) + coalesce(moved.units, 0)
      from public.ledger_accounts a
      left join public.ledger_house_snapshots before
        on before.seal_number = %1$s and before.account = a.account and before.asset = a.asset
      left join (select e.account, e.asset, sum(e.units) as units from public.ledger_entries e
                  where e.transfer_number > %2$s and e.sequence is null
                    and not exists (select from public.ledger_sealed_transfers s
                                     where s.transfer_number = e.transfer_number and s.seal_number <= %1$s)
                  group by e.account, e.asset) moved
        on moved.account = a.account and moved.asset = a.asset
     where a.owner_id = '00000000-0000-0000-0000-000000000000'
  $sums$, coalesce(since, 0), coalesce(complete_through, 0));
end
$$;

-- Rights ------------------------------------------------------------------------------------------------

revoke execute on function post_transfer, post_transfers, reverse_transfer, ledger_lock_customers, ledger_mirror,
  ledger_field, ledger_moment, ledger_merkle_root, seal_transfers, snapshot_house_balances, house_balances
  from public;
grant execute on function post_transfer, post_transfers, reverse_transfer, seal_transfers, snapshot_house_balances,
  house_balances, ledger_moment to assay_app;
grant select on ledger_account_kinds, ledger_transfer_kinds, ledger_accounts, ledger_transfers, ledger_entries,
  ledger_seals, ledger_sealed_transfers, ledger_house_snapshots to assay_app;
