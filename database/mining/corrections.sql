-- A pool corrects what it paid for a day that was already credited: the difference is credited, or reversed as far as balances
-- go. server/mining/days/post-corrections.ts calls, for each correction in the order of recording:
--   mining_open_correction   writes the day's corrected figures, and its chunks once more
--   mining_correct_chunk     the difference for each contract, a transfer for each customer
--   mining_close_correction  the rest, which is the operator's
-- Neither the days that were served nor later carries change: docs/decisions/0020.

-- Corrections of posted days that are still to be worked out, in the order in which they were recorded.
create or replace function corrections_to_post() returns table (payout_id uuid, day date) language sql stable as $$
  select p.id, p.day from pool_payouts p join mining_runs r on r.day = p.day and r.state = 'posted'
   where p.corrects is not null and p.state = 'recorded'
     and not exists (select from mining_run_payouts i where i.day = p.day and i.payout_id = p.id)
     and not exists (select from mining_corrections c where c.payout_id = p.id and c.state = 'posted')
     -- What it corrects was given out itself.
     and (exists (select from mining_run_payouts i where i.day = p.day and i.payout_id = p.corrects)
       or exists (select from mining_corrections c where c.payout_id = p.corrects and c.state = 'posted'))
   order by p.decided_at, p.id
$$;

create or replace function mining_open_correction(p_payout uuid, p_at ledger_time) returns boolean language plpgsql security definer as $$
declare new pool_payouts; last mining_corrections;
begin
  perform lock_fact('mining evidence');
  if exists (select from mining_corrections where payout_id = p_payout) then return false; end if;
  select * into new from pool_payouts where id = p_payout;
  select * into last from mining_corrections where day = new.day order by number desc limit 1;
  perform demand('corrections_follow_their_day',
    last.state is distinct from 'posting' and exists (select from corrections_to_post() c where c.payout_id = p_payout));
  insert into mining_corrections (payout_id, day, number, payout_sats, distributable_sats, delivered_ghs, shared_ghs,
    payout_change_sats, started_at)
  select p_payout, new.day, coalesce(last.number, 0) + 1,
         coalesce(last.payout_sats, run.payout_sats) + now.change, coalesce(last.distributable_sats, run.distributable_sats) + now.change,
         now.ghs, greatest(now.ghs, run.active_ghs), now.change, p_at
    from mining_runs run join pool_payouts old on old.id = new.corrects
   cross join lateral (select new.units - old.units as change,
                              coalesce(last.delivered_ghs, run.delivered_ghs) + new.delivered_ghs - old.delivered_ghs as ghs) now
   where run.day = new.day;
  insert into mining_chunks (day, correction_id, number, first_customer_id, last_customer_id)
  select day, p_payout, number, first_customer_id, last_customer_id from mining_chunks where day = new.day and correction_id is null;
  perform mining_cut_out(new.day, p_payout, p_at);
  return true;
end $$;

create or replace function mining_correct_chunk(p_payout uuid, p_at ledger_time) returns integer
language plpgsql security definer set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare fix mining_corrections; chunk mining_chunks; moved record;
begin
  select * into strict fix from mining_corrections where payout_id = p_payout;
  select * into chunk from mining_chunks c
   where day = fix.day and correction_id = p_payout and posted_at is null and retry_at <= p_at and not mining_waits(c)
   order by number limit 1 for update skip locked;
  if not found then return null; end if;
  begin
    -- Before their accounts, as everybody takes them: nobody is erased meanwhile.
    perform from customers where id = any (mining_customers_of(chunk)) order by id for share;
    perform ledger_lock_customers(mining_customers_of(chunk));
    with changed as materialized (
      select d.contract_id, d.customer_id, w.credit, w.credit - coalesce(earlier.credit_sats, d.credit_sats) as change
        from contracts c
       cross join lateral (select * from mining_contract_days d where d.contract_id = c.id and d.day = fix.day limit 1) d
        left join lateral (
          select x.credit_sats from mining_contract_corrections x join mining_corrections n on n.payout_id = x.payout_id
           where x.contract_id = c.id and x.day = fix.day order by n.number desc limit 1) earlier on true
       cross join lateral (select div(fix.distributable_sats * d.ghs, fix.shared_ghs) as credit) w
       where c.customer_id between chunk.first_customer_id and chunk.last_customer_id
    ), receipts as (
      insert into mining_contract_corrections (contract_id, day, payout_id, credit_sats, change_sats)
      select contract_id, fix.day, p_payout, credit, change from changed where change <> 0
    ), written as (
      insert into mining_customer_corrections (customer_id, day, payout_id, change_sats, lost_sats, usd_micros)
      select s.customer_id, fix.day, p_payout, s.change, s.lost,
             div((s.change + s.lost) * (select btc_usd_e8 from mining_runs where day = fix.day), 10000000000)
        from (select each.customer_id, each.change,
                     -- What could not be reversed before was credited then: it is made good before anything is credited again. Nobody
                     -- can claim what an erased account would get: it goes where what leaving customers leave goes, to the operator.
                     case when each.change < 0 then greatest(-each.change - a.balance, 0)
                          when (select erased_at from customers c where c.id = each.customer_id) is not null then -each.change
                          else -least(each.change, (select coalesce(sum(l.lost_sats), 0) from mining_customer_corrections l
                                                     where l.customer_id = each.customer_id and l.day = fix.day)) end as lost
                from (select customer_id, sum(change) as change from changed group by customer_id having sum(change) <> 0) each
                join ledger_accounts a on a.owner_id = each.customer_id and a.account = 'available' and a.asset = 'BTC') s
      returning customer_id, change_sats, lost_sats
    )
    select array_agg(p_payout) as payouts, array_agg(customer_id) as owners,
           coalesce(sum(change_sats), 0) as change, coalesce(sum(lost_sats), 0) as lost into moved from written;
    perform mining_post('mining-correction', (p_at at time zone 'UTC')::date, p_at, moved.payouts, moved.owners);
    update mining_chunks set posted_at = p_at where id = chunk.id;
    update mining_corrections set customers_change_sats = customers_change_sats + moved.change, lost_sats = lost_sats + moved.lost,
           reserved_sats = reserved_sats - case state when 'posted' then moved.change else 0 end where payout_id = p_payout;
    perform mining_note_results((
      select array_agg(e.contract_id) from contract_endings e
       where e.customer_id between chunk.first_customer_id and chunk.last_customer_id and e.settled_at is not null
         and exists (select from mining_contract_corrections x
                      where x.contract_id = e.contract_id and x.day = fix.day and x.payout_id = p_payout)));
  exception when others or assert_failure then
    if not mining_set_apart(chunk.id, sqlstate, sqlerrm, p_at) then raise; end if;
  end;
  return chunk.number;
end $$;

create or replace function mining_close_correction(p_payout uuid, p_at ledger_time) returns boolean language plpgsql security definer as $$
declare fix mining_corrections; reserved numeric;
begin
  select * into strict fix from mining_corrections where payout_id = p_payout for update;
  if fix.state = 'posted' or exists (
       select from mining_chunks where correction_id = p_payout and posted_at is null and set_apart_at is null) then
    return false;
  end if;
  reserved := coalesce((select sum(reserved_sats) from mining_chunks where correction_id = p_payout and posted_at is null), 0);
  update mining_corrections set state = 'posted', posted_at = p_at, reserved_sats = reserved,
         operator_change_sats = payout_change_sats - customers_change_sats - reserved where payout_id = p_payout;
  perform mining_post('mining-correction', (p_at at time zone 'UTC')::date, p_at, array[p_payout]);
  return true;
end $$;

grant execute on function mining_open_correction, mining_correct_chunk, mining_close_correction to assay_app;
