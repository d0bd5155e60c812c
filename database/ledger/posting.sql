-- How a transfer is posted, and what is refused, by the name of the rule. Rules of single values and of keys stand in tables.sql:
--   what a value may be            customers_never_below_zero, an_account_holds_a_coin, an_entry_moves_something, a_transfer_has_two_sides,
--                                  legs_are_a_list_from_one, a_key_is_short, a_source_is_named, a_memo_is_short, a_day_is_in_the_calendar,
--                                  a_time_is_in_the_calendar, an_account_has_a_side, an_account_is_a_customers_or_the_houses
--   what there is once             one_transfer_per_id, one_transfer_per_key, one_key_per_transfer, one_reversal_per_transfer,
--                                  one_account_per_owner_kind_and_asset, one_entry_per_account_and_transfer
--   seals                          one_seal_per_transfer, one_seal_per_hash, seals_count_from_one, a_seal_covers_transfers,
--                                  a_seal_covers_numbers
-- The others stand here, in this order:
--   a row of `ledger_accounts`     accounts_start_at_zero, accounts_are_in_the_chart, only_customers_accounts_keep_a_balance
--   a transfer, as it is inserted  a_reversal_mirrors_its_transfer, legs_stand_in_order, keys_are_of_the_kind_they_name,
--     (`ledger_post`)              movements_are_listed, transfers_sum_to_zero, accounts_are_in_the_chart
--   what a caller asks for         one_transfer_per_key, a_reversal_needs_a_transfer
--   a transfer, at its commit      kinds_need_a_check, and what its room asks: the functions in `ledger_document_checks`, called by
--     (`require_document`)         the trigger transfers_have_their_document
--   any other statement            entries_come_from_transfers, balances_move_with_entries, the_ledger_is_append_only, accounts_are_kept,
--                                  the_chart_is_frozen
-- Elsewhere: of what is mined, mining_transfers_are_explained and mining_is_not_reversed, as it is inserted (mining/explained.sql);
-- blocks_are_claimed_in_a_transaction_of_their_own (sealing.sql); where own money is spent, equity_never_below_zero, and
-- sums_begin_with_what_is_here (balances.sql); months_are_sealed_before, months_come_back_whole (months.sql, and the rules of
-- platform/months.sql). guards.sql keeps all triggers on in every session, rights.sql lets the application's role read and no more.

-- Accounts --------------------------------------------------------------------------------------------------
call check_rows('ledger_accounts', 'before insert', 'accounts_are_in_the_chart',
  'accounts_start_at_zero: Accounts start at zero.', 'not (new.balance <> 0 or new.entry_count <> 0)',
  'accounts_are_in_the_chart: Customers own accounts of customers, the house its own.', $$(
    select (k.owner = 'customer') = (new.owner_id <> '00000000-0000-0000-0000-000000000000')
      from ledger_account_kinds k where k.account = new.account) is true$$,
  'only_customers_accounts_keep_a_balance: Customers'' accounts keep a running balance, and no others.', $$
    (new.balance is null) = (new.owner_id = '00000000-0000-0000-0000-000000000000')
    and (new.balance is null) = (new.entry_count is null)$$);

-- A customer's postings wait for each other at the account `available BTC`, which is therefore locked before a number is drawn: an
-- account's entries and their numbers have the same order. Generic plans: ten thousand owners cost more to plan for than to find.
create or replace function ledger_lock_customers(p_owners uuid[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan as $$
begin
  -- First what is missing, then the locks, each in one order: whoever waits holds nothing that comes later.
  if (select count(*) from public.ledger_accounts where owner_id = any (p_owners) and account = 'available' and asset = 'BTC')
     < (select count(distinct owner) from unnest(p_owners) owner) then
    insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
    select distinct owner, 'available', 'BTC', 0, 0 from unnest(p_owners) owner
     where (select true from public.ledger_accounts a
             where a.owner_id = owner and a.account = 'available' and a.asset = 'BTC') is null
     order by owner
    on conflict do nothing;
  end if;
  perform from public.ledger_accounts where owner_id = any (p_owners) and account = 'available' and asset = 'BTC'
    order by owner_id for no key update;
end $$;

-- A transfer ----------------------------------------------------------------------------------------------
create or replace function ledger_mirror(legs ledger_leg[]) returns ledger_leg[] language sql immutable as $$
  select array_agg(row (leg.account, leg.asset, -leg.units)::public.ledger_leg order by place)
    from unnest(legs) with ordinality leg (account, asset, units, place)
$$;

-- The transfer with an id, unless its month was taken out. No join: `ledger_post` forbids all but hashing, which would read the ledger.
create or replace function ledger_transfer(p_id uuid) returns setof ledger_transfers language sql stable as $$
  select * from public.ledger_transfers where number = (select number from public.ledger_keys where id = p_id)
$$;

-- Whether a reversal is the exact mirror of a transfer of the same owner that is no reversal itself.
create or replace function ledger_mirrors_another(t ledger_transfers) returns boolean language sql stable as $$
  select exists (select from ledger_transfer(t.reverses) o
                  where o.owner_id = t.owner_id and o.reverses is null and t.kind = 'reversal' and t.legs = ledger_mirror(o.legs))
$$;

-- Refuses a transfer by the name of the rule that it breaks, with its words.
create or replace function ledger_refuse(rule text, of_key text) returns void language plpgsql as $$
begin
  raise exception '%', case rule
    when 'a_reversal_mirrors_its_transfer' then 'A reversal is the exact mirror of a transfer that is no reversal itself.'
    when 'legs_stand_in_order' then 'The legs of a transfer stand in the order of assets and accounts, one for each.'
    when 'keys_are_of_the_kind_they_name' then format('The key %s is for transfers of the kind that it names.', of_key)
    when 'movements_are_listed' then format('The kind of the transfer %s may not move an account in this direction.', of_key)
    when 'transfers_sum_to_zero' then 'The legs of a transfer must sum to zero per asset.'
    when 'accounts_are_in_the_chart' then 'Customers own accounts of customers, the house its own.'
  end using errcode = 'check_violation', constraint = rule;
end $$;

-- Asks what inserted transfers may be, then moves balances and writes entries: of one transfer leg by leg, with each account found by
-- its key, and of several as a set.
-- The same rules twice, since one plan for both makes a single posting a third slower (docs/decisions/0087); each rule's test asks both
-- forms. Of several rules that are broken, the first in the order below is named. A set refuses a reversal beside its transfer, and
-- posts in the order of numbers.
-- In sets, accounts are found by their owners and then matched by hashing, by one plan that a connection keeps, whatever the planner
-- believes of a table that has just grown. `(select true ...) is null` and not `not exists`: that one may be worked out for all accounts.
create or replace function ledger_post() returns trigger language plpgsql
set plan_cache_mode = force_generic_plan set enable_nestloop = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  house constant uuid := '00000000-0000-0000-0000-000000000000';
  one ledger_transfers; allowed ledger_transfer_kinds; this ledger_leg; before ledger_leg; running numeric := 0;
  is_disordered boolean := false; is_unlisted boolean := false; is_unbalanced boolean := false; is_misowned boolean := false;
  place integer := 0; sequence bigint; balance_after ledger_balance; wrong record; posting text;
begin
  select * into one from new_transfers;
  if one.number is not null and not exists (select from new_transfers offset 1) then
    select * into allowed from public.ledger_transfer_kinds where kind = one.kind;
    foreach this in array one.legs::public.ledger_leg[] loop
      is_disordered := is_disordered or place > 0 and ((this.asset, this.account) > (before.asset, before.account)) is not true;
      place := place + 1;
      is_unlisted := is_unlisted or one.reverses is null
        and (this.account = any (case when this.units > 0 then allowed.credits else allowed.debits end)) is not true;
      if this.asset <> before.asset then
        is_unbalanced := is_unbalanced or running is distinct from 0;
        running := 0;
      end if;
      running := running + this.units;
      is_misowned := is_misowned or one.owner_id = house and this.account in ('available', 'held');
      before := this;
    end loop;
    if one.reverses is not null and not ledger_mirrors_another(one) then
      perform ledger_refuse('a_reversal_mirrors_its_transfer', one.key);
    elsif is_disordered then
      perform ledger_refuse('legs_stand_in_order', one.key);
    elsif one.kind <> split_part(one.key, ':', 1)
          and exists (select from public.ledger_transfer_kinds where kind = split_part(one.key, ':', 1)) then
      perform ledger_refuse('keys_are_of_the_kind_they_name', one.key);
    elsif is_unlisted then
      perform ledger_refuse('movements_are_listed', one.key);
    elsif is_unbalanced or running is distinct from 0 then
      perform ledger_refuse('transfers_sum_to_zero', one.key);
    elsif is_misowned then
      perform ledger_refuse('accounts_are_in_the_chart', one.key);
    end if;

    insert into public.ledger_keys (number, id, key, kind, reverses) values (one.number, one.id, one.key, one.kind, one.reverses);
    posting := set_config('ledger.posting', ledger_token() || ' ' || pg_trigger_depth(), true);
    foreach this in array one.legs::public.ledger_leg[] loop
      sequence := null;
      balance_after := null;
      if this.account in ('available', 'held') then
        update public.ledger_accounts set balance = balance + this.units, entry_count = entry_count + 1
         where owner_id = one.owner_id and account = this.account and asset = this.asset
        returning balance, entry_count into balance_after, sequence;
        if not found then
          insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
          values (one.owner_id, this.account, this.asset, 0, 0) on conflict do nothing;
          update public.ledger_accounts set balance = balance + this.units, entry_count = entry_count + 1
           where owner_id = one.owner_id and account = this.account and asset = this.asset
          returning balance, entry_count into balance_after, sequence;
        end if;
      end if;
      insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
      values (one.owner_id, one.number, this.account, this.asset, this.units, sequence, balance_after);
    end loop;
    posting := set_config('ledger.posting', '', true);
    return null;
  end if;

  select min(key) filter (where not ordered) as disordered, min(key) filter (where not listed) as unlisted,
         min(key) filter (where total is distinct from 0) as unbalanced, min(key) filter (where misowned) as misowned,
         min(key) filter (where misnamed) as misnamed,
         bool_or(reverses) as has_reversals, bool_or(lacks_account) as lacks_accounts
    into wrong
    from (select key, reverses, bool_or(misnamed) as misnamed, bool_and(ordered) as ordered, bool_and(listed) as listed,
                 case when count(*) = count(units) then sum(units) end as total, bool_or(misowned) as misowned,
                 bool_or(lacks_account) as lacks_account
            from (
              -- What each leg is, before legs are sorted: they are short then.
              select t.number, t.key, t.reverses is not null as reverses, leg.asset, leg.units, named.kind <> t.kind as misnamed,
                     (leg.place = 1 or (leg.asset, leg.account) >
                       ((t.legs[leg.place - 1]).asset, (t.legs[leg.place - 1]).account)) is true as ordered,
                     t.reverses is not null
                       or (leg.account = any (case when leg.units > 0 then k.credits else k.debits end)) is true as listed,
                     t.owner_id = house and leg.account in ('available', 'held') as misowned,
                     leg.account in ('available', 'held') and (
                       select true from public.ledger_accounts a
                        where a.owner_id = t.owner_id and a.account = leg.account and a.asset = leg.asset) is null as lacks_account
                from new_transfers t
                left join public.ledger_transfer_kinds k on k.kind = t.kind
                left join public.ledger_transfer_kinds named on named.kind = split_part(t.key, ':', 1)
               cross join unnest(t.legs) with ordinality leg (account, asset, units, place) offset 0) each
           group by number, asset, key, reverses) of_asset;
  if wrong.has_reversals and exists (select from new_transfers t where t.reverses is not null and not ledger_mirrors_another(t)) then
    perform ledger_refuse('a_reversal_mirrors_its_transfer', null);
  elsif wrong.disordered is not null then
    perform ledger_refuse('legs_stand_in_order', wrong.disordered);
  elsif wrong.misnamed is not null then
    perform ledger_refuse('keys_are_of_the_kind_they_name', wrong.misnamed);
  elsif wrong.unlisted is not null then
    perform ledger_refuse('movements_are_listed', wrong.unlisted);
  elsif wrong.unbalanced is not null then
    perform ledger_refuse('transfers_sum_to_zero', wrong.unbalanced);
  elsif wrong.misowned is not null then
    perform ledger_refuse('accounts_are_in_the_chart', wrong.misowned);
  end if;

  insert into public.ledger_keys (number, id, key, kind, reverses) select number, id, key, kind, reverses from new_transfers;
  posting := set_config('ledger.posting', ledger_token() || ' ' || pg_trigger_depth(), true);
  if wrong.lacks_accounts then
    insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
    select distinct t.owner_id, leg.account, leg.asset, 0, 0 from new_transfers t cross join unnest(t.legs) leg
     where leg.account in ('available', 'held') order by 1, 2, 3 on conflict do nothing;
  end if;

  -- A customer's account moves by the sum of its legs. The balance after a leg: the one after all of them, minus this leg and all later
  -- ones, plus this leg.
  with legs as materialized (
    select t.number, t.owner_id, leg.account, leg.asset, leg.units, lead(true) over from_here is null as is_first,
           count(*) over from_here as entries_from_here, sum(leg.units) over from_here as units_from_here
      from new_transfers t cross join unnest(t.legs) leg
    window from_here as (partition by t.owner_id, leg.account, leg.asset order by t.number desc rows unbounded preceding)
  ), accounts as (
    update public.ledger_accounts a set balance = a.balance + leg.units_from_here, entry_count = a.entry_count + leg.entries_from_here
      from legs leg
     where leg.is_first and leg.account in ('available', 'held') and a.owner_id = any (array(select owner_id from new_transfers))
       and (a.owner_id, a.account, a.asset) = (leg.owner_id, leg.account, leg.asset)
    returning a.owner_id, a.account, a.asset, a.balance, a.entry_count
  )
  insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
  select owner_id, leg.number, account, asset, leg.units,
         a.entry_count - leg.entries_from_here + 1, a.balance - leg.units_from_here + leg.units
    from legs leg left join accounts a using (owner_id, account, asset);
  posting := set_config('ledger.posting', '', true);
  return null;
end $$;
create or replace trigger transfers_are_posted after insert on ledger_transfers referencing new table as new_transfers
  for each statement execute function ledger_post();

-- What callers ask for ------------------------------------------------------------------------------------
-- Posts one transfer, in one round trip. The same key with the same body returns the first transfer; with
-- another body it is refused. Clocks are not part of the body.
create or replace function post_transfer(
  p_id uuid, p_key text, p_kind text, p_owner uuid, p_day date, p_occurred_at timestamptz, p_source text,
  p_memo text, p_legs ledger_leg[], p_reverses uuid default null
) returns uuid language plpgsql security definer as $$
declare first ledger_transfers; posted_as bigint;
begin
  if p_owner = '00000000-0000-0000-0000-000000000000' then
    perform lock_fact('ledger.key:' || p_key);
  else
    perform from ledger_accounts where owner_id = p_owner and account = 'available' and asset = 'BTC' for no key update;
    if not found then
      perform ledger_lock_customers(array[p_owner]);
    end if;
  end if;

  select number into posted_as from ledger_keys where key = p_key;
  if not found then
    insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
    values (p_id, p_key, p_kind, p_owner, p_day, p_occurred_at, p_source, p_memo, p_reverses, p_legs);
    return p_id;
  end if;

  select * into first from ledger_transfers where number = posted_as;
  perform demand('one_transfer_per_key', (first.kind, first.owner_id, first.source, first.memo, first.legs, first.reverses)
    is not distinct from (p_kind, p_owner, p_source, p_memo, p_legs, p_reverses), 'unique_violation',
    'The key ' || p_key || ' belongs to another transfer.');
  return first.id;
end $$;

-- Posts many transfers as one: all of them, or none. Takes the parts of each transfer at the same place
-- of every array. Returns those that had been posted before, with the place they were asked for at.
create or replace function post_transfers(
  p_ids uuid[], p_keys text[], p_kinds text[], p_owners uuid[], p_days date[], p_occurred_ats timestamptz[],
  p_sources text[], p_memos text[], p_legs text[]
) returns table (place bigint, transfer_id uuid)
language plpgsql security definer set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare posted bigint;
begin
  perform ledger_lock_customers(array_remove(p_owners, '00000000-0000-0000-0000-000000000000'));
  -- The house's postings do not wait for each other, but for one with the same key.
  perform lock_fact('ledger.key:' || key) from (
    select distinct key from unnest(p_keys, p_owners) asked (key, owner_id)
     where owner_id = '00000000-0000-0000-0000-000000000000' order by key) of_house;
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select id, key, kind, owner_id, day, occurred_at, source, memo, legs::ledger_leg[]
    from unnest(p_ids, p_keys, p_kinds, p_owners, p_days, p_occurred_ats, p_sources, p_memos, p_legs) with ordinality
      asked (id, key, kind, owner_id, day, occurred_at, source, memo, legs, place)
   where not exists (select from ledger_keys k where k.key = asked.key)
     and not exists (
       select from unnest(p_keys) with ordinality before (key, place) where before.key = asked.key and before.place < asked.place)
   order by asked.place;
  get diagnostics posted = row_count;
  if posted = cardinality(p_ids) then return; end if;

  perform from unnest(p_keys, p_kinds, p_owners, p_sources, p_memos, p_legs) asked (key, kind, owner_id, source, memo, legs)
    join ledger_keys k on k.key = asked.key
    left join ledger_transfers first on first.number = k.number
   where k.reverses is not null or (first.kind, first.owner_id, first.source, first.memo, first.legs)
      is distinct from (asked.kind, asked.owner_id, asked.source, asked.memo, asked.legs::ledger_leg[]);
  perform demand('one_transfer_per_key', not found, 'unique_violation', 'A key of these transfers belongs to another transfer.');
  return query
    select asked.place, k.id
      from unnest(p_ids, p_keys) with ordinality asked (id, key, place)
      join ledger_keys k on k.key = asked.key
     where k.id <> asked.id
     order by asked.place;
end $$;

-- Posts the exact mirror of a transfer. It can be done once.
create or replace function reverse_transfer(
  p_id uuid, p_reverses uuid, p_key text, p_day date, p_occurred_at timestamptz, p_memo text,
  out transfer_id uuid, out posted boolean
) language plpgsql security definer as $$
declare original ledger_transfers;
begin
  select * into original from ledger_transfer(p_reverses);
  perform demand('a_reversal_needs_a_transfer', found, 'foreign_key_violation',
                 'There is no transfer ' || p_reverses || ' here to reverse.');
  transfer_id := post_transfer(p_id, p_key, 'reversal', original.owner_id, p_day, p_occurred_at, original.source,
                               p_memo, ledger_mirror(original.legs), p_reverses);
  posted := transfer_id = p_id;
end $$;

-- The document behind it ----------------------------------------------------------------------------------
-- At the commit a transfer has what must stand behind it, by whatever its room has registered for its kind: `ledger_document_checks`.
create or replace function require_document() returns trigger
language plpgsql security definer as $$
declare of_kind text := new.kind; is_asked boolean := false; room regproc;
begin
  if new.reverses is not null then
    select kind into of_kind from ledger_transfer(new.reverses);
  end if;
  for room in select c.check_function from ledger_document_checks c
               where c.kind = of_kind and c.of_reversal = (new.reverses is not null) order by c.place loop
    execute format('select %s($1)', room) using new;
    is_asked := true;
  end loop;
  -- What is mined has its own rule, as it is posted.
  perform demand('kinds_need_a_check', is_asked or not ledger_needs_document(of_kind), says =>
    format('A transfer of the kind %s is not %s.', of_kind, case when new.reverses is null then 'posted' else 'reversed' end));
  return null;
end $$;

create or replace function ledger_needs_document(kind text) returns boolean language plpgsql immutable as $$
begin
  return kind = any ('{deposit,pool-payout,contract-purchase,goodwill,subsidy,equity-funding,equity-drawing,wallet-transfer,'
    'withdrawal-request,withdrawal-sent,withdrawal-cancelled,network-fee,remainder-left,hold,hold-release,reversal}');
end $$;
call at_commit('ledger_transfers', 'transfers_have_their_document', 'insert', 'require_document', 'ledger_needs_document(new.kind)');

-- All other statements ------------------------------------------------------------------------------------
-- Refuses a statement that `ledger_post` did not send itself: `ledger_token` in tables.sql says how it shows that.
create or replace function ledger_refuse_sent() returns trigger language plpgsql as $$
begin
  if current_setting('ledger.posting', true) is distinct from ledger_token() || ' ' || (pg_trigger_depth() - 1) then
    raise exception '%: % of % is refused.', tg_argv[1], tg_op, tg_table_name
      using errcode = 'restrict_violation', constraint = tg_argv[0];
  end if;
  return null;
end $$;
create or replace trigger balances_move_with_entries before update on ledger_accounts
  for each statement execute function ledger_refuse_sent('balances_move_with_entries', 'Balances move only with entries');
create or replace trigger entries_come_from_transfers before insert on ledger_entries
  for each statement execute function ledger_refuse_sent('entries_come_from_transfers', 'Entries come from transfers');

-- A new kind, or one that may move more, could make money from nothing: only a migration adds one, which reviewers see. It disables
-- this trigger for that, and enables it again.
call refuse_always('insert or update or delete or truncate', '{ledger_account_kinds,ledger_document_checks,ledger_transfer_kinds}',
  'the_chart_is_frozen', 'The chart changes by a migration');
call keep_rows('{ledger_accounts}', 'accounts_are_kept', 'Accounts are kept');
call write_once('{ledger_keys,ledger_transfers,ledger_entries}', 'the_ledger_is_append_only', 'Correct a transfer with a reversal');
call write_once('{ledger_seals}', 'the_ledger_is_append_only', 'A seal is for good');
call write_once('{ledger_house_snapshots}', 'the_ledger_is_append_only', 'A snapshot is for good');

-- Rooms register anew what must stand behind a kind, each time their functions are applied; guards.sql puts the trigger on again.
alter table ledger_document_checks disable trigger the_chart_is_frozen;
delete from ledger_document_checks;

grant execute on function post_transfer, post_transfers, reverse_transfer to assay_app;
