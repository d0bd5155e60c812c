-- A posting costs a third less: what PostgreSQL reads anew for every statement is short, or is not there. Nothing that is refused
-- changes, and no name of it.
-- Why: docs/decisions/0037.

-- Conditions of triggers and checks are kept as text and read for every statement, lists in them byte by byte. A function's name is
-- short, and what it does is read once in a connection.

create function ledger_needs_document(kind text) returns boolean language plpgsql immutable as $$
begin
  return kind in ('deposit', 'pool-payout', 'contract-purchase', 'goodwill', 'subsidy', 'equity-funding', 'equity-drawing', 'wallet-transfer',
                  'withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled', 'network-fee', 'remainder-left',
                  'hold', 'hold-release', 'reversal');
end
$$;
drop trigger transfers_have_their_document on ledger_transfers;
create constraint trigger transfers_have_their_document after insert on ledger_transfers
  deferrable initially deferred for each row when (ledger_needs_document(new.kind)) execute function require_document();
alter table ledger_transfers enable always trigger transfers_have_their_document;

-- The one function that writes entries asks for this itself, below.
alter table ledger_entries drop constraint only_customers_entries_keep_a_balance;

-- Only while the posting writes, and in no trigger that its writing reaches: migration 0090 says with what it shows that.
create function ledger_refuse_sent() returns trigger language plpgsql as $$
begin
  if current_setting('ledger.posting', true) is distinct from ledger_token() || ' ' || (pg_trigger_depth() - 1) then
    raise exception '%: % of % is refused.', tg_argv[1], tg_op, tg_table_name
      using errcode = 'restrict_violation', constraint = tg_argv[0];
  end if;
  return null;
end
$$;
drop trigger balances_move_with_entries on ledger_accounts;
create trigger balances_move_with_entries before update on ledger_accounts
  for each statement execute function ledger_refuse_sent('balances_move_with_entries', 'Balances move only with entries');
drop trigger entries_come_from_transfers on ledger_entries;
create trigger entries_come_from_transfers before insert on ledger_entries
  for each statement execute function ledger_refuse_sent('entries_come_from_transfers', 'Entries come from transfers');

-- Who has bought is in the contracts by now.
create or replace function contracts_are_sold() returns boolean language sql stable as $$
  select exists (select from contracts)
$$;
drop index ledger_transfers_that_buy_contracts;

-- One trigger posts, and asks of what is mined that it be explained: two of them read the new transfers twice.
drop trigger what_is_mined_is_explained on ledger_transfers;
drop function explain_mining_transfers;

create or replace function ledger_post() returns trigger language plpgsql as $$
declare
  customers_accounts constant text[] := '{available,held}';
  mined constant text[] := '{mining-credit,maintenance-fee,inactivity-fee,contract-day,operator-share,rounding-carry,mining-correction,contract-refund,contract-forfeit}';
  this record;
  own ledger_leg;
  other ledger_leg;
  leg ledger_leg;
  its_legs ledger_leg[];
  asset_so_far text collate "C" := '';
  account_so_far text collate "C";
  total numeric := 0;
  new_sequence bigint;
  new_balance numeric;
  sequences bigint[];
  balances numeric[];
  entries bigint := 0;
  more_accounts boolean := false;
  written bigint;
  looked record;
  is_plain boolean;
  first_owner uuid;
  last_owner uuid;
  with_loops text;
  each_day date;
  unexplained text;
  newly_credited numeric;
  posting text;
begin
  select n.number, n.owner_id, n.kind, n.reverses, n.legs, k.debits, k.credits, exists (select from new_transfers offset 1) as in_company
    into this from new_transfers n left join public.ledger_transfer_kinds k on k.kind = n.kind limit 1;
  if this.in_company is null then
    return null;
  end if;
  posting := set_config('ledger.posting', ledger_token() || ' ' || pg_trigger_depth(), true);

  if not this.in_company then
    own := this.legs[1];
    other := this.legs[2];
    -- Nearly all are so: one coin, between what a customer has and an account of the house, whose names come later.
    is_plain := this.reverses is null and array_dims(this.legs) = '[1:2]' and own.asset = other.asset
      and own.account = 'available' and other.account > 'available' and other.account <> 'held'
      and own.units <> 0 and own.units + other.units = 0
      and own.account = any (case when own.units > 0 then this.credits else this.debits end)
      and other.account = any (case when own.units > 0 then this.debits else this.credits end);
    if is_plain then
      update public.ledger_accounts a set balance = a.balance + own.units, entry_count = a.entry_count + 1
       where a.owner_id = this.owner_id and a.account = own.account and a.asset = own.asset
      returning a.entry_count, a.balance into new_sequence, new_balance;
      if not found then
        insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
        values (this.owner_id, own.account, own.asset, 0, 0) on conflict do nothing;
        update public.ledger_accounts a set balance = a.balance + own.units, entry_count = a.entry_count + 1
         where a.owner_id = this.owner_id and a.account = own.account and a.asset = own.asset
        returning a.entry_count, a.balance into new_sequence, new_balance;
      end if;
      if new_sequence is null then
        raise exception 'Customers own accounts of customers, and only these keep a running balance.'
          using errcode = 'check_violation', constraint = 'only_customers_entries_keep_a_balance';
      end if;
      insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
      values (this.owner_id, this.number, own.account, own.asset, own.units, new_sequence, new_balance),
             (this.owner_id, this.number, other.account, other.asset, other.units, null, null);
    else
      its_legs := this.legs;
      if this.reverses is not null then
        perform from public.ledger_transfers o
          where o.id = this.reverses and o.owner_id = this.owner_id and o.reverses is null and this.kind = 'reversal'
            and this.legs = public.ledger_mirror(o.legs);
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
        if this.reverses is null and leg.account = any (case when leg.units > 0 then this.credits else this.debits end) is not true then
          raise exception 'A transfer of the kind % may not move % in this direction.', this.kind, leg.account
            using errcode = 'check_violation', constraint = 'movements_are_listed';
        end if;

        new_sequence := null;
        new_balance := null;
        if leg.account = any (customers_accounts) then
          update public.ledger_accounts a set balance = a.balance + leg.units, entry_count = a.entry_count + 1
           where a.owner_id = this.owner_id and a.account = leg.account and a.asset = leg.asset
          returning a.entry_count, a.balance into new_sequence, new_balance;
          if not found then
            insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
            values (this.owner_id, leg.account, leg.asset, 0, 0) on conflict do nothing;
            update public.ledger_accounts a set balance = a.balance + leg.units, entry_count = a.entry_count + 1
             where a.owner_id = this.owner_id and a.account = leg.account and a.asset = leg.asset
            returning a.entry_count, a.balance into new_sequence, new_balance;
          end if;
          if new_sequence is null then
            raise exception 'Customers own accounts of customers, and only these keep a running balance.'
              using errcode = 'check_violation', constraint = 'only_customers_entries_keep_a_balance';
          end if;
        end if;
        sequences := sequences || new_sequence;
        balances := balances || new_balance;
      end loop;
      if total is distinct from 0 then
        raise exception 'The legs of a transfer must sum to zero per asset.'
          using errcode = 'check_violation', constraint = 'transfers_sum_to_zero';
      end if;
      insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
      select this.owner_id, this.number, each.account, each.asset, each.units, each.sequence, each.balance
        from unnest(its_legs, sequences, balances) each (account, asset, units, sequence, balance);
    end if;
    posting := set_config('ledger.posting', '', true);
    if this.reverses is null and this.kind <> all (mined) then
      return null;
    end if;
  else
    -- What a mining day is made of: bitcoin, between what a customer has and one account of the house. All rules at once,
    -- with nothing to sort; whatever is not so goes the long way, which says what is wrong.
    execute $check$
      select bool_and((s.reverses is null and s.has_two and s.first_asset = 'BTC' and s.second_asset = 'BTC'
               and s.first_units <> 0 and s.first_units + s.second_units = 0 and s.first_account < s.second_account
               and (s.first_account = 'available') <> (s.second_account = 'available')
               and s.first_account <> 'held' and s.second_account <> 'held'
               and s.first_account = any (case when s.first_units > 0 then k.credits else k.debits end)
               and s.second_account = any (case when s.second_units > 0 then k.credits else k.debits end)) is true)
        -- What is taken out of an array is taken out once.
        from (select kind, reverses, has_two, (first).account as first_account, (first).asset as first_asset, (first).units as first_units,
                     (second).account as second_account, (second).asset as second_asset, (second).units as second_units
                from (select kind, reverses, legs[1] as first, legs[2] as second,
                             array_ndims(legs) = 1 and array_lower(legs, 1) = 1 and array_upper(legs, 1) = 2 as has_two
                        from new_transfers offset 0) t offset 0) s
        left join public.ledger_transfer_kinds k on k.kind = s.kind
    $check$ into is_plain;
    if is_plain then
      select owner_id into first_owner from new_transfers order by owner_id limit 1;
      select owner_id into last_owner from new_transfers order by owner_id desc limit 1;
      -- Only the accounts between the first customer and the last are read. How many these are the planner may not know: in a young
      -- journal, or of new customers, it expects one, and would look through all transfers for each.
      with_loops := current_setting('enable_nestloop');
      perform set_config('enable_nestloop', 'off', true);
      execute $sets$
        with legs as materialized (
          select t.owner_id, t.number, 'available' as account, 'BTC' as asset, t.other, t.units,
                 sum(t.units) over owner as moved_so_far, row_number() over owner as step, lead(true) over owner is null as is_last
            from (select owner_id, number, case when (first).account = 'available' then (second).account else (first).account end as other,
                         case when (first).account = 'available' then (first).units else (second).units end as units
                    from (select owner_id, number, legs[1] as first, legs[2] as second from new_transfers offset 0) each offset 0) t
          window owner as (partition by t.owner_id order by t.number)
        ), moved as (
          update public.ledger_accounts a
             set balance = a.balance + leg.moved_so_far, entry_count = a.entry_count + leg.step
            from legs leg
           where leg.is_last and a.owner_id = leg.owner_id and a.account = leg.account and a.asset = leg.asset
             and a.owner_id between $1 and $2
          returning leg.owner_id, leg.number, leg.units, leg.step, leg.moved_so_far, a.entry_count as sequence, a.balance
        )
        -- As they lie in memory, and nothing sorted: within one statement the order of entries says nothing. A customer's last entry
        -- comes from the row that was moved, those before it are counted back from there.
        insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
        select owner_id, number, 'available', 'BTC', units, sequence, balance from moved
        union all
        select leg.owner_id, leg.number, 'available', 'BTC', leg.units,
               moved.sequence - moved.step + leg.step, moved.balance - moved.moved_so_far + leg.moved_so_far
          from legs leg join moved on moved.owner_id = leg.owner_id where not leg.is_last
        union all
        select owner_id, number, other, 'BTC', -units, null, null from legs
      $sets$ using first_owner, last_owner;
      get diagnostics written = row_count;
      perform set_config('enable_nestloop', with_loops, true);
      entries := 2 * (select count(*) from new_transfers);
    else
      execute $check$
        select count(*) as entries,
               bool_or(leg.account = any ($1) and (leg.account <> 'available' or leg.asset <> 'BTC')) as more_accounts,
               min(leg.number) filter (where leg.reverses is not null and not exists (
                 select from new_transfers t join public.ledger_transfers o
                     on o.id = t.reverses and o.owner_id = t.owner_id and o.reverses is null and t.kind = 'reversal'
                    and t.legs = public.ledger_mirror(o.legs) where t.number = leg.number)) as unmirrored,
               min(leg.number) filter (where (leg.asset, leg.account) > (coalesce(leg.asset_before, ''), coalesce(leg.account_before, '')) is not true)
                 as disordered,
               min(leg.number) filter (where leg.total is distinct from 0) as unbalanced,
               min(leg.kind || ' ' || coalesce(leg.account, '')) filter (where leg.reverses is null
                 and leg.account = any (case when leg.units > 0 then k.credits else k.debits end) is not true) as unlisted
          from (select t.number, t.kind, t.reverses, leg.account, leg.asset, leg.units,
                       lag(leg.asset) over one as asset_before, lag(leg.account) over one as account_before,
                       sum(leg.units) over (partition by t.number, leg.asset)
                         + case when leg.units is null then null else 0 end as total
                  from new_transfers t cross join unnest(t.legs) with ordinality leg (account, asset, units, place)
                window one as (partition by t.number order by leg.place)) leg
          left join public.ledger_transfer_kinds k on k.kind = leg.kind
      $check$ into looked using customers_accounts;
      if looked.unmirrored is not null then
        raise exception 'A reversal is the exact mirror of a transfer that is no reversal itself.'
          using errcode = 'check_violation', constraint = 'a_reversal_mirrors_its_transfer';
      elsif looked.disordered is not null then
        raise exception 'The legs of a transfer stand in the order of assets and accounts, one for each.'
          using errcode = 'check_violation', constraint = 'legs_stand_in_order';
      elsif looked.unlisted is not null then
        raise exception 'A transfer of the kind % may not be moved in this direction.', looked.unlisted
          using errcode = 'check_violation', constraint = 'movements_are_listed';
      elsif looked.unbalanced is not null then
        raise exception 'The legs of a transfer must sum to zero per asset.'
          using errcode = 'check_violation', constraint = 'transfers_sum_to_zero';
      end if;
      entries := looked.entries;
      more_accounts := coalesce(looked.more_accounts, false);
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
         where (leg.account = any ($1)) = (moved.owner_id is not null)
         order by leg.owner_id, leg.number
      $sets$ using customers_accounts;
      get diagnostics written = row_count;
    end if;
    if written <> entries then
      raise exception 'Customers own accounts of customers, and only these keep a running balance: of % legs % found theirs.',
        entries, written using errcode = 'check_violation', constraint = 'only_customers_entries_keep_a_balance';
    end if;
    posting := set_config('ledger.posting', '', true);
    if not exists (select from new_transfers where kind = any (mined) or reverses is not null) then
      return null;
    end if;
  end if;

  select min(t.key) into unexplained
    from new_transfers t
   cross join lateral (select o.kind from public.ledger_transfers o where o.id = t.reverses limit 1) o
   where t.reverses is not null and o.kind = any (mined);
  if unexplained is not null then
    raise exception 'What was mined is corrected by corrections of its evidence: %.', unexplained
      using errcode = 'check_violation', constraint = 'mining_is_not_reversed';
  end if;

  select min(t.key) into unexplained from new_transfers t
   where t.kind = any (mined) and t.kind <> 'mining-credit' and (t.kind <> 'maintenance-fee' or left(t.key, 20) = 'maintenance-arrears:')
     and public.mining_explains(t.kind, t.id, t.key, t.owner_id, t.day, t.legs) is not true;
  if unexplained is not null then
    raise exception 'No receipt explains %.', unexplained
      using errcode = 'check_violation', constraint = 'mining_transfers_are_explained';
  end if;

  -- Planned each time, with the day known: only its month is looked at. A transfer that is explained moves exactly what its
  -- row says, so the rows also say how much was credited.
  for each_day in select distinct day from new_transfers where kind in ('mining-credit', 'maintenance-fee') order by day loop
    execute $check$
      select min(each.key) filter (where not each.is_explained), sum(each.credited)
        from (
          select t.key, case when t.kind = 'mining-credit' then d.credit_sats end as credited,
                 (t.key = t.kind || $2 || t.owner_id and t.has_two
                  and (t.first).account = 'available' and (t.first).asset = 'BTC' and (t.second).asset = 'BTC'
                  and case t.kind
                        when 'mining-credit' then (t.second).account = 'pool_receivable'
                          and (t.first).units = d.credit_sats and (t.second).units = -d.credit_sats
                        else (t.second).account = 'maintenance_revenue'
                          and (t.first).units = -d.paid_fee_sats and (t.second).units = d.paid_fee_sats
                      end) is true as is_explained
            -- What is taken out of an array is taken out once.
            from (select key, kind, owner_id, legs[1] as first, legs[2] as second,
                         array_ndims(legs) = 1 and array_lower(legs, 1) = 1 and array_upper(legs, 1) = 2 as has_two
                    from new_transfers
                   where day = $1 and (kind = 'mining-credit' or kind = 'maintenance-fee' and left(key, 20) <> 'maintenance-arrears:')
                  offset 0) t
            left join lateral (select d.credit_sats, d.paid_fee_sats from public.mining_customer_days d
                                where d.customer_id = t.owner_id and d.day = $1 limit 1) d on true) each
    $check$ into unexplained, newly_credited using each_day, ':' || iso_day(each_day) || ':';
    if unexplained is not null then
      raise exception 'No receipt explains %.', unexplained
        using errcode = 'check_violation', constraint = 'mining_transfers_are_explained';
    end if;
    if newly_credited is not null then
      update public.mining_runs r set credited_sats = r.credited_sats + newly_credited,
             -- A customer who was set apart, after the day was closed.
             reserved_sats = r.reserved_sats - case r.state when 'posted' then newly_credited else 0 end
       where r.day = each_day;
    end if;
  end loop;
  return null;
end
$$;

-- What is asked for one value is answered with one: a row of two has to be put by and read again. The answer is the id under which
-- the key is posted, by this call if it is the one that was sent.
drop function post_transfer;
create function post_transfer(
  p_id uuid, p_key text, p_kind text, p_owner uuid, p_day date, p_occurred_at timestamptz, p_source text,
  p_memo text, p_legs ledger_leg[], p_reverses uuid default null
) returns uuid language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
    return p_id;
  end if;

  select * into strict first from ledger_transfers where key = p_key;
  if (first.kind, first.owner_id, first.source, first.memo, first.legs) is distinct from
     (p_kind, p_owner, p_source, p_memo, p_legs) or first.reverses is distinct from p_reverses then
    raise exception 'The key % belongs to another transfer.', p_key
      using errcode = 'unique_violation', constraint = 'one_transfer_per_key';
  end if;
  return first.id;
end
$$;
revoke execute on function post_transfer from public;
grant execute on function post_transfer to assay_app;

create or replace function reverse_transfer(
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
  transfer_id := post_transfer(p_id, p_key, 'reversal', original.owner_id, p_day, p_occurred_at, original.source,
                               p_memo, ledger_mirror(original.legs), p_reverses);
  posted := transfer_id = p_id;
end
$$;
