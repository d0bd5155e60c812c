-- An account without a contract costs a fee for each day, announced seven days ahead. Part of posting a day, between its credits
-- and its close.

-- Writes announcements, and ends them when a contract is bought. Customers with a contract are left out before anything is added
-- up. Two processes that work at one day both reach its end: the second finds an idle account noted.
create or replace function mining_note_inactivity(p_day date, p_at ledger_time) returns void
language plpgsql security definer set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare terms terms_in_force := (select t from terms_in_force t);
begin
  update inactivity_notices n set ended_at = p_at where n.ended_at is null and exists (
     select from contracts c where c.customer_id = n.customer_id and c.end_reason is distinct from 'given-back'
        and (c.last_day is null or c.last_day > n.inactive_since));
  insert into inactivity_notices (id, customer_id, inactive_since, noticed_at, first_fee_day)
  select uuidv7(), idle.owner_id, inactive.since, p_at,
         greatest(inactive.since + terms.inactivity_after_days + 1, (p_at at time zone 'UTC')::date + terms.inactivity_notice_days)
    from (select a.owner_id from ledger_accounts a join customers person on person.id = a.owner_id
           where a.account = 'available' and a.asset = 'BTC' and a.balance > terms.minimum_withdrawal_sats
             -- Not `not exists`, which may be worked out for all contracts: a look into the index for each account.
             and (select true from contracts c where c.customer_id = a.owner_id and c.last_day is null limit 1) is null
             and not exists (select from inactivity_notices n where n.customer_id = a.owner_id and n.ended_at is null) offset 0) idle
   cross join lateral (select max(last_day) as last_day from contracts c
                        where c.customer_id = idle.owner_id and c.end_reason is distinct from 'given-back') had
    left join lateral (
      select t.day from ledger_entries e join ledger_transfers t on t.number = e.transfer_number
       where had.last_day is null and e.owner_id = idle.owner_id and e.account = 'available' and e.asset = 'BTC'
         -- What the index is of.
         and e.account in ('available', 'held')
       order by e.transfer_number limit 1) first on true
   -- Who moved in months that were taken out counts from the first one that is here.
   cross join lateral (select coalesce(had.last_day, least(first.day, (
     select min(month) from months where parent = 'ledger_transfers' and detached_at is null
        and exists (select from ledger_openings o where o.owner_id = idle.owner_id)))) as since) inactive
   where inactive.since <= p_day - (terms.inactivity_after_days - terms.inactivity_notice_days)
      on conflict (customer_id) where ended_at is null do nothing;
end $$;

-- Takes the day's fee from some accounts whose announcement was sent long enough ago: 0 when all have paid. Those who failed count: there
-- may be more behind them. An announcement that a contract has ended stands for nothing, also while nobody has written its end.
create or replace function mining_charge_inactivity(p_day date, p_at ledger_time, p_limit integer default 5000) returns integer
language plpgsql security definer set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare owners uuid[] := array(
    select n.customer_id from inactivity_notices n
      join ledger_accounts a on a.owner_id = n.customer_id and a.account = 'available' and a.asset = 'BTC'
     cross join terms_in_force terms
     where n.ended_at is null and n.first_fee_day <= p_day and a.balance > terms.minimum_withdrawal_sats
       and (n.told_at at time zone 'UTC')::date + terms.inactivity_notice_days <= p_day
       and exists (select from mining_runs where day = p_day and state = 'posting')
       and not exists (select from inactivity_fees f where f.customer_id = n.customer_id and f.day = p_day)
       and not exists (select from contracts c where c.customer_id = n.customer_id and c.end_reason is distinct from 'given-back'
                          and (c.last_day is null or c.last_day > n.inactive_since))
       and not mining_leaves_out(n.customer_id, 'inactivity', p_at) order by n.customer_id limit p_limit);
begin
  perform mining_do('inactivity', p_at, owners, p_day);
  return cardinality(owners);
end $$;

create or replace function mining_charge_for(p_customers uuid[], p_day date, p_at timestamptz) returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare price numeric := (select btc_usd_e8 from mining_runs where day = p_day and state = 'posting' for share); owners uuid[];
begin
  if price is null then return 0; end if; -- Another process has closed the day, or waits for these fees to close it.
  with fees as (
    insert into inactivity_fees (customer_id, day, notice_id, balance_sats, fee_sats, usd_micros, total_usd_micros)
    select n.customer_id, p_day, n.id, a.balance, w.fee, div(w.fee * price, 10000000000), div(w.fee * price, 10000000000) + coalesce((
             select f.total_usd_micros from inactivity_fees f where f.customer_id = n.customer_id order by f.day desc limit 1), 0)
      from inactivity_notices n join ledger_accounts a on a.owner_id = n.customer_id and a.account = 'available' and a.asset = 'BTC'
     cross join terms_in_force terms
     cross join lateral (
        select least(greatest(div(a.balance * terms.inactivity_fee_per_million, 1000000), terms.inactivity_fee_minimum_sats),
                     a.balance - terms.minimum_withdrawal_sats) as fee) w
     where n.customer_id = any (p_customers) and n.ended_at is null and n.first_fee_day <= p_day
       and a.balance > terms.minimum_withdrawal_sats
    on conflict do nothing returning customer_id
  )
  select array_agg(customer_id) into owners from fees;
  perform mining_post('inactivity-fee', p_day, p_at, null, owners);
  return coalesce(cardinality(owners), 0);
end $$;

call check_rows('inactivity_notices', 'before insert', 'inactivity_is_told_seven_days_ahead', $$
  exists (select from terms_in_force
           where new.first_fee_day >= (new.noticed_at at time zone 'UTC')::date + inactivity_notice_days
             and new.first_fee_day > new.inactive_since + inactivity_after_days)$$);
call check_rows('inactivity_fees', 'before insert', 'inactivity_fees_follow_the_terms', 'inactivity_fees_are_told_ahead', $$
  exists (select from inactivity_notices n cross join terms_in_force
           where n.id = new.notice_id and (n.told_at at time zone 'UTC')::date + inactivity_notice_days <= new.day)$$,
  'inactivity_fees_follow_the_terms', $$
  exists (select from terms_in_force
           where new.fee_sats = least(
             greatest(div(new.balance_sats * inactivity_fee_per_million, 1000000), inactivity_fee_minimum_sats),
             new.balance_sats - minimum_withdrawal_sats))$$);

grant execute on function mining_note_inactivity, mining_charge_inactivity to assay_app;
