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
  ('conversion',             'house',    'both',   'the two sides of a conversion, one per asset');

-- What each kind of transfer may debit and credit. A kind that is not here cannot be posted; a reversal
-- is the exact mirror of the transfer it reverses and needs no lines of its own.
create table ledger_movements (
  kind text collate "C" not null,
  account text collate "C" not null references ledger_account_kinds,
  side text collate "C" not null constraint a_movement_debits_or_credits check (side in ('debit', 'credit')),
  primary key (kind, account, side)
);

insert into ledger_movements (kind, account, side) values
  ('deposit',              'custody',                'debit'),
  ('deposit',              'available',              'credit'),
  ('contract-purchase',    'available',              'debit'),
  ('contract-purchase',    'contract_prepaid',       'credit'),
  ('contract-day',         'contract_prepaid',       'debit'),
  ('contract-day',         'contract_revenue',       'credit'),
  ('pool-payout',          'custody',                'debit'),
  ('pool-payout',          'pool_receivable',        'credit'),
  ('mining-credit',        'pool_receivable',        'debit'),
  ('mining-credit',        'available',              'credit'),
  ('mining-credit',        'rounding',               'credit'),
  ('rounding-carry',       'pool_receivable',        'debit'),
  ('rounding-carry',       'pool_receivable',        'credit'),
  ('rounding-carry',       'rounding',               'debit'),
  ('rounding-carry',       'rounding',               'credit'),
  ('maintenance-fee',      'available',              'debit'),
  ('maintenance-fee',      'maintenance_revenue',    'credit'),
  ('inactivity-fee',       'available',              'debit'),
  ('inactivity-fee',       'inactivity_revenue',     'credit'),
  ('hold',                 'available',              'debit'),
  ('hold',                 'held',                   'credit'),
  ('hold-release',         'held',                   'debit'),
  ('hold-release',         'available',              'credit'),
  ('withdrawal-request',   'available',              'debit'),
  ('withdrawal-request',   'held',                   'credit'),
  ('withdrawal-sent',      'held',                   'debit'),
  ('withdrawal-sent',      'custody',                'credit'),
  ('withdrawal-sent',      'withdrawal_fee_revenue', 'credit'),
  ('withdrawal-cancelled', 'held',                   'debit'),
  ('withdrawal-cancelled', 'available',              'credit'),
  ('network-fee',          'network_fee_expense',    'debit'),
  ('network-fee',          'custody',                'credit'),
  ('conversion',           'available',              'debit'),
  ('conversion',           'available',              'credit'),
  ('conversion',           'conversion',             'debit'),
  ('conversion',           'conversion',             'credit'),
  ('goodwill',             'operator_equity',        'debit'),
  ('goodwill',             'available',              'credit'),
  ('equity-funding',       'custody',                'debit'),
  ('equity-funding',       'operator_equity',        'credit');

-- Accounts: one row per owner, kind and asset ----------------------------------------------------------
-- The house is the owner 00000000-0000-0000-0000-000000000000. A customer's row carries his balance and
-- the number of its entries. House rows carry none: every deposit and every credit touches them, and one
-- hot row would make the whole site wait in line.

create table ledger_accounts (
  owner_id uuid not null,
  account text collate "C" not null references ledger_account_kinds,
  asset text collate "C" not null constraint an_account_holds_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  balance numeric(38, 0) constraint customers_never_below_zero check (balance >= 0),
  entry_count bigint,
  constraint one_account_per_owner_kind_and_asset primary key (owner_id, account, asset),
  constraint customers_own_customers_accounts
    check ((account in ('available', 'held')) = (owner_id <> '00000000-0000-0000-0000-000000000000')),
  constraint only_customers_keep_a_running_balance
    check ((balance is not null) = (account in ('available', 'held')) and (balance is null) = (entry_count is null))
) with (fillfactor = 60);

insert into ledger_accounts (owner_id, account, asset)
select '00000000-0000-0000-0000-000000000000', kinds.account, coins.asset
  from ledger_account_kinds kinds cross join (values ('BTC'), ('ETH'), ('USDT')) coins (asset)
 where kinds.owner = 'house';

-- Transfers and entries --------------------------------------------------------------------------------

create sequence ledger_transfer_numbers;

create table ledger_transfers (
  -- The order in the journal. The transaction has its id before it draws a number (see seal_transfers).
  number bigint primary key
    default nextval(case when pg_current_xact_id() is not null then 'ledger_transfer_numbers'::regclass end),
  id uuid not null constraint one_transfer_per_id unique,
  key text collate "C" not null constraint one_transfer_per_key unique
    constraint a_key_is_short check (length(key) between 1 and 200),
  kind text collate "C" not null,
  owner_id uuid not null,
  day date not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  source text not null constraint a_source_is_named check (length(source) between 1 and 200),
  memo text not null constraint a_memo_is_short check (length(memo) <= 500),
  reverses uuid constraint a_reversal_reverses check ((reverses is not null) = (kind = 'reversal')),
  entry_count smallint not null constraint a_transfer_has_two_sides check (entry_count between 2 and 100)
);
alter sequence ledger_transfer_numbers owned by ledger_transfers.number;
create unique index one_reversal_per_transfer on ledger_transfers (reverses) where reverses is not null;

-- Units are signed: positive credits, negative debits. Every entry carries its transfer's owner, so the
-- customer's account that an entry can touch is that customer's and nobody else's.
create table ledger_entries (
  owner_id uuid not null,
  transfer_number bigint not null,
  account text collate "C" not null,
  asset text collate "C" not null,
  units numeric(38, 0) not null constraint an_entry_moves_something check (units <> 0),
  -- Of customers' accounts only: the entry's place in its account, from 1, and the balance after it.
  sequence bigint,
  balance_after numeric(38, 0) constraint customers_never_below_zero check (balance_after >= 0),
  constraint one_entry_per_account_and_transfer primary key (owner_id, transfer_number, account, asset),
  constraint customers_entries_keep_their_balance
    check ((sequence is not null) = (account in ('available', 'held')) and (sequence is null) = (balance_after is null))
);
create unique index one_entry_per_step_of_an_account on ledger_entries (owner_id, account, asset, sequence)
  where sequence is not null;
-- Entries lie in the order of their numbers: a few bytes per range find those above one.
create index ledger_entries_by_number on ledger_entries using brin (transfer_number) with (autosummarize = on);

-- What is refused to everybody, the owner of the tables included ---------------------------------------

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'The journal is append-only: % of % is refused. Correct a transfer with a reversal.', tg_op, tg_table_name
    using errcode = 'restrict_violation', constraint = 'the_journal_is_append_only';
end
$$;

create function ledger_check_transfers() returns trigger language plpgsql as $$
declare
  wrong bigint;
begin
  -- Entries are checked, and counted, where they are inserted; here only that they exist.
  select t.number into wrong from new_transfers t
   where not exists (select from public.ledger_entries e
                      where e.owner_id = t.owner_id and e.transfer_number = t.number)
   limit 1;
  if found then
    raise exception 'Transfer % has no entries.', wrong
      using errcode = 'check_violation', constraint = 'transfers_have_entries';
  end if;

  if exists (select from new_transfers t where t.reverses is not null) then
    select t.number into wrong
      from new_transfers t
      left join public.ledger_transfers o
        on o.id = t.reverses and o.owner_id = t.owner_id and o.reverses is null and o.entry_count = t.entry_count
     where t.reverses is not null
       and (o.number is null or exists (
         select from public.ledger_entries e
           left join public.ledger_entries m
             on m.owner_id = o.owner_id and m.transfer_number = o.number
            and m.account = e.account and m.asset = e.asset and m.units = -e.units
          where e.owner_id = t.owner_id and e.transfer_number = t.number and m.units is null))
     limit 1;
    if found then
      raise exception 'Transfer % is not the exact mirror of a transfer that can be reversed.', wrong
        using errcode = 'check_violation', constraint = 'a_reversal_mirrors_its_transfer';
    end if;
  end if;
  return null;
end
$$;

create function ledger_check_entries() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select bool_or(checked.balanced is not true) as unbalanced,
         bool_or(checked.entries <> t.entry_count) as incomplete,
         bool_or(t.number is null) as orphaned
    into wrong
    from (select sums.owner_id, sums.transfer_number,
                 bool_and(sums.units = 0) as balanced, sum(sums.entries) as entries
            from (select owner_id, transfer_number, sum(units) as units, count(*) as entries
                    from new_entries group by owner_id, transfer_number, asset) sums
           group by sums.owner_id, sums.transfer_number) checked
    left join public.ledger_transfers t
      on t.number = checked.transfer_number and t.owner_id = checked.owner_id;
  if wrong.orphaned then
    raise exception 'An entry must belong to a transfer of its own owner.'
      using errcode = 'check_violation', constraint = 'entries_belong_to_their_owners_transfer';
  elsif wrong.unbalanced then
    raise exception 'The entries of a transfer must sum to zero per asset.'
      using errcode = 'check_violation', constraint = 'transfers_sum_to_zero';
  elsif wrong.incomplete then
    raise exception 'The entries of a transfer are inserted together, once.'
      using errcode = 'check_violation', constraint = 'transfers_are_complete';
  end if;

  select bool_or(a.account is null) as unknown_account,
         bool_or(m.kind is null and t.reverses is null) as unlisted,
         bool_or(e.sequence is not null and (
           e.balance_after - e.units is distinct from case e.sequence when 1 then 0 else p.balance_after end)) as broken,
         bool_or(e.sequence > a.entry_count) as ahead
    into wrong
    from new_entries e
    join public.ledger_transfers t on t.number = e.transfer_number
    left join public.ledger_accounts a
      on a.owner_id = case when e.sequence is null then '00000000-0000-0000-0000-000000000000' else e.owner_id end
     and a.account = e.account and a.asset = e.asset
    left join public.ledger_movements m
      on m.kind = t.kind and m.account = e.account and m.side = case when e.units > 0 then 'credit' else 'debit' end
    left join public.ledger_entries p
      on p.owner_id = e.owner_id and p.account = e.account and p.asset = e.asset and p.sequence = e.sequence - 1;
  if wrong.unknown_account then
    raise exception 'An entry must stand on an account that exists.'
      using errcode = 'check_violation', constraint = 'entries_stand_on_accounts';
  elsif wrong.unlisted then
    raise exception 'A transfer of this kind may not move these accounts in this direction.'
      using errcode = 'check_violation', constraint = 'movements_are_listed';
  elsif wrong.broken then
    raise exception 'An entry''s balance must follow from the entry before it.'
      using errcode = 'check_violation', constraint = 'balances_follow_from_entries';
  elsif wrong.ahead then
    raise exception 'An account''s balance must move with its entries.'
      using errcode = 'check_violation', constraint = 'balances_move_with_entries';
  end if;
  return null;
end
$$;

-- A balance is the balance after the account's last entry, or zero where there is none.
create function ledger_check_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed_accounts a
      left join public.ledger_entries e
        on e.owner_id = a.owner_id and e.account = a.account and e.asset = a.asset and e.sequence = a.entry_count
     where a.balance is not null
       and (case a.entry_count when 0 then 0 else e.balance_after end is distinct from a.balance
            or exists (select from public.ledger_entries f
                        where f.owner_id = a.owner_id and f.account = a.account and f.asset = a.asset
                          and f.sequence = a.entry_count + 1))) then
    raise exception 'A balance moves only by entries.'
      using errcode = 'check_violation', constraint = 'balances_move_with_entries';
  end if;
  return null;
end
$$;

create trigger transfers_have_entries after insert on ledger_transfers
  referencing new table as new_transfers for each statement execute function ledger_check_transfers();
create trigger transfers_are_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
create trigger entries_are_balanced after insert on ledger_entries
  referencing new table as new_entries for each statement execute function ledger_check_entries();
create trigger entries_are_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger new_balances_are_explained after insert on ledger_accounts
  referencing new table as changed_accounts for each statement execute function ledger_check_balances();
create trigger balances_are_explained after update on ledger_accounts
  referencing new table as changed_accounts for each statement execute function ledger_check_balances();
create trigger accounts_are_kept before delete or truncate on ledger_accounts
  for each statement execute function ledger_refuse_change();

-- Writing: the only ways in -----------------------------------------------------------------------------

-- Whether the transfer that holds a key says the same as a request that brings the key again. Clocks
-- are not part of what a transfer says.
create function ledger_says_the_same(
  first ledger_transfers, p_kind text, p_owner uuid, p_source text, p_memo text, p_reverses uuid,
  p_accounts text[], p_assets text[], p_units numeric[]
) returns boolean language sql stable as $$
  select first.kind = p_kind and first.owner_id = p_owner and first.source = p_source and first.memo = p_memo
     and first.reverses is not distinct from p_reverses and first.entry_count = cardinality(p_accounts)
     and not exists (
       select from unnest(p_accounts, p_assets, p_units) leg (account, asset, units)
        where not exists (
          select from public.ledger_entries e
           where e.owner_id = first.owner_id and e.transfer_number = first.number
             and e.account = leg.account and e.asset = leg.asset and e.units = leg.units))
$$;

-- Posts one transfer. The same key with the same body returns the first transfer; with another body it
-- is refused. One call is one round trip and takes its locks in one order: the customer's accounts, the key.
create function post_transfer(
  p_id uuid, p_key text, p_kind text, p_owner uuid, p_day date, p_occurred_at timestamptz, p_source text,
  p_memo text, p_reverses uuid, p_accounts text[], p_assets text[], p_units numeric[],
  out transfer_id uuid, out posted boolean
) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted int;
  locked int;
  first ledger_transfers;
begin
  if p_owner <> '00000000-0000-0000-0000-000000000000' then
    wanted := cardinality(array_positions(p_accounts, 'available')) + cardinality(array_positions(p_accounts, 'held'));
    loop
      perform from ledger_accounts a
        join unnest(p_accounts, p_assets) leg (account, asset) on leg.account = a.account and leg.asset = a.asset
       where a.owner_id = p_owner
       order by a.account, a.asset for no key update of a;
      get diagnostics locked = row_count;
      exit when locked >= wanted;
      insert into ledger_accounts (owner_id, account, asset, balance, entry_count)
      select distinct p_owner, leg.account, leg.asset, 0, 0
        from unnest(p_accounts, p_assets) leg (account, asset)
       where leg.account in ('available', 'held')
       order by 2, 3
      on conflict do nothing;
    end loop;
  end if;

  with transfer as (
    insert into ledger_transfers
      (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, entry_count)
    values (p_id, p_key, p_kind, p_owner, p_day, p_occurred_at, p_source, p_memo, p_reverses, cardinality(p_accounts))
    on conflict (key) do nothing
    returning number
  ), moved as (
    update ledger_accounts a
       set balance = a.balance + leg.units, entry_count = a.entry_count + 1
      from transfer, unnest(p_accounts, p_assets, p_units) leg (account, asset, units)
     where a.owner_id = p_owner and a.account = leg.account and a.asset = leg.asset and a.balance is not null
    returning a.account, a.asset, a.entry_count, a.balance
  )
  insert into ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
  select p_owner, transfer.number, leg.account, leg.asset, leg.units, moved.entry_count, moved.balance
    from transfer cross join unnest(p_accounts, p_assets, p_units) leg (account, asset, units)
    left join moved on moved.account = leg.account and moved.asset = leg.asset;
  if found then
    transfer_id := p_id;
    posted := true;
    return;
  end if;

  select * into first from ledger_transfers where key = p_key;
  if first.number is null then
    raise exception 'A transfer needs entries.' using errcode = 'check_violation', constraint = 'transfers_have_entries';
  elsif not ledger_says_the_same(first, p_kind, p_owner, p_source, p_memo, p_reverses, p_accounts, p_assets, p_units) then
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
  accounts text[];
  assets text[];
  units numeric[];
begin
  select * into original from ledger_transfers where id = p_reverses;
  if not found then
    raise exception 'There is no transfer % to reverse.', p_reverses
      using errcode = 'foreign_key_violation', constraint = 'a_reversal_needs_a_transfer';
  end if;
  select array_agg(e.account), array_agg(e.asset), array_agg(-e.units) into accounts, assets, units
    from ledger_entries e where e.owner_id = original.owner_id and e.transfer_number = original.number;
  select done.transfer_id, done.posted into transfer_id, posted
    from post_transfer(p_id, p_key, 'reversal', original.owner_id, p_day, p_occurred_at, original.source,
                       p_memo, p_reverses, accounts, assets, units) done;
end
$$;

-- Rights ------------------------------------------------------------------------------------------------

revoke execute on function post_transfer, reverse_transfer, ledger_says_the_same from public;
grant execute on function post_transfer, reverse_transfer to assay_app;
grant select on ledger_account_kinds, ledger_movements, ledger_accounts, ledger_transfers, ledger_entries to assay_app;
