-- The journal asks for a transfer's document in one place, and posts thousands at once on a table that is still young.
-- Why: docs/decisions/0029.

-- The documents behind transfers --------------------------------------------------------------------------------
-- PostgreSQL reads a trigger's WHEN anew for every statement, so each further trigger made every posting dearer, also of the
-- kinds that it let through: six of them cost a fifth of a posting. One trigger asks now, and says which kinds need what.
-- Each rule is the one that it was, under its name.

drop trigger only_evidence_funds_pool_receivable on ledger_transfers;
drop trigger payouts_are_reversed_by_corrections on ledger_transfers;
drop trigger operators_money_needs_two_people on ledger_transfers;
drop trigger transfers_of_withdrawals_have_their_withdrawal on ledger_transfers;
drop trigger only_contracts_are_paid_for on ledger_transfers;
drop trigger purchases_are_reversed_when_given_back on ledger_transfers;
drop function check_payout_evidence, check_payout_reversal, guard_operator_money, guard_withdrawal_transfer, check_purchase,
  check_purchase_reversal;

create function require_payout_evidence(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (select from pool_payouts p where p.transfer_id = transfer.id and p.state = 'recorded') then
    raise exception 'Only evidence can fund the pool''s account.'
      using errcode = 'check_violation', constraint = 'only_evidence_funds_pool_receivable';
  end if;
end
$$;

create function require_payout_correction(reversal ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (
       select from pool_payouts p join pool_payouts correction on correction.corrects = p.id and correction.state = 'recorded'
        where p.transfer_id = reversal.reverses) then
    raise exception 'A payout is taken back by its correction.'
      using errcode = 'check_violation', constraint = 'payouts_are_reversed_by_corrections';
  end if;
end
$$;

create function require_contract(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (select from contracts c where c.transfer_id = transfer.id and transfer.key = 'contract-purchase:' || c.id
                    and transfer.owner_id = c.customer_id
                    and transfer.legs = array[('available', c.coin, -c.units), ('contract_prepaid', c.coin, c.units)]::ledger_leg[]) then
    raise exception 'Only a contract is paid for.'
      using errcode = 'check_violation', constraint = 'only_contracts_are_paid_for';
  end if;
end
$$;

create function require_contract_given_back(reversal ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (select from contracts c where c.transfer_id = reversal.reverses and c.end_reason = 'given-back') then
    raise exception 'A purchase is reversed for a contract that is given back.'
      using errcode = 'check_violation', constraint = 'purchases_are_reversed_when_given_back';
  end if;
end
$$;

create function require_adjustment(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (select from adjustments a where a.transfer_id = transfer.id and a.state = 'approved') then
    raise exception 'The operator''s own money moves by an adjustment that two people decided.'
      using errcode = 'check_violation', constraint = 'operators_money_needs_two_people';
  end if;
  perform require_equity();
  -- What came in, and a fee that the network has taken, are no choice.
  if transfer.kind not in ('equity-funding', 'wallet-transfer') then
    perform require_customers_covered();
  end if;
end
$$;

create function require_withdrawal(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if (case transfer.kind
        when 'withdrawal-request' then exists (select from withdrawals where request_transfer_id = transfer.id)
        when 'withdrawal-sent' then exists (select from withdrawals where end_transfer_id = transfer.id and state = 'settled')
        when 'withdrawal-cancelled' then exists (
          select from withdrawals where end_transfer_id = transfer.id and state in ('cancelled', 'rejected', 'returned'))
      end) is not true then
    raise exception 'What leaves has its withdrawal behind it.'
      using errcode = 'check_violation', constraint = 'transfers_of_withdrawals_have_their_withdrawal';
  end if;
end
$$;

create function keep_held_for_withdrawals(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if exists (
       select from withdrawals w where w.customer_id = transfer.owner_id and w.ended_at is null group by w.asset
       having sum(w.units) > coalesce((select a.balance from ledger_accounts a
                                        where a.owner_id = transfer.owner_id and a.account = 'held' and a.asset = w.asset), 0)) then
    raise exception 'What is held for a withdrawal stays held.'
      using errcode = 'check_violation', constraint = 'what_is_held_for_withdrawals_stays';
  end if;
end
$$;

create function require_document() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  case new.kind
    when 'pool-payout' then perform require_payout_evidence(new);
    when 'contract-purchase' then perform require_contract(new);
    when 'goodwill', 'subsidy', 'equity-funding' then perform require_adjustment(new);
    when 'withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled' then perform require_withdrawal(new);
    when 'hold-release' then perform keep_held_for_withdrawals(new);
    when 'reversal' then
      case (select kind from ledger_transfers where id = new.reverses)
        when 'pool-payout' then perform require_payout_correction(new);
        when 'contract-purchase' then perform require_contract_given_back(new);
        when 'goodwill', 'subsidy', 'equity-funding' then perform require_adjustment(new);
        when 'withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled' then
          raise exception 'What leaves has its withdrawal behind it.'
            using errcode = 'check_violation', constraint = 'transfers_of_withdrawals_have_their_withdrawal';
        else null;
      end case;
      perform keep_held_for_withdrawals(new);
  end case;
  return null;
end
$$;
revoke execute on function require_payout_evidence, require_payout_correction, require_contract, require_contract_given_back,
  require_adjustment, require_withdrawal, keep_held_for_withdrawals from public;

-- A kind that is listed here and not above is refused: CASE has no ELSE.
create constraint trigger transfers_have_their_document after insert on ledger_transfers
  deferrable initially deferred for each row
  when (new.kind in ('pool-payout', 'contract-purchase', 'goodwill', 'subsidy', 'equity-funding',
                     'withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled', 'hold-release', 'reversal'))
  execute function require_document();
alter table ledger_transfers enable always trigger transfers_have_their_document;

-- The journal, many at a time -----------------------------------------------------------------------------------
-- As in 0030, but customers' accounts are found by all of their key's columns, none of which the planner can hold against
-- statistics that it does not have yet: in a journal whose first day came by the thousand it expected one account, looked
-- through all postings for each, and ran into the statement's timeout. And a transfer that comes alone is read without a
-- cursor, its kind by itself.

create or replace function ledger_post() returns trigger language plpgsql as $$
declare
  customers_accounts constant text[] := '{available,held}';
  alone boolean;
  t record;
  may record;
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
  looked record;
  is_plain boolean;
begin
  select n.number, n.owner_id, n.kind, n.reverses, n.legs, (select count(*) from new_transfers) = 1 as alone
    into t from new_transfers n limit 1;
  alone := t.alone;
  if alone then
    select k.debits, k.credits into may from public.ledger_transfer_kinds k where k.kind = t.kind;
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
      if t.reverses is null and leg.account = any (case when leg.units > 0 then may.credits else may.debits end) is not true then
        raise exception 'A transfer of the kind % may not move % in this direction.', t.kind, leg.account
          using errcode = 'check_violation', constraint = 'movements_are_listed';
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
    insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
    select t.owner_id, t.number, each.account, each.asset, each.units, each.sequence, each.balance
      from unnest(its_legs, sequences, balances) each (account, asset, units, sequence, balance);
    return null;
  elsif alone is null then
    return null;
  end if;

  -- What a mining day is made of: bitcoin, between what a customer has and one account of the house. All rules at once,
  -- with nothing to sort; whatever is not so goes the long way, which says what is wrong.
  execute $check$
    select bool_and((t.reverses is null and array_dims(t.legs) = '[1:2]'
             and (t.first).asset = 'BTC' and (t.second).asset = 'BTC' and (t.first).account < (t.second).account
             and (t.first).units <> 0 and (t.first).units + (t.second).units = 0
             and ((t.first).account = 'available') <> ((t.second).account = 'available')
             and (t.first).account <> 'held' and (t.second).account <> 'held'
             and (t.first).account = any (case when (t.first).units > 0 then k.credits else k.debits end)
             and (t.second).account = any (case when (t.second).units > 0 then k.credits else k.debits end)) is true)
      from (select kind, reverses, legs, legs[1] as first, legs[2] as second from new_transfers) t
      left join public.ledger_transfer_kinds k on k.kind = t.kind
  $check$ into is_plain;
  if is_plain then
    execute $sets$
      with legs as materialized (
        select t.owner_id, t.number, 'available' as account, 'BTC' as asset, t.other, t.units,
               sum(t.units) over owner as moved_so_far, row_number() over owner as step, lead(t.number) over owner is null as is_last
          from (select owner_id, number,
                       case (legs[1]).account when 'available' then (legs[2]).account else (legs[1]).account end as other,
                       case (legs[1]).account when 'available' then (legs[1]).units else (legs[2]).units end as units
                  from new_transfers) t
        window owner as (partition by t.owner_id order by t.number)
      ), moved as (
        update public.ledger_accounts a
           set balance = a.balance + leg.moved_so_far, entry_count = a.entry_count + leg.step
          from legs leg
         where leg.is_last and a.owner_id = leg.owner_id and a.account = leg.account and a.asset = leg.asset
        returning a.owner_id, a.balance - leg.moved_so_far as balance, a.entry_count - leg.step as entries
      )
      insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
      select leg.owner_id, leg.number, 'available', 'BTC', leg.units, moved.entries + leg.step, moved.balance + leg.moved_so_far
        from legs leg left join moved on moved.owner_id = leg.owner_id
      union all
      select owner_id, number, other, 'BTC', -units, null, null from legs
       order by 2
    $sets$;
    get diagnostics written = row_count;
    assert written = 2 * (select count(*) from new_transfers), 'every leg becomes an entry';
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
       order by leg.owner_id, leg.number
    $sets$ using customers_accounts;
    get diagnostics written = row_count;
    assert written = entries, 'every leg becomes an entry';
  end if;
  return null;
end
$$;
