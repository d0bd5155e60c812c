-- What is mined moves as its evidence says: a receipt, a run, an ending or a fee explains its key and its legs. Asked as it is posted,
-- of all transfers of a statement together; docs/decisions/0020 says why in sets.
create or replace function mining_explain() returns trigger language plpgsql as $$
declare
  mined constant text[] := '{mining-credit,maintenance-fee,inactivity-fee,contract-day,operator-share,rounding-carry,mining-correction,contract-refund,contract-forfeit}';
  each_day date;
  unexplained text;
  newly_credited numeric;
begin
  if not exists (select from new_transfers where kind = any (mined) or reverses is not null) then
    return null;
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
create or replace trigger what_is_mined_is_explained after insert on ledger_transfers
  referencing new table as new_transfers for each statement execute function mining_explain();

-- A month of both, before its first day is worked out. Attached, not created in place: readers of other months go on.
create or replace function mining_open_month(p_day date) returns void language plpgsql as $$
declare
  month date := date_trunc('month', p_day);
  parent text;
  part text;
begin
  foreach parent in array array['mining_contract_days', 'mining_customer_days'] loop
    part := parent || to_char(month, '_YYYY_MM');
    if to_regclass('public.' || part) is not null then continue; end if;
    execute format('create table public.%I (like public.%I including all) with (autovacuum_vacuum_insert_scale_factor = 1)', part, parent);
    execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
                   parent, part, month, (month + interval '1 month')::date);
    execute format('create trigger receipts_are_written_once before update or delete or truncate on public.%I
                    for each statement execute function public.refuse_to_rewrite(%L)', part, 'receipts_are_written_once');
    execute format('alter table public.%I enable always trigger receipts_are_written_once', part);
  end loop;
end
$$;

-- The day that is worked out next: the one after the last, or the first that a pool counts from. Null: no pool counts.
create or replace function next_mining_day() returns date
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select day + 1 from mining_runs order by day desc limit 1), (select min(counts_from) from pools))
$$;

create or replace function check_payout_of_worked_day() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_evidence();
  if new.corrects is null and exists (select from mining_runs where day = new.day) then
    raise exception 'What is said later of a day that was given out is a correction.'
      using errcode = 'check_violation', constraint = 'worked_days_take_corrections_only';
  end if;
  return new;
end
$$;

create or replace function check_pool_of_worked_day() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  last_day date;
begin
  perform lock_evidence();
  select max(day) into last_day from mining_runs;
  if tg_op = 'INSERT' and new.counts_from <= last_day
     or tg_op = 'UPDATE' and new.counts_until < last_day then
    raise exception 'Which pools count for a day is settled when it is worked out.'
      using errcode = 'check_violation', constraint = 'worked_days_keep_their_pools';
  end if;
  return new;
end
$$;
create or replace trigger worked_days_keep_their_pools before insert or update of counts_until on pools
  for each row execute function check_pool_of_worked_day();

-- Also for the owner of the tables: what a run says of its evidence is what was recorded.
create or replace function check_new_run() returns trigger language plpgsql as $$
declare
  paid record;
begin
  select count(*) as payouts, coalesce(sum(units), 0) as units, coalesce(sum(delivered_ghs), 0) as ghs into paid
    from public.current_payouts(new.day);
  if (paid.units, paid.ghs) <> (new.payout_sats, new.delivered_ghs)
     or paid.payouts = 0 and not (new.action_id is not null and public.counts_no_pool(new.day))
     or exists (select from public.missing_pools(new.day))
     or new.carried_sats <> coalesce((select remainder_sats from public.mining_runs where day = new.day - 1), 0) then
    raise exception 'A run rests on the payouts that were recorded for its day.'
      using errcode = 'check_violation', constraint = 'runs_rest_on_evidence';
  end if;
  return new;
end
$$;
create or replace trigger runs_rest_on_evidence before insert on mining_runs for each row execute function check_new_run();

create or replace function check_changed_run() returns trigger language plpgsql as $$
begin
  if new.credited_sats < old.credited_sats
     or old.state = 'posted'
        -- Only a customer who was set apart is still credited, out of what is reserved.
        and (new.credited_sats + new.reserved_sats <> old.credited_sats + old.reserved_sats
             or new.fees_paid_sats not between old.fees_paid_sats and old.fees_due_sats
             or (to_jsonb(new) - '{credited_sats,reserved_sats,fees_paid_sats}'::text[])
                is distinct from (to_jsonb(old) - '{credited_sats,reserved_sats,fees_paid_sats}'::text[]))
     or (to_jsonb(new) - '{state,posted_at,credited_sats,reserved_sats,operator_share_sats,remainder_sats,fees_due_sats,fees_paid_sats,inactivity_sats,earned_btc_units,earned_eth_units,earned_usdt_units}'::text[])
        is distinct from
        (to_jsonb(old) - '{state,posted_at,credited_sats,reserved_sats,operator_share_sats,remainder_sats,fees_due_sats,fees_paid_sats,inactivity_sats,earned_btc_units,earned_eth_units,earned_usdt_units}'::text[]) then
    raise exception 'A run keeps what it began with.' using errcode = 'check_violation', constraint = 'runs_are_never_rewritten';
  end if;
  return new;
end
$$;
create or replace trigger runs_are_never_rewritten before update on mining_runs for each row execute function check_changed_run();

-- Freezes what a day is worked out from, and lays out the chunks. False: that was done before. Takes the days in order, and one
-- without a pool by staff alone. Contracts are read once, customers in the order of the index.
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

-- Works out the next chunk that nobody works at, and posts it: receipts, the customers' days, their transfers, what stays unpaid.
-- Returns its number; null: there is none to take. Any number of processes do it side by side. A chunk is read from the index, once;
-- fees are put in order only for customers whose balance does not cover all of them; receipts of the day before are looked up in the
-- order in which they lie; a credit and a fee come of one row without sorting.
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

-- Takes what customers owe from before, oldest days first, as far as each balance goes, and sets their clocks. Whoever
-- calls holds the customers. Returns how many customers paid something.
create or replace function mining_collect_from(p_customers uuid[], p_at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  paid integer;
  ended uuid[] := mining_owing_results(p_customers);
begin
  with due as (
    select a.contract_id, a.day, a.customer_id, a.fee_sats,
           sum(a.fee_sats) over (partition by a.customer_id order by a.day, a.bought_at, a.contract_id) as upto
      from maintenance_arrears a where a.state = 'open' and a.customer_id = any (p_customers)
  ), covered as materialized (
    select due.* from due
      join ledger_accounts b on b.owner_id = due.customer_id and b.account = 'available' and b.asset = 'BTC'
     where due.upto <= b.balance
  ), payments as materialized (
    select uuidv7() as id, customer_id, sum(fee_sats) as sats, min(day) as first_day, max(day) as last_day
      from covered group by customer_id
  ), closed as (
    update maintenance_arrears a set state = 'collected', closed_at = p_at, transfer_id = payments.id
      from covered join payments on payments.customer_id = covered.customer_id
     where a.contract_id = covered.contract_id and a.day = covered.day
  )
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select id, 'maintenance-arrears:' || id, 'maintenance-fee', customer_id, (p_at at time zone 'UTC')::date, p_at,
         'maintenance-arrears:' || id,
         'Unpaid maintenance of ' || iso_day(first_day) || case when last_day > first_day then ' to ' || iso_day(last_day) else '' end,
         array[('available', 'BTC', -sats), ('maintenance_revenue', 'BTC', sats)]::ledger_leg[]
    from payments order by customer_id;
  get diagnostics paid = row_count;
  perform mining_set_clocks(p_customers, p_at);
  perform mining_note_results(ended);
  return paid;
end
$$;

-- A clock runs from the moment that a contract's oldest unpaid fee was posted, and only while there is one. One that is set later than
-- it started has stood still as long as those beside it.
create or replace function mining_set_clocks(p_customers uuid[], p_at timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('maintenance clocks', 0));
  update maintenance_clocks k set state = 'stopped', ended_at = p_at
   where k.state = 'running' and k.customer_id = any (p_customers)
     and k.started_at is distinct from (select min(a.posted_at) from maintenance_arrears a
                                         where a.contract_id = k.contract_id and a.state = 'open');
  insert into maintenance_clocks (id, contract_id, customer_id, started_at, stood, expires_at)
  select uuidv7(), late.contract_id, late.customer_id, late.since, late.stood, late.since + (select unpaid_maintenance from terms_in_force) + late.stood
    from (select a.contract_id, a.customer_id, min(a.posted_at) as since, clocks_stood(min(a.posted_at)) + clocks_apart(a.customer_id, min(a.posted_at)) as stood
            from maintenance_arrears a
            -- What was cancelled cannot be cancelled again: what it still owed lapses.
            join contracts c on c.id = a.contract_id and c.end_reason is distinct from 'unpaid-maintenance'
           where a.state = 'open' and a.customer_id = any (p_customers)
             and not exists (select from maintenance_clocks k where k.contract_id = a.contract_id and k.state = 'running')
           group by a.contract_id, a.customer_id) late;
end
$$;

-- Collects from customers whose balance covers the oldest of what they owe. Returns how many paid.
create or replace function mining_collect_arrears(p_at timestamptz, p_limit integer default 1000) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  owners uuid[];
begin
  perform p_at::ledger_time;
  select array_agg(customer_id order by customer_id) into owners from (
    select a.customer_id from (
      select distinct on (customer_id) customer_id, fee_sats from maintenance_arrears
       where state = 'open' order by customer_id, day, bought_at, contract_id) a
      join ledger_accounts b on b.owner_id = a.customer_id and b.account = 'available' and b.asset = 'BTC'
     where b.balance >= a.fee_sats and not exists (select from mining_failures f where f.customer_id = a.customer_id and f.work = 'arrears' and f.retry_at > p_at) order by a.customer_id limit p_limit) each;
  if owners is null then
    return 0;
  end if;
  return mining_do_for('arrears', owners, null, p_at);
end
$$;

-- Cancels the contracts whose clock ran out, unless their balance covers them at the last moment: never while a day that is over is
-- not worked out, which may bring what is missing, or turn out to be the last. The last day served is the one before. Who ends
-- contracts and who opens a day wait for each other, and who comes too late comes again a minute later. Returns how many were cancelled.
create or replace function mining_expire_clocks(p_at timestamptz, p_limit integer default 1000) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  today date := (p_at at time zone 'UTC')::date;
  owners uuid[];
begin
  perform p_at::ledger_time;
  if not exists (select from maintenance_clocks where state = 'running' and expires_at <= p_at) then
    return 0;
  end if;
  perform lock_evidence();
  if exists (select from awaited_day(p_at)) or exists (select from mining_runs where day >= today) then
    return 0;
  end if;
  select array_agg(distinct customer_id order by customer_id) into owners from (
    select customer_id from maintenance_clocks k
     where state = 'running' and expires_at <= p_at and not is_set_apart(customer_id)
       and not exists (select from mining_failures f where f.customer_id = k.customer_id and f.work = 'clocks' and f.retry_at > p_at)
     order by expires_at limit p_limit) each;
  if owners is null then
    return 0;
  end if;
  return mining_do_for('clocks', owners, null, p_at);
end
$$;

-- Gives back, or keeps, the price of the days that a cancelled contract did not serve, once all its days are worked out.
create or replace function mining_settle_endings(p_at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  owners uuid[] := (
    select array_agg(distinct e.customer_id order by e.customer_id) from contract_endings e join contracts c on c.id = e.contract_id
     where e.settled_at is null and c.last_day <= (select max(day) from mining_runs where state = 'posted')
       and not is_set_apart(e.customer_id) and not exists (select from mining_failures f where f.customer_id = e.customer_id and f.work = 'endings' and f.retry_at > p_at));
begin
  perform p_at::ledger_time;
  if owners is null then
    return 0;
  end if;
  return mining_do_for('endings', owners, null, p_at);
end
$$;

create or replace function mining_settle_for(p_customers uuid[], p_at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  known_until date := (select max(day) from mining_runs where state = 'posted');
  ending record;
  settled integer := 0;
begin
  for ending in
    select e.contract_id, e.customer_id, c.coin, c.units, v.termination, w.served, c.units - div(c.units * w.served, c.term_days) as rest
      from contract_endings e
      join contracts c on c.id = e.contract_id
      join plan_versions v on v.id = c.plan_version_id
     cross join lateral (
       select least(c.term_days, (
         (select cumulative_served_ppm from mining_runs where day = c.last_day)
         - coalesce((select cumulative_served_ppm from mining_runs where day = c.starts_on - 1), 0)) / 1000000)::integer as served) w
     where e.settled_at is null and c.last_day <= known_until and e.customer_id = any (p_customers)
     order by e.customer_id, e.contract_id
  loop
    update contract_endings set served_days = ending.served, settled_at = p_at,
           refunded_units = case when ending.termination = 'refund-unserved' then ending.rest else 0 end,
           forfeited_units = case when ending.termination = 'forfeit' then ending.rest else 0 end
     where contract_id = ending.contract_id and settled_at is null;
    if not found then continue; end if;
    settled := settled + 1;
    update maintenance_arrears set state = 'lapsed', closed_at = p_at where state = 'open' and contract_id = ending.contract_id;
    perform mining_set_clocks(array[ending.customer_id], p_at);
    if ending.rest = 0 then continue; end if;
    insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
    select uuidv7(), kind || ':' || ending.contract_id, kind, owner, (p_at at time zone 'UTC')::date, p_at,
           'contract:' || ending.contract_id, memo,
           array[(credit, ending.coin, ending.rest), ('contract_prepaid', ending.coin, -ending.rest)]::ledger_leg[]
      from (values ('refund-unserved', 'contract-refund', ending.customer_id, 'Days that a cancelled contract did not serve', 'available'))
        refund (rule, kind, owner, memo, credit)
     where rule = ending.termination
    union all
    select uuidv7(), 'contract-forfeit:' || ending.contract_id, 'contract-forfeit', '00000000-0000-0000-0000-000000000000',
           (p_at at time zone 'UTC')::date, p_at, 'contract:' || ending.contract_id, 'Days that a cancelled contract did not serve',
           array[('contract_prepaid', ending.coin, -ending.rest), ('contract_revenue', ending.coin, ending.rest)]::ledger_leg[]
     where ending.termination = 'forfeit';
  end loop;
  perform mining_note_results((
    select array_agg(contract_id) from contract_endings where customer_id = any (p_customers) and settled_at = p_at));
  return settled;
end
$$;

-- Tells, seven days ahead, those who will pay for an account without a contract; ends what a new contract has ended. Who runs a
-- contract is left out before anything is added up. Two processes that work at one day both come to its end: who notes an idle account
-- second finds it noted.
create or replace function mining_note_inactivity(p_day date, p_at timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  terms terms_in_force;
begin
  select * into strict terms from terms_in_force;
  perform p_at::ledger_time;
  update inactivity_notices n set ended_at = p_at
   where n.ended_at is null and exists (
     select from contracts c where c.customer_id = n.customer_id and c.end_reason is distinct from 'given-back'
        and (c.last_day is null or c.last_day > n.inactive_since));
  insert into inactivity_notices (id, customer_id, inactive_since, noticed_at, first_fee_day)
  select uuidv7(), each.customer_id, each.since, p_at, greatest(each.since + terms.inactivity_after_days + 1, (p_at at time zone 'UTC')::date + terms.inactivity_notice_days)
    from (
      select idle.owner_id as customer_id, coalesce(had.last_day, first.day) as since
        from (
          select a.owner_id from ledger_accounts a
            join customers person on person.id = a.owner_id
           where a.account = 'available' and a.asset = 'BTC' and a.balance > terms.minimum_withdrawal_sats
             and not exists (select from contracts c where c.customer_id = a.owner_id and c.last_day is null)
             and not exists (select from inactivity_notices n where n.customer_id = a.owner_id and n.ended_at is null)
          offset 0) idle
       cross join lateral (select max(last_day) as last_day from contracts c
                            where c.customer_id = idle.owner_id and c.end_reason is distinct from 'given-back') had
        left join lateral (
          select t.day from ledger_entries e join ledger_transfers t on t.number = e.transfer_number
           where had.last_day is null and e.owner_id = idle.owner_id and e.account = 'available' and e.asset = 'BTC'
             and e.account in ('available', 'held')
           order by e.transfer_number limit 1) first on true) each
   where each.since <= p_day - (terms.inactivity_after_days - terms.inactivity_notice_days)
      on conflict (customer_id) where ended_at is null do nothing;
end
$$;

-- Takes a day's fee from accounts without a contract, from some of them: 0 when all have paid.
create or replace function mining_charge_inactivity(p_day date, p_at timestamptz, p_limit integer default 5000) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  price numeric := (select btc_usd_e8 from mining_runs where day = p_day and state = 'posting');
  owners uuid[];
begin
  perform p_at::ledger_time;
  if price is null then
    return 0;
  end if;
  select array_agg(customer_id order by customer_id) into owners from (
    select n.customer_id from inactivity_notices n
      join ledger_accounts a on a.owner_id = n.customer_id and a.account = 'available' and a.asset = 'BTC'
     where n.ended_at is null and n.first_fee_day <= p_day and a.balance > (select minimum_withdrawal_sats from terms_in_force)
       and not exists (select from inactivity_fees f where f.customer_id = n.customer_id and f.day = p_day)
       and not exists (select from mining_failures f where f.customer_id = n.customer_id and f.work = 'inactivity' and f.retry_at > p_at)
     order by n.customer_id limit p_limit) each;
  if owners is null then
    return 0;
  end if;
  -- Those who failed count: there may be more behind them.
  perform mining_do_for('inactivity', owners, p_day, p_at);
  return cardinality(owners);
end
$$;

create or replace function mining_charge_for(p_customers uuid[], p_day date, p_at timestamptz) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  price numeric := (select btc_usd_e8 from mining_runs where day = p_day and state = 'posting');
  charged integer;
  terms terms_in_force;
begin
  select * into strict terms from terms_in_force;
  with fees as (
    insert into inactivity_fees (customer_id, day, notice_id, balance_sats, fee_sats, usd_micros, total_usd_micros)
    select n.customer_id, p_day, n.id, a.balance, w.fee, div(w.fee * price, 10000000000),
           div(w.fee * price, 10000000000) + coalesce((select f.total_usd_micros from inactivity_fees f
             where f.customer_id = n.customer_id order by f.day desc limit 1), 0)
      from inactivity_notices n
      join ledger_accounts a on a.owner_id = n.customer_id and a.account = 'available' and a.asset = 'BTC'
     cross join lateral (
        select least(greatest(div(a.balance * terms.inactivity_fee_per_million, 1000000), terms.inactivity_fee_minimum_sats),
                     a.balance - terms.minimum_withdrawal_sats) as fee) w
     where n.customer_id = any (p_customers) and n.ended_at is null and n.first_fee_day <= p_day and a.balance > terms.minimum_withdrawal_sats
    on conflict do nothing
    returning customer_id, fee_sats
  )
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select uuidv7(), 'inactivity-fee:' || iso_day(p_day) || ':' || customer_id, 'inactivity-fee', customer_id, p_day, p_at,
         'mining-run:' || iso_day(p_day), 'Account without a contract on ' || iso_day(p_day),
         array[('available', 'BTC', -fee_sats), ('inactivity_revenue', 'BTC', fee_sats)]::ledger_leg[]
    from fees order by customer_id;
  get diagnostics charged = row_count;
  return charged;
end
$$;

-- Waits for chunks that others work at. True: all are posted.
create or replace function mining_await_chunks(p_day date, p_correction uuid default null) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from mining_chunks
    where day = p_day and correction_id is not distinct from p_correction and posted_at is null and set_apart_at is null for update;
  return not exists (select from mining_chunks
                      where day = p_day and correction_id is not distinct from p_correction and posted_at is null and set_apart_at is null);
end
$$;

-- What the house has of a day, which contracts it ended, and what downtime still owes. False: chunks are missing, or
-- another closed it.
create or replace function mining_close_day(p_day date, p_at timestamptz) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  run mining_runs;
  sums record;
  legs ledger_leg[];
  served uuid[];
begin
  perform p_at::ledger_time;
  select * into strict run from mining_runs where day = p_day for update;
  if run.state = 'posted' or exists (
       select from mining_chunks where day = p_day and correction_id is null and posted_at is null and set_apart_at is null) then
    return false;
  end if;
  select coalesce(sum(reserved_sats) filter (where posted_at is null), 0) as reserved,
         coalesce(sum(fees_due_sats), 0) as due, coalesce(sum(fees_paid_sats), 0) as paid, coalesce(sum(earned_btc_units), 0) as btc,
         coalesce(sum(earned_eth_units), 0) as eth, coalesce(sum(earned_usdt_units), 0) as usdt into sums
    from mining_chunks where day = p_day and correction_id is null;
  -- With nobody else to share with, all of it is the operator's.
  run.operator_share_sats := case when run.active_ghs = 0 then run.distributable_sats
    else div(run.distributable_sats * (run.shared_ghs - run.active_ghs), run.shared_ghs) end;
  run.remainder_sats := run.distributable_sats - run.credited_sats - sums.reserved - run.operator_share_sats;
  update mining_runs set state = 'posted', posted_at = p_at, operator_share_sats = run.operator_share_sats,
         reserved_sats = sums.reserved, remainder_sats = run.remainder_sats, fees_due_sats = sums.due, fees_paid_sats = sums.paid, earned_btc_units = sums.btc,
         earned_eth_units = sums.eth, earned_usdt_units = sums.usdt,
         inactivity_sats = coalesce((select sum(fee_sats) from inactivity_fees where day = p_day), 0)
   where day = p_day;

  legs := mining_earned_legs(sums.btc, sums.eth, sums.usdt);
  if legs is not null then
    perform mining_post_for_house('contract-day:' || iso_day(p_day), 'contract-day', p_day, p_at, 'Contract days served on ' || iso_day(p_day), legs);
  end if;
  if run.operator_share_sats > 0 then
    perform mining_post_for_house('operator-share:' || iso_day(p_day), 'operator-share', p_day, p_at, 'What the operator''s own machines earned on ' || iso_day(p_day),
      array[('operator_equity', 'BTC', run.operator_share_sats), ('pool_receivable', 'BTC', -run.operator_share_sats)]::ledger_leg[]);
  end if;
  if run.remainder_sats > 0 then
    perform mining_post_for_house('rounding-carry:' || iso_day(p_day) || ':out', 'rounding-carry', p_day, p_at, 'What ' || iso_day(p_day) || ' could not divide',
      array[('pool_receivable', 'BTC', -run.remainder_sats), ('rounding', 'BTC', run.remainder_sats)]::ledger_leg[]);
  end if;

  -- What ends on this day owes nothing after it: asked before, nothing is added up under the fleet's lock.
  perform mining_owe_hashrate(p_day);
  with ended as (
    update contracts c set last_day = p_day, end_reason = 'served', ended_at = p_at
     where c.last_day is null and c.planned_last_day <= p_day
       and run.cumulative_served_ppm - coalesce((select cumulative_served_ppm from mining_runs where day = c.starts_on - 1), 0)
           >= c.term_days::bigint * 1000000
    returning id, customer_id, term_days
  ), noted as (
  insert into contract_endings (contract_id, customer_id, reason, ended_at, served_days, refunded_units, forfeited_units, settled_at)
  select id, customer_id, 'served', p_at, term_days, 0, 0, p_at from ended
  returning contract_id
  )
  select array_agg(contract_id) into served from noted;
  perform mining_note_results(served);
  return true;
end
$$;

-- Contracts that were served less than sold run on: that hashrate is not for sale.
create or replace function mining_owe_hashrate(p_day date) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  served bigint := (select cumulative_served_ppm from mining_runs where day = p_day);
  planned date[];
  lasts date[];
  rates numeric[];
begin
  -- Before the fleet's lock: contracts bought meanwhile have not begun, and are not looked at.
  select array_agg(planned_last_day), array_agg(last_day), array_agg(ghs) into planned, lasts, rates from (
    select planned_last_day, last_day, sum(ghs) as ghs from (
      select c.planned_last_day, c.ghs,
             p_day + ceil((c.term_days * 1000000::numeric - (served - coalesce(b.cumulative_served_ppm, 0))) / 1000000)::integer as last_day
        from (select starts_on, planned_last_day, term_days, sum(ghs) as ghs from contracts
               where last_day is null and starts_on <= p_day group by starts_on, planned_last_day, term_days) c
        left join mining_runs b on b.day = c.starts_on - 1) open
     where last_day > planned_last_day group by planned_last_day, last_day) late;
  perform lock_fleet();
  if planned is not null then
    perform open_fleet_days(least((select min(each) from unnest(planned) each) + 1, p_day + 1), (select max(each) from unnest(lasts) each));
  end if;
  update fleet_days d set owed_ghs = coalesce(o.ghs, 0)
    from fleet_days same
    left join (select f.day, sum(m.ghs) as ghs from unnest(planned, lasts, rates) m (planned_last_day, last_day, ghs)
                 join fleet_days f on f.day > m.planned_last_day and f.day <= m.last_day group by f.day) o on o.day = same.day
   where d.day = same.day and d.day > p_day and d.owed_ghs <> coalesce(o.ghs, 0);
end
$$;

-- Corrections of days that were given out, which nobody has worked out yet, in the order in which they were recorded.
create or replace function corrections_to_post() returns table (payout_id uuid, day date)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p.id, p.day from pool_payouts p join mining_runs r on r.day = p.day and r.state = 'posted'
   where p.corrects is not null and p.state = 'recorded'
     and not exists (select from mining_run_payouts i where i.day = p.day and i.payout_id = p.id)
     and not exists (select from mining_corrections c where c.payout_id = p.id and c.state = 'posted')
     -- What it corrects was given out itself.
     and (exists (select from mining_run_payouts i where i.day = p.day and i.payout_id = p.corrects)
       or exists (select from mining_corrections c where c.payout_id = p.corrects and c.state = 'posted'))
   order by p.decided_at, p.id
$$;

create or replace function mining_open_correction(p_payout uuid, p_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  new pool_payouts;
  old pool_payouts;
  run mining_runs;
  last mining_corrections;
  delivered numeric;
begin
  perform p_at::ledger_time;
  perform lock_evidence();
  if exists (select from mining_corrections where payout_id = p_payout) then
    return false;
  end if;
  if not exists (select from corrections_to_post() c where c.payout_id = p_payout) then
    raise exception 'There is no such correction to give out.'
      using errcode = 'check_violation', constraint = 'corrections_follow_their_day';
  end if;
  select * into strict new from pool_payouts where id = p_payout;
  select * into strict old from pool_payouts where id = new.corrects;
  select * into strict run from mining_runs where day = new.day;
  select * into last from mining_corrections where day = new.day order by number desc limit 1;
  if last.state = 'posting' then
    raise exception 'An earlier correction of this day is not done.'
      using errcode = 'check_violation', constraint = 'corrections_follow_their_day';
  end if;
  delivered := coalesce(last.delivered_ghs, run.delivered_ghs) + new.delivered_ghs - old.delivered_ghs;
  insert into mining_corrections (payout_id, day, number, payout_sats, distributable_sats, delivered_ghs, shared_ghs, payout_change_sats, started_at)
  values (p_payout, new.day, coalesce(last.number, 0) + 1, coalesce(last.payout_sats, run.payout_sats) + new.units - old.units,
    coalesce(last.distributable_sats, run.distributable_sats) + new.units - old.units, delivered,
    greatest(delivered, run.active_ghs), new.units - old.units, p_at);
  insert into mining_chunks (day, correction_id, number, first_customer_id, last_customer_id)
  select day, p_payout, number, first_customer_id, last_customer_id from mining_chunks
   where day = new.day and correction_id is null;
  perform mining_cut_out(new.day, p_payout, each.customer_id, p_at) from mining_set_apart_before(new.day, p_payout) each;
  return true;
end
$$;

create or replace function mining_correct_chunk(p_payout uuid, p_at timestamptz) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  fix mining_corrections;
  chunk mining_chunks;
  owners uuid[];
  price numeric;
  moved record;
begin
  perform p_at::ledger_time;
  select * into strict fix from mining_corrections where payout_id = p_payout;
  select btc_usd_e8 into strict price from mining_runs where day = fix.day;
  select * into chunk from mining_chunks c
   where day = fix.day and correction_id = p_payout and posted_at is null and retry_at <= p_at and not mining_waits(c)
   order by number limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  begin
  select array_agg(customer_id) into owners from (
    select distinct customer_id from contracts
     where customer_id between chunk.first_customer_id and chunk.last_customer_id
       and starts_on <= fix.day and (last_day is null or last_day >= fix.day) order by customer_id) each;
  perform ledger_lock_customers(owners);

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
  ), sums as materialized (
    select s.customer_id, s.change, case when s.change < 0 then greatest(-s.change - a.balance, 0) else 0 end as lost
      from (select customer_id, sum(change) as change from changed group by customer_id having sum(change) <> 0) s
      join ledger_accounts a on a.owner_id = s.customer_id and a.account = 'available' and a.asset = 'BTC'
  ), written as (
    insert into mining_customer_corrections (customer_id, day, payout_id, change_sats, lost_sats, usd_micros)
    select customer_id, fix.day, p_payout, change, lost, div((change + lost) * price, 10000000000) from sums
  ), posted as (
    insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
    select uuidv7(), 'mining-correction:' || iso_day(fix.day) || ':' || p_payout || ':' || customer_id, 'mining-correction', customer_id,
           (p_at at time zone 'UTC')::date, p_at, 'payout:' || p_payout, 'Correction of what was mined on ' || iso_day(fix.day),
           mining_correction_legs(change, lost)
      from sums order by customer_id
  )
  select coalesce(sum(change), 0) as change, coalesce(sum(lost), 0) as lost into moved from sums;
  update mining_chunks set posted_at = p_at where id = chunk.id;
  update mining_corrections set customers_change_sats = customers_change_sats + moved.change, lost_sats = lost_sats + moved.lost,
         reserved_sats = reserved_sats - case state when 'posted' then moved.change else 0 end
   where payout_id = p_payout;
  perform mining_note_results((
    select array_agg(e.contract_id) from contract_endings e
     where e.customer_id between chunk.first_customer_id and chunk.last_customer_id and e.settled_at is not null
       and exists (select from mining_contract_corrections x
                    where x.contract_id = e.contract_id and x.day = fix.day and x.payout_id = p_payout)));
  exception when others or assert_failure then
    if not mining_set_apart(chunk.id, sqlstate, sqlerrm, p_at) then
      raise;
    end if;
  end;
  return chunk.number;
end
$$;

create or replace function mining_close_correction(p_payout uuid, p_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  fix mining_corrections;
  share numeric;
  reserved numeric;
begin
  perform p_at::ledger_time;
  select * into strict fix from mining_corrections where payout_id = p_payout for update;
  if fix.state = 'posted' or exists (select from mining_chunks where correction_id = p_payout and posted_at is null and set_apart_at is null) then
    return false;
  end if;
  reserved := coalesce((select sum(reserved_sats) from mining_chunks where correction_id = p_payout and posted_at is null), 0);
  share := fix.payout_change_sats - fix.customers_change_sats - reserved;
  update mining_corrections set state = 'posted', posted_at = p_at, operator_change_sats = share, reserved_sats = reserved
   where payout_id = p_payout;
  if share <> 0 then
    insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
    values (uuidv7(), 'mining-correction:' || iso_day(fix.day) || ':' || p_payout || ':house', 'mining-correction',
      '00000000-0000-0000-0000-000000000000', (p_at at time zone 'UTC')::date, p_at, 'payout:' || p_payout,
      'Correction of what was mined on ' || iso_day(fix.day),
      array[('operator_equity', 'BTC', share), ('pool_receivable', 'BTC', -share)]::ledger_leg[]);
  end if;
  return true;
end
$$;

create or replace function mining_explains(p_kind text, p_id uuid, p_key text, p_owner uuid, p_day date, p_legs ledger_leg[]) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select case p_kind
    when 'maintenance-fee' then p_key = 'maintenance-arrears:' || p_id and exists (
      select from maintenance_arrears where transfer_id = p_id and customer_id = p_owner and state = 'collected'
      having p_legs = array[('available', 'BTC', -sum(fee_sats)), ('maintenance_revenue', 'BTC', sum(fee_sats))]::ledger_leg[])
    when 'inactivity-fee' then exists (
      select from inactivity_fees where customer_id = p_owner and day = p_day and p_key = 'inactivity-fee:' || iso_day(p_day) || ':' || p_owner
         and p_legs = array[('available', 'BTC', -fee_sats), ('inactivity_revenue', 'BTC', fee_sats)]::ledger_leg[])
    when 'contract-day' then exists (
      select from mining_runs where day = p_day and state = 'posted' and p_key = 'contract-day:' || iso_day(p_day)
         and p_legs = mining_earned_legs(earned_btc_units, earned_eth_units, earned_usdt_units))
    when 'operator-share' then exists (
      select from mining_runs where day = p_day and state = 'posted' and p_key = 'operator-share:' || iso_day(p_day)
         and p_legs = array[('operator_equity', 'BTC', operator_share_sats), ('pool_receivable', 'BTC', -operator_share_sats)]::ledger_leg[])
    when 'rounding-carry' then exists (
      select from mining_runs where day = p_day
         and (p_key = 'rounding-carry:' || iso_day(p_day) || ':in'
              and p_legs = array[('pool_receivable', 'BTC', carried_sats), ('rounding', 'BTC', -carried_sats)]::ledger_leg[]
           or p_key = 'rounding-carry:' || iso_day(p_day) || ':out' and state = 'posted'
              and p_legs = array[('pool_receivable', 'BTC', -remainder_sats), ('rounding', 'BTC', remainder_sats)]::ledger_leg[]))
    when 'mining-correction' then exists (
      select from mining_customer_corrections where customer_id = p_owner
         and p_key = 'mining-correction:' || iso_day(day) || ':' || payout_id || ':' || p_owner
         and p_legs = mining_correction_legs(change_sats, lost_sats))
      or exists (
      select from mining_corrections where state = 'posted' and p_key = 'mining-correction:' || iso_day(day) || ':' || payout_id || ':house'
         and p_legs = array[('operator_equity', 'BTC', operator_change_sats), ('pool_receivable', 'BTC', -operator_change_sats)]::ledger_leg[])
    when 'contract-refund' then exists (
      select from contract_endings e join contracts c on c.id = e.contract_id
       where p_key = 'contract-refund:' || e.contract_id and e.customer_id = p_owner
         and p_legs = array[('available', c.coin, e.refunded_units), ('contract_prepaid', c.coin, -e.refunded_units)]::ledger_leg[])
    when 'contract-forfeit' then exists (
      select from contract_endings e join contracts c on c.id = e.contract_id
       where p_key = 'contract-forfeit:' || e.contract_id
         and p_legs = array[('contract_prepaid', c.coin, -e.forfeited_units), ('contract_revenue', c.coin, e.forfeited_units)]::ledger_leg[])
  end
$$;

-- The oldest day that is over and not worked out, and since when nothing after it is known: from its end on, but not before the
-- day ahead of it was posted. No row: everything is worked out.
create or replace function awaited_day(p_at timestamptz) returns table (day date, since timestamptz)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select open.day, greatest((open.day + 1)::timestamp at time zone 'UTC', before.posted_at)
    from (select coalesce((select day from mining_runs where state = 'posting'), next_mining_day()) as day) open
    left join mining_runs before on before.day = open.day - 1
   where open.day < (p_at at time zone 'UTC')::date
$$;

-- How long clocks have stood still since a moment, for days that are worked out by now. A number of seconds, never of days:
-- days are not always 24 hours long in the time zone of a connection.
create or replace function clocks_stood(p_since timestamptz) returns interval
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select make_interval(secs => coalesce(sum(greatest(extract(epoch from
           r.posted_at - greatest((r.day + 1)::timestamp at time zone 'UTC', before.posted_at, p_since)), 0)), 0)::double precision)
    from mining_runs r left join mining_runs before on before.day = r.day - 1
   where r.state = 'posted' and r.posted_at > p_since
$$;

-- Also for the owner of the tables.
create or replace function check_expired_clock() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from awaited_day(new.ended_at)) or is_set_apart(new.customer_id)
     or new.stood <> clocks_stood(new.started_at) + clocks_apart(new.customer_id, new.started_at) then
    raise exception 'A clock runs out when every day that is over is worked out.'
      using errcode = 'check_violation', constraint = 'clocks_run_over_worked_days';
  end if;
  return new;
end
$$;

-- A day that closes moves the end of every clock that waited for it. A clock that is set at that moment waits, and sees the day.
create or replace function move_clocks_that_waited() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('maintenance clocks', 0));
  update maintenance_clocks k set stood = begun.stood, expires_at = k.expires_at - k.stood + begun.stood
    from (select late.id, since.stood + clocks_apart(late.customer_id, late.started_at) as stood
            from (select started_at, clocks_stood(started_at) as stood
                    from (select distinct started_at from maintenance_clocks where state = 'running') each) since
            join maintenance_clocks late on late.started_at = since.started_at and late.state = 'running') begun
   where k.id = begun.id and k.stood <> begun.stood;
  return null;
end
$$;

create or replace function mining_expire_for(p_customers uuid[], p_at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  today date := (p_at at time zone 'UTC')::date;
  expired uuid[];
  cancelled integer;
begin
  -- Contracts that end free hashrate: everybody takes the fleet's lock after customers, and before plans' records.
  perform lock_fleet();
  perform mining_collect_from(p_customers, p_at);
  select array_agg(contract_id) into expired from maintenance_clocks
   where state = 'running' and expires_at <= p_at and customer_id = any (p_customers);
  update maintenance_clocks set state = 'expired', ended_at = p_at where state = 'running' and contract_id = any (expired);
  update maintenance_arrears set state = 'lapsed', closed_at = p_at where state = 'open' and contract_id = any (expired);
  with ended as (
    update contracts set last_day = today - 1, end_reason = 'unpaid-maintenance', ended_at = p_at
     where id = any (expired) and last_day is null
    returning id, customer_id
  )
  insert into contract_endings (contract_id, customer_id, reason, ended_at)
  select id, customer_id, 'unpaid-maintenance', p_at from ended;
  get diagnostics cancelled = row_count;
  return cancelled;
end
$$;

-- Also for the owner of the tables, and for what is given back.
create or replace function check_contract_end() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from mining_runs where day > new.last_day and day >= new.starts_on) then
    raise exception 'A day of contract % after % is worked out already.', new.id, new.last_day
      using errcode = 'check_violation', constraint = 'contracts_end_after_what_is_worked_out';
  end if;
  return new;
end
$$;

create or replace function is_set_apart(p_customer uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from mining_chunks
                  where first_customer_id = p_customer and set_apart_at is not null and posted_at is null and correction_id is null)
$$;

-- The customers of a chunk.
create or replace function mining_customers_of(p_chunk mining_chunks) returns uuid[]
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select array_agg(customer_id order by customer_id) from (
    select distinct customer_id from contracts
     where customer_id between p_chunk.first_customer_id and p_chunk.last_customer_id
       and starts_on <= p_chunk.day and (last_day is null or last_day >= p_chunk.day)) each
$$;

-- A customer's days are posted in their order, since receipts carry running totals, and corrections after their day.
create or replace function mining_waits(p_chunk mining_chunks) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p_chunk.set_apart_at is not null and exists (
    select from mining_chunks e left join mining_corrections earlier on earlier.payout_id = e.correction_id
     where e.first_customer_id = p_chunk.first_customer_id and e.set_apart_at is not null and e.posted_at is null and e.id <> p_chunk.id
       and case when p_chunk.correction_id is null then e.correction_id is null and e.day < p_chunk.day
                else e.day = p_chunk.day and (e.correction_id is null or earlier.number < (
                  select number from mining_corrections where payout_id = p_chunk.correction_id)) end)
$$;

-- What a customer's contracts get and owe for a day, or get more by a correction of it, as the chunk's own posting works it out.
create or replace function mining_share_of(p_chunk mining_chunks, out credit numeric, out fees numeric, out btc numeric, out eth numeric, out usdt numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(case when fix.payout_id is null then div(run.distributable_sats * c.ghs, run.shared_ghs)
           else div(fix.distributable_sats * c.ghs, fix.shared_ghs)
                - div(coalesce(earlier.distributable_sats, run.distributable_sats) * c.ghs, coalesce(earlier.shared_ghs, run.shared_ghs)) end), 0),
         coalesce(sum(div(c.ghs * 10000000 * plan.maintenance_usd_micros, run.btc_usd_e8)), 0),
         coalesce(sum(w.earned) filter (where c.coin = 'BTC'), 0),
         coalesce(sum(w.earned) filter (where c.coin = 'ETH'), 0),
         coalesce(sum(w.earned) filter (where c.coin = 'USDT'), 0)
    from mining_runs run
    left join mining_corrections fix on fix.payout_id = p_chunk.correction_id
    left join mining_corrections earlier on earlier.day = fix.day and earlier.number = fix.number - 1
    join contracts c on c.customer_id = p_chunk.first_customer_id and c.starts_on <= run.day and (c.last_day is null or c.last_day >= run.day)
    join mining_run_plans plan on plan.day = run.day and plan.plan_version_id = c.plan_version_id
    left join mining_runs before on before.day = c.starts_on - 1
   cross join lateral (
     select least(c.term_days, (run.cumulative_served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000) as served,
            least(c.term_days, (run.cumulative_served_ppm - run.served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000)
              as served_before) s
   cross join lateral (select div(c.units * s.served, c.term_days) - div(c.units * s.served_before, c.term_days) as earned) w
   where run.day = p_chunk.day
$$;

-- Keeps one customer's chunk apart, with the error and the share that is reserved.
create or replace function mining_keep_apart(p_chunk bigint, p_error text, p_retry_at timestamptz, p_at timestamptz) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  update mining_chunks c set set_apart_at = coalesce(c.set_apart_at, p_at), error = left(p_error, 1000), retry_at = p_retry_at,
         reserved_sats = share.credit, fees_due_sats = share.fees,
         earned_btc_units = share.btc, earned_eth_units = share.eth, earned_usdt_units = share.usdt
    from mining_chunks same cross join mining_share_of(same) share
   where c.id = p_chunk and same.id = p_chunk
$$;

-- What is left to do after a chunk failed: of several customers each half is a chunk, down to the one that fails, who is set apart.
-- False: it is not one customer's fault, and the error is to be raised.
create or replace function mining_set_apart(p_chunk bigint, p_sqlstate text, p_error text, p_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  chunk mining_chunks;
  owners uuid[];
  half integer;
begin
  if concerns_everybody(p_sqlstate) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('mining chunks', 0));
  select * into strict chunk from mining_chunks where id = p_chunk;
  owners := mining_customers_of(chunk);
  half := cardinality(owners) / 2;
  if half > 0 then
    insert into mining_chunks (day, correction_id, number, first_customer_id, last_customer_id)
    select chunk.day, chunk.correction_id, max(number) + 1, owners[half + 1], chunk.last_customer_id from mining_chunks
     where day = chunk.day and correction_id is not distinct from chunk.correction_id;
    update mining_chunks set last_customer_id = owners[half] where id = p_chunk;
    return true;
  end if;
  -- Posted before, or everybody fails: no customer is the cause.
  if owners is null
     or chunk.correction_id is null and exists (select from mining_customer_days where customer_id = owners[1] and day = chunk.day)
     or chunk.correction_id is not null
        and exists (select from mining_customer_corrections where customer_id = owners[1] and payout_id = chunk.correction_id)
     or chunk.set_apart_at is null and (
        select count(*) >= 100 and count(posted_at) = 0 from mining_chunks
         where day = chunk.day and correction_id is not distinct from chunk.correction_id
           and (set_apart_at is not null or posted_at is not null)) then
    return false;
  end if;
  update mining_chunks set tries = tries + 1, first_customer_id = owners[1], last_customer_id = owners[1] where id = p_chunk;
  perform mining_keep_apart(p_chunk, p_error, retry_after(p_at, chunk.tries + 1), p_at);
  return true;
end
$$;

-- Customers who cannot be posted for a day, or its correction, before something earlier of theirs is.
create or replace function mining_set_apart_before(p_day date, p_correction uuid) returns table (customer_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select distinct e.first_customer_id from mining_chunks e
   where e.set_apart_at is not null and e.posted_at is null
     and case when p_correction is null then e.correction_id is null and e.day < p_day
              else e.day = p_day and e.correction_id is distinct from p_correction end
   order by 1
$$;

-- Takes a customer out of the chunk that a new day, or correction, was laid out with.
create or replace function mining_cut_out(p_day date, p_correction uuid, p_customer uuid, p_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  chunk mining_chunks;
  owners uuid[];
  last_number integer;
begin
  select * into chunk from mining_chunks
   where day = p_day and correction_id is not distinct from p_correction and p_customer between first_customer_id and last_customer_id;
  owners := mining_customers_of(chunk);
  if owners is null or p_customer <> all (owners) then
    return;
  end if;
  last_number := (select max(number) from mining_chunks where day = p_day and correction_id is not distinct from p_correction);
  insert into mining_chunks (day, correction_id, number, first_customer_id, last_customer_id)
  select p_day, p_correction, last_number + row_number() over (), side[1], side[cardinality(side)]
    from (select array_agg(each order by each) as side from unnest(owners) each where each <> p_customer group by each < p_customer) sides;
  update mining_chunks set first_customer_id = p_customer, last_customer_id = p_customer where id = chunk.id;
  perform mining_keep_apart(chunk.id, 'Waits for an earlier day.', '-infinity', p_at);
end
$$;

-- For how long a customer's clocks have stood still because a day of theirs was set apart, since a moment. Seconds, as clocks_stood.
create or replace function clocks_apart(p_customer uuid, p_since timestamptz) returns interval
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select make_interval(secs => coalesce(sum(greatest(extract(epoch from
           posted_at - greatest(set_apart_at, before, p_since)), 0)), 0)::double precision)
    from (select posted_at, set_apart_at, max(posted_at) over (order by day rows between unbounded preceding and 1 preceding) as before
            from mining_chunks
           where first_customer_id = p_customer and set_apart_at is not null and posted_at is not null and correction_id is null) each
   where posted_at > p_since
$$;

-- A customer who was set apart is posted: clocks move, and the run has the fees.
create or replace function mining_came_back(p_chunk bigint, p_at timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  chunk mining_chunks;
begin
  select * into strict chunk from mining_chunks where id = p_chunk;
  update mining_runs set fees_paid_sats = fees_paid_sats + chunk.fees_paid_sats where day = chunk.day and state = 'posted';
  perform pg_advisory_xact_lock_shared(hashtextextended('maintenance clocks', 0));
  update maintenance_clocks k set stood = begun.stood, expires_at = k.expires_at - k.stood + begun.stood
    from (select id, clocks_stood(started_at) + clocks_apart(customer_id, started_at) as stood
            from maintenance_clocks where customer_id = chunk.first_customer_id and state = 'running') begun
   where k.id = begun.id and k.stood <> begun.stood;
  perform mining_note_results((
    select array_agg(e.contract_id) from contract_endings e join contracts c on c.id = e.contract_id
     where e.customer_id = chunk.first_customer_id and e.settled_at is not null and c.last_day >= chunk.day));
end
$$;

-- Days and corrections of which somebody who is set apart is to be tried again, oldest first.
create or replace function mining_chunks_to_retry(p_at timestamptz) returns table (day date, correction_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.day, c.correction_id from mining_chunks c left join mining_corrections f on f.payout_id = c.correction_id
   where c.set_apart_at is not null and c.posted_at is null and c.retry_at <= p_at and not mining_waits(c)
   group by c.day, c.correction_id, f.number order by c.day, f.number nulls first
$$;

-- False: the error concerns everybody, and is to be raised.
create or replace function mining_note_failure(p_customer uuid, p_work text, p_sqlstate text, p_error text, p_at timestamptz) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if concerns_everybody(p_sqlstate) then
    return false;
  end if;
  insert into mining_failures (customer_id, work, error, failed_at, tries, retry_at)
  values (p_customer, p_work, left(p_error, 1000), p_at, 1, retry_after(p_at, 1))
      on conflict (customer_id, work) do update
     set error = excluded.error, tries = mining_failures.tries + 1, retry_at = retry_after(p_at, mining_failures.tries + 1);
  return true;
end
$$;

-- Does one of the works below for all of these customers at once; if that fails, for each alone. Returns how many it was done for.
create or replace function mining_do_for(p_work text, p_customers uuid[], p_day date, p_at timestamptz) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  done integer := 0;
  each uuid;
begin
  begin
    done := mining_do(p_work, p_customers, p_day, p_at);
    delete from mining_failures where work = p_work and customer_id = any (p_customers);
    return done;
  exception when others or assert_failure then
    if concerns_everybody(sqlstate) then
      raise;
    end if;
  end;
  foreach each in array p_customers loop
    begin
      done := done + mining_do(p_work, array[each], p_day, p_at);
      delete from mining_failures where work = p_work and customer_id = each;
    exception when others or assert_failure then
      if not mining_note_failure(each, p_work, sqlstate, sqlerrm, p_at) then
        raise;
      end if;
    end;
  end loop;
  return done;
end
$$;

create or replace function mining_do(p_work text, p_customers uuid[], p_day date, p_at timestamptz) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform ledger_lock_customers(p_customers);
  case p_work
    when 'arrears' then return mining_collect_from(p_customers, p_at);
    when 'clocks' then return mining_expire_for(p_customers, p_at);
    when 'endings' then return mining_settle_for(p_customers, p_at);
    when 'inactivity' then return mining_charge_for(p_customers, p_day, p_at);
  end case;
end
$$;

-- Has everything that failed for a customer tried at once, by an act of staff.
create or replace function mining_retry_now(p_customer uuid, p_action uuid, p_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform p_at::ledger_time;
  if not staff_did(p_action, 'mining/retry-customer', 'customer:' || p_customer) then
    raise exception 'What is set apart is tried again by an act of staff.'
      using errcode = 'check_violation', constraint = 'retries_are_staff_acts';
  end if;
  update mining_chunks set retry_at = p_at
   where first_customer_id = p_customer and set_apart_at is not null and posted_at is null and retry_at > p_at;
  update mining_failures set retry_at = p_at where customer_id = p_customer and retry_at > p_at;
end
$$;

-- Staff were told of these.
create or replace function mining_note_told(p_customers uuid[], p_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform p_at::ledger_time;
  update mining_chunks set told_at = p_at
   where first_customer_id = any (p_customers) and set_apart_at is not null and posted_at is null and told_at is null;
  update mining_failures set told_at = p_at where customer_id = any (p_customers) and told_at is null;
end
$$;

-- Contracts of these customers that have ended, were settled, and still owe: what is collected of it changes their results.
create or replace function mining_owing_results(p_customers uuid[]) returns uuid[]
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select array_agg(distinct a.contract_id) from maintenance_arrears a
    join contract_endings e on e.contract_id = a.contract_id and e.settled_at is not null
   where a.state = 'open' and a.customer_id = any (p_customers)
$$;

-- What each of these contracts came to, if it has ended and is settled.
create or replace function results_of_contracts(p_contracts uuid[])
returns table (contract_id uuid, plan_id uuid, usd_micros numeric, usd_cents numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.id, v.plan_id,
         coalesce(d.credited_usd_micros - d.fees_usd_micros, 0)
           + coalesce((select sum(trunc(x.change_sats * r.btc_usd_e8 / 10000000000))
                         from mining_contract_corrections x join mining_runs r using (day)
                        where x.contract_id = c.id), 0)
           - coalesce((select sum(a.usd_micros) from maintenance_arrears a
                        where a.contract_id = c.id and a.state = 'collected'), 0)
           + trunc(e.refunded_units * c.usd_cents * 10000 / c.units),
         c.usd_cents
    from unnest(p_contracts) asked (id)
    join contract_endings e on e.contract_id = asked.id and e.settled_at is not null
    join contracts c on c.id = asked.id
    join plan_versions v on v.id = c.plan_version_id
    left join lateral (
      select credited_usd_micros, fees_usd_micros from mining_contract_days days
       where days.contract_id = c.id and days.day between c.starts_on and c.last_day order by days.day desc limit 1
    ) d on true
$$;

-- Writes what contracts came to, when they are settled and whenever that changes later: by a correction, a fee that is collected, a day of
-- a customer who was set apart. The last thing that a transaction does: plans' records have one lock.
create or replace function mining_note_results(p_contracts uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
  if p_contracts is null then
    return;
  end if;
  insert into contract_results as known (contract_id, plan_id, usd_micros, usd_cents, cents, is_below)
  select r.contract_id, r.plan_id, r.usd_micros, r.usd_cents, round(r.usd_micros / r.usd_cents), r.usd_micros < r.usd_cents * 10000
    from results_of_contracts(p_contracts) r
   where not exists (select from contract_results w where w.contract_id = r.contract_id)
   order by r.contract_id;
  update contract_results known set usd_micros = r.usd_micros, cents = round(r.usd_micros / r.usd_cents),
         is_below = r.usd_micros < r.usd_cents * 10000
    from results_of_contracts(p_contracts) r
   where known.contract_id = r.contract_id and known.usd_micros <> r.usd_micros;
end
$$;

-- Guards
create or replace trigger clocks_run_seventy_two_hours before insert on maintenance_clocks
  for each row execute function follow_the_terms('clocks_run_seventy_two_hours');
create or replace trigger inactivity_is_told_seven_days_ahead before insert on inactivity_notices
  for each row execute function follow_the_terms('inactivity_is_told_seven_days_ahead');
create or replace trigger inactivity_fees_follow_the_terms before insert on inactivity_fees
  for each row execute function follow_the_terms('inactivity_fees_follow_the_terms');
create or replace trigger contracts_end_after_what_is_worked_out before update of last_day on contracts
  for each row when (old.last_day is null and new.last_day is not null) execute function check_contract_end();
create or replace trigger worked_days_take_corrections_only before insert or update of state on pool_payouts
  for each row when (new.state = 'recorded') execute function check_payout_of_worked_day();
create or replace trigger mining_settings_are_written_once before update or delete or truncate on mining_settings
  for each statement execute function refuse_to_rewrite('mining_settings_are_written_once');
create or replace trigger zz_action_id_is_what_it_names before insert or update on mining_settings
  for each row execute function guard_named_act('action_id', 'mining/set-automatic', 'mining', '');
create or replace trigger runs_are_kept before delete or truncate on mining_runs
  for each statement execute function refuse_to_rewrite('runs_are_kept');
create or replace trigger posted_days_move_clocks after update on mining_runs
  for each row when (new.state = 'posted' and old.state = 'posting') execute function move_clocks_that_waited();
create or replace trigger zz_action_id_is_what_it_names before insert or update on mining_runs
  for each row execute function guard_named_act('action_id', 'mining/post-day', 'mining-day:', 'day');
create or replace trigger receipts_are_written_once before update or delete or truncate on mining_contract_days
  for each statement execute function refuse_to_rewrite('receipts_are_written_once');
create or replace trigger receipts_are_written_once before update or delete or truncate on mining_customer_days
  for each statement execute function refuse_to_rewrite('receipts_are_written_once');
create or replace trigger corrections_are_written_once before update or delete or truncate on mining_contract_corrections
  for each statement execute function refuse_to_rewrite('corrections_are_written_once');
create or replace trigger corrections_are_written_once before update or delete or truncate on mining_customer_corrections
  for each statement execute function refuse_to_rewrite('corrections_are_written_once');
create or replace trigger clocks_run_over_worked_days before insert or update on maintenance_clocks
  for each row when (new.state = 'expired') execute function check_expired_clock();
create or replace trigger inactivity_fees_are_written_once before update or delete or truncate on inactivity_fees
  for each statement execute function refuse_to_rewrite('inactivity_fees_are_written_once');

-- Rights
revoke execute on function mining_open_month, mining_set_clocks, mining_owe_hashrate, mining_explains, clocks_stood, is_set_apart,
  mining_customers_of, mining_waits, mining_share_of, mining_keep_apart, mining_set_apart_before, clocks_apart, mining_came_back,
  mining_chunks_to_retry, mining_note_failure, mining_do_for, mining_do, mining_owing_results, results_of_contracts from public;
grant execute on function mining_open_day, mining_post_chunk, mining_collect_arrears, mining_expire_clocks, mining_settle_endings,
  mining_note_inactivity, mining_charge_inactivity, mining_await_chunks, mining_close_day, mining_open_correction,
  mining_correct_chunk, mining_close_correction, clocks_stood, is_set_apart, mining_waits, clocks_apart, mining_chunks_to_retry,
  mining_retry_now, mining_note_told, results_of_contracts to assay_app;
