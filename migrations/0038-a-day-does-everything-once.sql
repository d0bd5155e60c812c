-- A day, cheaper: what a run does for each contract and transfer is done once. Nothing that is refused changes, and no name of it.
-- Why: docs/decisions/0036.

-- As in 0030, but contracts are read once instead of three times.
create or replace function mining_open_day(p_day date, p_at timestamptz, p_action uuid, p_chunk integer default 20000) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off
set enable_seqscan = off as $$
declare
  run mining_runs;
  price market_prices;
  network network_figures;
  plans uuid[];
  contracts_of_plans bigint[];
  ghs_of_plans numeric[];
  first_customers uuid[];
  last_customers uuid[];
begin
  perform p_at::ledger_time;
  perform lock_evidence();
  if exists (select from mining_runs where day = p_day) then
    return false;
  end if;
  if p_day >= (p_at at time zone 'UTC')::date then
    raise exception '% is not over.', p_day using errcode = 'check_violation', constraint = 'days_are_over_before_they_are_worked_out';
  end if;
  if p_day is distinct from next_mining_day() or exists (select from mining_runs where state = 'posting') then
    raise exception '% is not the next day.', p_day using errcode = 'check_violation', constraint = 'days_are_worked_out_in_order';
  end if;
  if exists (select from missing_pools(p_day))
     or not exists (select from current_payouts(p_day)) and not (p_action is not null and counts_no_pool(p_day)) then
    raise exception 'The evidence of % is not complete.', p_day using errcode = 'check_violation', constraint = 'runs_rest_on_evidence';
  end if;
  price := price_of_day(p_day);
  if price.id is null then
    raise exception 'There is no price for %.', p_day using errcode = 'check_violation', constraint = 'days_have_a_price';
  end if;
  update market_prices set kept = true where id = price.id and not kept;
  perform mining_open_month(p_day);

  -- What the network was like on this day, when last asked.
  select * into network from network_figures
   where observed_at > p_day::timestamp at time zone 'UTC' and observed_at <= (p_day + 1)::timestamp at time zone 'UTC'
   order by observed_at desc limit 1;
  run.day := p_day;
  select coalesce(sum(units), 0), coalesce(sum(delivered_ghs), 0) into run.payout_sats, run.delivered_ghs from current_payouts(p_day);
  select coalesce((select remainder_sats from mining_runs where day = p_day - 1), 0) into run.carried_sats;
  -- All contracts are read once: for what runs under each plan, and for how many each customer has, which is what chunks of
  -- them are laid out by.
  with counted as materialized (
    select plan_version_id, customer_id, count(*) as contracts, sum(ghs) as ghs from contracts
     where starts_on <= p_day and (last_day is null or last_day >= p_day)
     group by grouping sets ((plan_version_id), (customer_id))
  ), placed as (
    select customer_id, (sum(contracts::integer) over (order by customer_id) - 1) / p_chunk as nth
      from counted where customer_id is not null
  ), edges as (
    select customer_id, nth is distinct from lag(nth) over line as begins, nth is distinct from lead(nth) over line as ends
      from placed window line as (order by customer_id)
  )
  select p.plans, p.contracts, p.ghs, e.first_customers, e.last_customers, e.customers
    into plans, contracts_of_plans, ghs_of_plans, first_customers, last_customers, run.customers
    from (select array_agg(plan_version_id) as plans, array_agg(contracts) as contracts, array_agg(ghs) as ghs
            from counted where plan_version_id is not null) p
   cross join (select array_agg(customer_id order by customer_id) filter (where begins) as first_customers,
                      array_agg(customer_id order by customer_id) filter (where ends) as last_customers, count(*) as customers
                 from edges) e;
  select coalesce(sum(ghs), 0), coalesce(sum(contracts), 0) into run.active_ghs, run.contracts
    from unnest(contracts_of_plans, ghs_of_plans) each (contracts, ghs);
  run.shared_ghs := greatest(run.delivered_ghs, run.active_ghs);
  run.served_ppm := case when run.delivered_ghs >= run.active_ghs then 1000000 else div(run.delivered_ghs * 1000000, run.active_ghs) end;
  insert into mining_runs (day, payout_sats, carried_sats, distributable_sats, delivered_ghs, active_ghs, shared_ghs, served_ppm,
    cumulative_served_ppm, contracts, customers, price_id, btc_usd_e8, price_observed_at, network_observed_at, difficulty,
    subsidy_sats, fees_per_block_sats, started_at, action_id)
  values (p_day, run.payout_sats, run.carried_sats, run.payout_sats + run.carried_sats, run.delivered_ghs, run.active_ghs,
    run.shared_ghs, run.served_ppm,
    run.served_ppm + coalesce((select cumulative_served_ppm from mining_runs where day = p_day - 1), 0),
    run.contracts, run.customers, price.id, price.usd_e8, price.observed_at, network.observed_at, network.difficulty,
    network.subsidy_sats, network.fees_per_block_sats, p_at, p_action);
  insert into mining_run_payouts select p_day, id from current_payouts(p_day);
  insert into mining_run_plans (day, plan_version_id, maintenance_usd_micros, contracts, ghs)
  select p_day, each.id, maintenance_on(each.id, p_day), each.contracts, each.ghs
    from unnest(plans, contracts_of_plans, ghs_of_plans) each (id, contracts, ghs);
  insert into mining_chunks (day, number, first_customer_id, last_customer_id)
  select p_day, each.number, each.first_id, each.last_id
    from unnest(first_customers, last_customers) with ordinality each (first_id, last_id, number);
  perform mining_cut_out(p_day, null, each.customer_id, p_at) from mining_set_apart_before(p_day, null) each;

  if run.carried_sats > 0 then
    perform mining_post_for_house('rounding-carry:' || iso_day(p_day) || ':in', 'rounding-carry', p_day, p_at,
      'What the day before could not divide',
      array[('pool_receivable', 'BTC', run.carried_sats), ('rounding', 'BTC', -run.carried_sats)]::ledger_leg[]);
  end if;
  return true;
end
$$;

-- As in 0030, but what is sorted is no wider than what is needed of it, and a credit and a fee come of one row without sorting.
create or replace function mining_post_chunk(p_day date, p_at timestamptz) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  run mining_runs;
  chunk mining_chunks;
  owners uuid[];
  locked integer;
  day_text constant text := iso_day(p_day);
  run_text constant text := 'mining-run:' || iso_day(p_day);
begin
  perform p_at::ledger_time;
  select * into chunk from mining_chunks c
   where day = p_day and correction_id is null and posted_at is null and retry_at <= p_at and not mining_waits(c)
   order by number limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  begin
  select * into strict run from mining_runs where day = p_day;
  -- Whoever moves these balances waits until the chunk is posted, or is waited for.
  select array_agg(customer_id) into owners from (
    select distinct customer_id from contracts
     where customer_id between chunk.first_customer_id and chunk.last_customer_id
       and starts_on <= p_day and (last_day is null or last_day >= p_day) order by customer_id) each;
  -- All of them have the account that they are locked by, since they bought: one walk along the index does, in its order.
  perform from ledger_accounts
    where owner_id between chunk.first_customer_id and chunk.last_customer_id and account = 'available' and asset = 'BTC'
      and owner_id = any (owners)
    order by owner_id for no key update;
  get diagnostics locked = row_count;
  if locked < cardinality(owners) then
    perform ledger_lock_customers(owners);
  end if;
  if chunk.set_apart_at is not null then
    -- Whoever closes the day meanwhile counts this customer once: as set apart, or as posted.
    perform from mining_runs where day = p_day for no key update;
  end if;

  with worked as materialized (
    select c.id, c.customer_id, c.bought_at, c.ghs, c.coin, a.balance, w.credit, w.fee, w.credit_usd, w.fee_usd,
           case when w.served = w.served_before then 0
                else div(c.units * w.served, c.term_days) - div(c.units * w.served_before, c.term_days) end as earned
      from contracts c
      join ledger_accounts a on a.owner_id = c.customer_id and a.account = 'available' and a.asset = 'BTC'
       and a.owner_id between chunk.first_customer_id and chunk.last_customer_id
      left join mining_runs before on before.day = c.starts_on - 1
     -- Worked out once for all contracts that are alike.
     cross join lateral (
       select each.*, div(each.credit * run.btc_usd_e8, 10000000000) as credit_usd, div(each.fee * run.btc_usd_e8, 10000000000) as fee_usd
         from (
           select div(run.distributable_sats * c.ghs, run.shared_ghs) as credit,
                  div(c.ghs * 10000000 * (select plan.maintenance_usd_micros from mining_run_plans plan
                                           where plan.day = p_day and plan.plan_version_id = c.plan_version_id), run.btc_usd_e8) as fee,
                  least(c.term_days, (run.cumulative_served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000) as served,
                  least(c.term_days, (run.cumulative_served_ppm - run.served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000)
                    as served_before offset 0) each) w
     where c.customer_id between chunk.first_customer_id and chunk.last_customer_id
       and c.starts_on <= p_day and (c.last_day is null or c.last_day >= p_day)
  ), totals as materialized (
    -- What is there for today's fees, after what is owed from before: all of that, or nothing of today.
    select t.*, t.balance + t.credit
                - coalesce((select sum(d.fee_sats) from maintenance_arrears d where d.customer_id = t.customer_id and d.state = 'open'), 0)
                as spendable
      from (select customer_id, count(*)::integer as contracts, sum(ghs) as ghs, sum(credit) as credit, sum(credit_usd) as credit_usd,
                   sum(fee) as fee, sum(fee_usd) as fee_usd, min(balance) as balance
              from worked group by customer_id) t
  ), short as materialized (
    -- The oldest contracts first, as far as it goes.
    select w.id, w.customer_id, w.bought_at, w.fee, w.fee_usd,
           -- Of a fee that rounds to nothing, nothing is owed.
           w.fee = 0 or t.spendable >= sum(w.fee) over (partition by w.customer_id order by w.bought_at, w.id) as is_paid
      from totals t join worked w on w.customer_id = t.customer_id
     where t.spendable < t.fee
  ), sums as materialized (
    select t.customer_id, t.contracts, t.ghs, t.credit, t.credit_usd, t.fee, coalesce(p.paid, t.fee) as paid,
           coalesce(p.paid_usd, t.fee_usd) as paid_usd
      from totals t
      left join (select customer_id, sum(case when is_paid then fee else 0 end) as paid, sum(case when is_paid then fee_usd else 0 end) as paid_usd
                   from short group by customer_id) p on p.customer_id = t.customer_id
     order by t.customer_id
  ), receipts as (
    insert into mining_contract_days (contract_id, day, customer_id, ghs, credit_sats, fee_sats, fee_paid, credited_sats,
      credited_usd_micros, fees_sats, fees_usd_micros)
    select today.id, p_day, today.customer_id, today.ghs, today.credit, today.fee, today.is_paid,
           coalesce(p.credited_sats, 0) + today.credit, coalesce(p.credited_usd_micros, 0) + today.credit_usd,
           coalesce(p.fees_sats, 0) + case when today.is_paid then today.fee else 0 end,
           coalesce(p.fees_usd_micros, 0) + case when today.is_paid then today.fee_usd else 0 end
      from (select w.id, w.customer_id, w.ghs, w.credit, w.fee, w.credit_usd, w.fee_usd, coalesce(s.is_paid, true) as is_paid
              from worked w left join short s on s.id = w.id order by w.id offset 0) today
      -- One look into the index for each, whatever the planner believes of a table that has just grown.
      left join lateral (select * from mining_contract_days p
                          where p.contract_id = today.id and p.day = p_day - 1 limit 1) p on true
  ), days as (
    insert into mining_customer_days (customer_id, day, contracts, ghs, credit_sats, credit_usd_micros, fee_sats, paid_fee_sats,
      paid_fee_usd_micros, credited_sats, credited_usd_micros, fees_sats, fees_usd_micros)
    select sums.customer_id, p_day, sums.contracts, sums.ghs, sums.credit, sums.credit_usd, sums.fee, sums.paid, sums.paid_usd,
           coalesce(p.credited_sats, 0) + sums.credit, coalesce(p.credited_usd_micros, 0) + sums.credit_usd,
           coalesce(p.fees_sats, 0) + sums.paid, coalesce(p.fees_usd_micros, 0) + sums.paid_usd
      from sums
      -- Days without a contract have no row: the last one that there is.
      left join lateral (select * from mining_customer_days p
                          where p.customer_id = sums.customer_id and p.day < p_day order by p.day desc limit 1) p on true
  ), unpaid as (
    insert into maintenance_arrears (contract_id, day, customer_id, bought_at, fee_sats, usd_micros, posted_at)
    select id, p_day, customer_id, bought_at, fee, fee_usd, p_at from short where not is_paid
  ), earned as (
    update mining_chunks set posted_at = p_at, fees_due_sats = s.due, fees_paid_sats = s.paid,
           earned_btc_units = t.btc, earned_eth_units = t.eth, earned_usdt_units = t.usdt
      from (select coalesce(sum(fee), 0) as due, coalesce(sum(paid), 0) as paid from sums) s
     cross join (select coalesce(sum(earned) filter (where coin = 'BTC'), 0) as btc,
                        coalesce(sum(earned) filter (where coin = 'ETH'), 0) as eth,
                        coalesce(sum(earned) filter (where coin = 'USDT'), 0) as usdt from worked) t
     where mining_chunks.id = chunk.id
  )
  -- A customer's credit before his fee: he may need it for that.
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select uuidv7(), t.prefix || t.customer_id, t.kind, t.customer_id, p_day, p_at, run_text, t.memo,
         array[row('available', 'BTC', t.units)::ledger_leg, row(t.other, 'BTC', -t.units)::ledger_leg]
    from (
      select customer_id, unnest(array[credit, -paid]) as units, unnest('{mining-credit,maintenance-fee}'::text[]) as kind,
             unnest('{pool_receivable,maintenance_revenue}'::text[]) as other,
             unnest(array['mining-credit:' || day_text || ':', 'maintenance-fee:' || day_text || ':']) as prefix,
             unnest(array['Mined on ' || day_text, 'Maintenance of ' || day_text]) as memo
        from sums offset 0) t
   where t.units <> 0;

  if exists (select from maintenance_arrears
              where state = 'open' and customer_id between chunk.first_customer_id and chunk.last_customer_id) then
    perform mining_collect_from(owners, p_at);
  end if;
  if chunk.set_apart_at is not null then
    perform mining_came_back(chunk.id, p_at);
  end if;
  exception when others or assert_failure then
    if not mining_set_apart(chunk.id, sqlstate, sqlerrm, p_at) then
      raise;
    end if;
  end;
  return chunk.number;
end
$$;
