-- Nothing that is mined is in the ledger unless a row of this room explains it to the satoshi: its kind, its key and its legs.
-- mining_documents says what is posted of those rows, and mining_post posts just that. mining_explain checks each transfer, also one
-- that the application posts itself: it could otherwise post any credit. Of a day's credits and fees it does so as a set.

-- The legs of a transfer in one coin: accounts in alphabetical order, with what each gets. Null: nothing moves.
create or replace function mining_legs(p_accounts text[], p_asset text, variadic p_units numeric[]) returns ledger_leg[]
language sql immutable as $$
  select array_agg((account, p_asset, units)::ledger_leg order by place)
    from unnest(p_accounts, p_units) with ordinality leg (account, units, place) where units <> 0
$$;

-- What is to be posted of a kind for one owner: of a day, or of a contract, a corrected payout or a transfer of arrears (p_of).
create or replace function mining_documents(p_kind text, p_of uuid, p_owner uuid, p_day date)
returns table (key text, source text, memo text, legs ledger_leg[]) language sql stable as $$
  select p_kind || ':' || iso_day(r.day) || each.part, 'mining-run:' || iso_day(r.day), replace(each.memo, '%', iso_day(r.day)), each.legs
    from mining_runs r cross join lateral (values
     ('rounding-carry', 'posting', ':in', 'What the day before could not divide',
      mining_legs('{pool_receivable,rounding}', 'BTC', r.carried_sats, -r.carried_sats)),
     ('rounding-carry', 'posted', ':out', 'What % could not divide',
      mining_legs('{pool_receivable,rounding}', 'BTC', -r.remainder_sats, r.remainder_sats)),
     ('operator-share', 'posted', '', 'What the operator''s own machines earned on %',
      mining_legs('{operator_equity,pool_receivable}', 'BTC', r.operator_share_sats, -r.operator_share_sats)),
     ('contract-day', 'posted', '', 'Contract days served on %',
      mining_legs('{contract_prepaid,contract_revenue}', 'BTC', -r.earned_btc_units, r.earned_btc_units)
      || mining_legs('{contract_prepaid,contract_revenue}', 'ETH', -r.earned_eth_units, r.earned_eth_units)
      || mining_legs('{contract_prepaid,contract_revenue}', 'USDT', -r.earned_usdt_units, r.earned_usdt_units)))
                       each (kind, state, part, memo, legs)
   where p_kind in ('rounding-carry', 'operator-share', 'contract-day') and r.day = p_day and (each.kind, each.state) = (p_kind, r.state)
  union all
  select 'inactivity-fee:' || iso_day(day) || ':' || p_owner, 'mining-run:' || iso_day(day),
         'Account without a contract on ' || iso_day(day), mining_legs('{available,inactivity_revenue}', 'BTC', -fee_sats, fee_sats)
    from inactivity_fees where p_kind = 'inactivity-fee' and customer_id = p_owner and day = p_day
  union all
  select 'maintenance-arrears:' || p_of, 'maintenance-arrears:' || p_of,
         'Unpaid maintenance of ' || iso_day(min(day)) || case when max(day) > min(day) then ' to ' || iso_day(max(day)) else '' end,
         mining_legs('{available,maintenance_revenue}', 'BTC', -sum(fee_sats), sum(fee_sats))
    from maintenance_arrears
   where p_kind = 'maintenance-fee' and transfer_id = p_of and customer_id = p_owner and state = 'collected' having count(*) > 0
  union all
  -- What a customer no longer has is the operator's loss.
  select 'mining-correction:' || iso_day(day) || ':' || p_of || ':' || whose, 'payout:' || p_of,
         'Correction of what was mined on ' || iso_day(day),
         mining_legs('{available,operator_equity,pool_receivable}', 'BTC', variadic units)
    from (select day, p_owner::text as whose, array[change_sats + lost_sats, -lost_sats, -change_sats] as units
            from mining_customer_corrections where customer_id = p_owner and payout_id = p_of
          union all
          select day, 'house', array[0, operator_change_sats, -operator_change_sats] from mining_corrections
           where payout_id = p_of and state = 'posted' and p_owner = '00000000-0000-0000-0000-000000000000') each
   where p_kind = 'mining-correction'
  union all
  select p_kind || ':' || p_of, 'contract:' || p_of, 'Days that a cancelled contract did not serve', each.legs
    from contract_endings e join contracts c on c.id = e.contract_id cross join lateral (values
     ('contract-refund', e.customer_id, mining_legs('{available,contract_prepaid}', c.coin, e.refunded_units, -e.refunded_units)),
     ('contract-forfeit', '00000000-0000-0000-0000-000000000000',
      mining_legs('{contract_prepaid,contract_revenue}', c.coin, -e.forfeited_units, e.forfeited_units))) each (kind, owner_id, legs)
   where p_kind in ('contract-refund', 'contract-forfeit') and e.contract_id = p_of and (each.kind, each.owner_id) = (p_kind, p_owner)
$$;

-- Posts what there is of a kind for each of these owners, the house if none is named.
create or replace function mining_post(p_kind text, p_day date, p_at timestamptz, p_of uuid[] default '{null}',
  p_owners uuid[] default null) returns void language sql as $$
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select case p_kind when 'maintenance-fee' then each.of else uuidv7() end, d.key, p_kind, owner, p_day, p_at, d.source, d.memo, d.legs
    from unnest(p_of, p_owners) each (of, whose) cross join coalesce(whose, '00000000-0000-0000-0000-000000000000') owner
   cross join mining_documents(p_kind, each.of, owner, p_day) d where d.legs is not null order by owner
$$;

-- Asked as they are posted, of all transfers of a statement together: docs/decisions/0020 says why in sets.
create or replace function mining_explain() returns trigger language plpgsql as $$
declare
  mined constant text[] := '{mining-credit,maintenance-fee,inactivity-fee,contract-day,operator-share,rounding-carry,'
    'mining-correction,contract-refund,contract-forfeit}';
  each_day date; unexplained text; newly_credited numeric;
begin
  if not exists (select from new_transfers where kind = any (mined) or reverses is not null) then return null; end if;
  -- What was mined is corrected by corrections of its evidence.
  perform demand('mining_is_not_reversed', not exists (
    select from new_transfers t
     where t.reverses is not null and (select o.kind from ledger_transfer(t.reverses) o) = any (mined)));
  -- The first UUID of a key says of what: a contract, a payout, a transfer, a customer.
  select min(t.key) into unexplained from new_transfers t
   where t.kind = any (mined) and t.kind <> 'mining-credit' and (t.kind <> 'maintenance-fee' or t.key like 'maintenance-arrears:%')
     and (t.kind = 'maintenance-fee' and t.key <> 'maintenance-arrears:' || t.id or not exists (
       select from mining_documents(t.kind, substring(t.key, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')::uuid, t.owner_id, t.day) d
        where d.key collate "C" = t.key and d.legs = t.legs));
  -- Planned each time, with the day known: only its month is looked at. A transfer that is explained moves exactly what its
  -- row says, so the rows also say how much was credited.
  for each_day in select distinct day from new_transfers where kind in ('mining-credit', 'maintenance-fee') order by day loop
    execute $check$
      select coalesce($3, min(t.key) filter (where (t.key, t.legs) is distinct from (t.kind || $2 || t.owner_id, case t.kind
               when 'mining-credit'
               then array[('available', 'BTC', d.credit_sats), ('pool_receivable', 'BTC', -d.credit_sats)]::ledger_leg[]
               else array[('available', 'BTC', -d.paid_fee_sats), ('maintenance_revenue', 'BTC', d.paid_fee_sats)]::ledger_leg[] end))),
             sum(d.credit_sats) filter (where t.kind = 'mining-credit')
        from new_transfers t
        left join lateral (select d.credit_sats, d.paid_fee_sats from mining_customer_days d
                            where d.customer_id = t.owner_id and d.day = $1 limit 1) d on true
       where t.day = $1 and (t.kind = 'mining-credit' or t.kind = 'maintenance-fee' and t.key not like 'maintenance-arrears:%')
    $check$ into unexplained, newly_credited using each_day, ':' || iso_day(each_day) || ':', unexplained;
    -- Once the day is closed, it is a customer who was set apart.
    update mining_runs set credited_sats = credited_sats + newly_credited,
           reserved_sats = reserved_sats - case state when 'posted' then newly_credited else 0 end
     where day = each_day and unexplained is null and newly_credited is not null;
  end loop;
  perform demand('mining_transfers_are_explained', unexplained is null, says => format('No receipt explains %s.', unexplained));
  return null;
end $$;
create or replace trigger what_is_mined_is_explained after insert on ledger_transfers referencing new table as new_transfers
  for each statement execute function mining_explain();

-- What a day was worked out from stays. What is said of it later is a correction.
create or replace function keep_worked_days() returns trigger language plpgsql security definer as $$
begin
  if tg_table_name = 'contracts' then
    perform demand(tg_name, not exists (select from mining_runs where day > coalesce(new.last_day, day - 1) and day >= new.starts_on),
      says => format('A day of contract %s after %s is worked out already.', new.id, coalesce(new.last_day, new.starts_on - 1)));
    return new;
  end if;
  perform lock_fact('mining evidence');
  if tg_table_name = 'pools' then
    perform demand(tg_name,
      case tg_op when 'INSERT' then new.counts_from else new.counts_until + 1 end > (select max(day) from mining_runs));
  else
    perform demand(tg_name, new.corrects is not null or not exists (select from mining_runs where day = new.day));
    perform demand('corrected_days_have_their_receipts', new.corrects is null or not exists (
      select from months
       where parent = 'mining_contract_days' and month = date_trunc('month', new.day)::date and detached_at is not null));
  end if;
  return new;
end $$;
create or replace trigger worked_days_keep_their_pools before insert or update of counts_until on pools
  for each row execute function keep_worked_days();
create or replace trigger worked_days_take_corrections_only before insert or update of state on pool_payouts
  for each row when (new.state = 'recorded') execute function keep_worked_days();
create or replace trigger contracts_begin_after_what_is_worked_out before insert on contracts
  for each row execute function keep_worked_days();
create or replace trigger contracts_end_after_what_is_worked_out before update of last_day on contracts
  for each row when (old.last_day is null and new.last_day is not null) execute function keep_worked_days();

-- A run rests on what was recorded, also when the owner of the tables writes it. Where no pool counts, a person closes the day.
call check_rows('mining_runs', 'before insert', 'runs_rest_on_evidence',
  'runs_rest_on_evidence', $$not exists (select from missing_pools(new.day))
    and (select (coalesce(sum(units), 0), coalesce(sum(delivered_ghs), 0)) = (new.payout_sats, new.delivered_ghs)
                and (count(*) > 0 or new.action_id is not null) from current_payouts(new.day))
    and new.carried_sats = coalesce((select remainder_sats from mining_runs where day = new.day - 1), 0)$$,
  'days_have_a_price', 'new.price_id is not null');

-- A run keeps what it began with. Once posted, only a customer who was set apart is still credited, out of what is reserved.
call check_rows('mining_runs', 'before update', 'runs_are_never_rewritten', $$new.credited_sats >= old.credited_sats
  and (old.state = 'posting' or new.credited_sats + new.reserved_sats = old.credited_sats + old.reserved_sats
                                and new.fees_paid_sats between old.fees_paid_sats and old.fees_due_sats)
  and (select to_jsonb(new) - may_change = to_jsonb(old) - may_change
         from string_to_array('credited_sats reserved_sats fees_paid_sats' || case old.state when 'posting' then ' state posted_at '
           'operator_share_sats remainder_sats fees_due_sats inactivity_sats earned_btc_units earned_eth_units earned_usdt_units'
           else '' end, ' ') may_change)$$);

-- What is written once
call keep_rows('{mining_runs}', 'runs_are_kept');
call write_once('{inactivity_fees,mining_settings}');
call write_once('{mining_contract_corrections,mining_customer_corrections}', 'corrections_are_written_once');
call write_once('{mining_contract_days,mining_customer_days}', 'receipts_are_written_once');
call name_act('mining_settings', 'action_id', 'mining/set-automatic', 'mining', '');
call name_act('mining_runs', 'action_id', 'mining/post-day', 'mining-day:', 'day');
