-- A contract ends (contract_endings) when its term is served (mining_close_day) or its clock has run out (mining_expire_clocks).

-- Gives back, or keeps, the price of the days that a cancelled contract did not serve, once all its days are worked out. Returns how many.
create or replace function mining_settle_endings(p_at ledger_time) returns integer language sql security definer as $$
  select mining_do('endings', p_at, array(
    select distinct e.customer_id from contract_endings e join contracts c on c.id = e.contract_id
     where e.settled_at is null and c.last_day <= (select max(day) from mining_runs where state = 'posted')
       and not mining_leaves_out(e.customer_id, 'endings', p_at) order by e.customer_id))
$$;

create or replace function mining_settle_for(p_customers uuid[], p_at timestamptz) returns integer language plpgsql as $$
declare today constant date := (p_at at time zone 'UTC')::date; settled uuid[]; owners uuid[];
begin
  with ended as (
    update contract_endings e set served_days = w.served, settled_at = p_at,
           refunded_units = case v.termination when 'refund-unserved' then w.rest else 0 end,
           forfeited_units = case v.termination when 'forfeit' then w.rest else 0 end
      from contracts c join plan_versions v on v.id = c.plan_version_id
     cross join lateral (
       select least(c.term_days, (
         (select cumulative_served_ppm from mining_runs where day = c.last_day)
         - coalesce((select cumulative_served_ppm from mining_runs where day = c.starts_on - 1), 0)) / 1000000)::integer as served) s
     cross join lateral (select s.served, c.units - div(c.units * s.served, c.term_days) as rest) w
     where c.id = e.contract_id and e.settled_at is null and e.customer_id = any (p_customers)
       and c.last_day <= (select max(day) from mining_runs where state = 'posted')
    returning e.contract_id, e.customer_id
  )
  select array_agg(contract_id), array_agg(customer_id) into settled, owners from ended;
  update maintenance_arrears set state = 'lapsed', closed_at = p_at where state = 'open' and contract_id = any (settled);
  perform mining_set_clocks(owners, p_at);
  perform mining_post('contract-refund', today, p_at, settled, owners);
  perform mining_post('contract-forfeit', today, p_at, settled);
  perform mining_note_results(settled);
  return coalesce(cardinality(settled), 0);
end $$;

-- What of each contract's price is not served, given back or kept yet: all of them together are the account `contract_prepaid`.
create or replace function unserved_shares() returns table (contract_id uuid, customer_id uuid, coin text, units numeric)
language sql stable as $$
  select c.id, c.customer_id, c.coin::text, c.units - coalesce(e.refunded_units + e.forfeited_units, 0) - div(c.units * served.days, c.term_days)
    from contracts c
   cross join (select max(day) as day from mining_runs where state = 'posted') newest
    left join contract_endings e on e.contract_id = c.id
    left join mining_runs upto on upto.day = least(c.last_day, newest.day) and upto.day >= c.starts_on and upto.state = 'posted'
    left join mining_runs before on before.day = c.starts_on - 1
   cross join lateral (
     select coalesce(e.served_days, case when upto.day is not null then least(
              c.term_days, (upto.cumulative_served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000) end, 0) as days) served
   where c.end_reason is distinct from 'given-back'
$$;

-- What each of these contracts came to, if it has ended and is settled; or what each has come to so far, less what is unpaid.
create or replace function results_of_contracts(p_contracts uuid[], so_far boolean default false)
returns table (contract_id uuid, plan_version_id uuid, usd_micros numeric, usd_cents numeric) language sql stable as $$
  select c.id, c.plan_version_id,
         coalesce(d.credited_usd_micros - d.fees_usd_micros, 0)
           + coalesce((select sum(div(x.change_sats * r.btc_usd_e8, 10000000000))
                         from mining_contract_corrections x join mining_runs r using (day) where x.contract_id = c.id), 0)
           - coalesce((select sum(a.usd_micros) from maintenance_arrears a where a.contract_id = c.id and (a.state = 'collected' or so_far and a.state = 'open')), 0)
           + coalesce(div(e.refunded_units * c.usd_cents * 10000, c.units), 0), c.usd_cents
    from unnest(p_contracts) asked (id) join contracts c on c.id = asked.id
    left join contract_endings e on e.contract_id = c.id and e.settled_at is not null
    left join lateral (
      select credited_usd_micros, fees_usd_micros from mining_contract_days days
       where days.contract_id = c.id and days.day between c.starts_on and coalesce(c.last_day, 'infinity') order by days.day desc limit 1) d on true
   where so_far or e.settled_at is not null
$$;

-- Writes what contracts came to, and their versions' records with it, when they are settled and whenever that changes later: by a
-- correction, a fee that is collected, a day of a customer who was set apart. docs/decisions/0056. Done last in a transaction: records have
-- one lock.
create or replace function mining_note_results(p_contracts uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare changed uuid[];
begin
  if p_contracts is null then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('plan records', 0));
  with came as materialized (
    select r.*, floor(r.usd_micros / r.usd_cents) as cents, r.usd_micros < r.usd_cents * 10000 as is_below,
           former.cents as former_cents, former.is_below as was_below, former.usd_micros as former_usd_micros
      from results_of_contracts(p_contracts) r left join contract_results former on former.contract_id = r.contract_id
     where r.usd_micros is distinct from former.usd_micros
  ), written as (
    insert into contract_results (contract_id, plan_version_id, usd_micros, usd_cents, cents, is_below)
    select contract_id, plan_version_id, usd_micros, usd_cents, cents, is_below from came
        on conflict (contract_id) do update set usd_micros = excluded.usd_micros, cents = excluded.cents, is_below = excluded.is_below
  ), counted as (
    insert into plan_results (plan_version_id, cents, contracts, below, usd_cents, below_usd_cents, usd_micros)
    select plan_version_id, cents, coalesce(known.contracts, 0) + sum(sign), coalesce(known.below, 0) + sum(sign * each.below),
           coalesce(known.usd_cents, 0) + sum(sign * each.usd_cents),
           coalesce(known.below_usd_cents, 0) + sum(sign * each.below * each.usd_cents), coalesce(known.usd_micros, 0) + sum(sign * each.usd_micros)
      from (select plan_version_id, cents, 1 as sign, is_below::integer as below, usd_cents, usd_micros from came
            union all
            select plan_version_id, former_cents, -1, was_below::integer, usd_cents, former_usd_micros from came
             where former_cents is not null) each
      left join plan_results known using (plan_version_id, cents)
     group by plan_version_id, cents, known.contracts, known.below, known.usd_cents, known.below_usd_cents, known.usd_micros
        on conflict (plan_version_id, cents) do update
       set (contracts, below, usd_cents, below_usd_cents, usd_micros)
         = (excluded.contracts, excluded.below, excluded.usd_cents, excluded.below_usd_cents, excluded.usd_micros)
  )
  select array_agg(distinct plan_version_id) into changed from came;
  -- Quantiles of the money that was paid: the first value that so large a part of all of it does not exceed.
  insert into plan_records (plan_version_id, ended, below, usd_cents, below_usd_cents, usd_micros, median_cents, p10_cents, p90_cents)
  select plan_version_id, sum(contracts), sum(below), sum(usd_cents), sum(below_usd_cents), sum(usd_micros),
         min(cents) filter (where 2 * upto >= paid), min(cents) filter (where 10 * upto >= paid), min(cents) filter (where 10 * upto >= 9 * paid)
    from (select r.*, sum(r.usd_cents) over (partition by r.plan_version_id order by r.cents) as upto,
                 sum(r.usd_cents) over (partition by r.plan_version_id) as paid
            from plan_results r where r.plan_version_id = any (changed) and r.contracts > 0) each group by plan_version_id
      on conflict (plan_version_id) do update set (ended, below, usd_cents, below_usd_cents, usd_micros, median_cents, p10_cents, p90_cents)
       = (excluded.ended, excluded.below, excluded.usd_cents, excluded.below_usd_cents, excluded.usd_micros,
          excluded.median_cents, excluded.p10_cents, excluded.p90_cents);
end $$;

-- A contract that was served, or was cancelled for what it owed, has its ending, which only these functions write: the right to
-- update a contract does not suffice to end it. What is given back has its reversal.
call check_rows('contracts', 'at commit update of end_reason when (new.end_reason is not null)', 'contracts_end_by_the_engine',
  'what_is_given_back_is_paid_back', $$new.end_reason <> 'given-back' or exists (
    select from ledger_keys k where k.reverses = new.transfer_id)$$,
  'contracts_end_by_the_engine', $$new.end_reason = 'given-back' or exists (
    select from contract_endings e
     where e.contract_id = new.id and (e.customer_id, e.reason, e.ended_at) = (new.customer_id, new.end_reason, new.ended_at))$$);
call keep_rows('{contract_results}', 'results_are_kept');

grant execute on function mining_settle_endings to assay_app;
