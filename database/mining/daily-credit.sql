-- How a satoshi gets from a pool's payout to a customer's balance. A UTC day goes through these functions, which
-- server/mining/days/post-mining-day.ts calls in this order:
--   mining_open_day    freezes what the day is worked out from (payouts, hashrate, price, maintenance), and lays out chunks
--   mining_post_chunk  works out a chunk: a receipt per contract (mining_worked), a sum and two transfers per customer. A credit
--                      takes from pool_receivable, where the payout put it, and adds to the customer's balance
--   mining_close_day   credits the operator for hashrate that is not rented, carries what could not be divided, ends contracts
-- A customer who fails is set apart (set-apart.sql); what is not paid of fees is owed (arrears.sql); every transfer is compared
-- with its receipt (explained.sql). docs/decisions/0020 says why this is done in sets, inside PostgreSQL.

-- The day that is being worked out, or the one after the last that was, or the first that a pool counts from. Null: no pool counts.
create or replace function next_mining_day() returns date language sql stable as $$
  select coalesce((select case state when 'posting' then day else day + 1 end from mining_runs order by day desc limit 1),
                  (select min(counts_from) from pools))
$$;

-- Lays out chunks of about p_chunk contracts. False: that was done before. Takes the days in order, and one without a pool by staff
-- alone. Contracts are read once: the set of customers stands first, so that it is grouped in the order of the index.
create or replace function mining_open_day(p_day date, p_at ledger_time, p_action uuid, p_chunk integer default 20000)
returns boolean language plpgsql security definer
set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off set enable_seqscan = off as $$
declare price market_prices; network network_figures;
begin
  perform lock_fact('mining evidence'); -- Whoever changes the evidence waits for this, or this waits.
  if exists (select from mining_runs where day = p_day) then return false; end if;
  perform demand('days_are_over_before_they_are_worked_out', p_day < (p_at at time zone 'UTC')::date);
  perform demand('days_are_worked_out_in_order', p_day is not distinct from next_mining_day());
  price := price_of_day(p_day);
  update market_prices set pinned = true where id = price.id and not pinned;
  -- What the network was like on this day, when last asked.
  select * into network from network_figures
   where observed_at > p_day::timestamp at time zone 'UTC' and observed_at <= (p_day + 1)::timestamp at time zone 'UTC'
   order by observed_at desc limit 1;
  perform open_month(parent, date_trunc('month', p_day)::date) from unnest('{mining_contract_days,mining_customer_days}'::text[]) parent;
  with counted as materialized (
    select plan_version_id, customer_id, count(*)::integer as contracts, sum(ghs) as ghs from contracts
     where starts_on <= p_day and (last_day is null or last_day >= p_day) group by grouping sets ((customer_id), (plan_version_id))
  ), run as (
    insert into mining_runs (day, payout_sats, carried_sats, distributable_sats, delivered_ghs, active_ghs, shared_ghs,
      served_ppm, cumulative_served_ppm, contracts, customers, price_id, btc_usd_e8, price_observed_at,
      network_observed_at, difficulty, subsidy_sats, fees_per_block_sats, started_at, action_id)
    select p_day, paid.sats, carried.sats, paid.sats + carried.sats, paid.ghs, sold.ghs, greatest(paid.ghs, sold.ghs),
      served.ppm, served.ppm + coalesce(before.cumulative_served_ppm, 0), sold.contracts, sold.customers, price.id, price.usd_e8,
      price.observed_at, network.observed_at, network.difficulty, network.subsidy_sats, network.fees_per_block_sats, p_at, p_action
      from (select coalesce(sum(units), 0) as sats, coalesce(sum(delivered_ghs), 0) as ghs from current_payouts(p_day)) paid
     cross join (select coalesce(sum(ghs), 0) as ghs, coalesce(sum(contracts), 0) as contracts, count(*) as customers
                   from counted where customer_id is not null) sold
     cross join lateral (select case when paid.ghs >= sold.ghs then 1000000 else div(paid.ghs * 1000000, sold.ghs) end as ppm) served
      left join mining_runs before on before.day = p_day - 1
     cross join lateral (select coalesce(before.remainder_sats, 0) as sats) carried
  ), evidence as (
    insert into mining_run_payouts select p_day, id from current_payouts(p_day)
  ), plans as (
    insert into mining_run_plans (day, plan_version_id, maintenance_usd_micros, contracts, ghs)
    select p_day, plan_version_id, maintenance_on(plan_version_id, p_day), contracts, ghs from counted where plan_version_id is not null
  ), placed as (
    select customer_id, ((sum(contracts) over (order by customer_id rows unbounded preceding) - 1) / p_chunk)::integer as nth from counted
     where customer_id is not null
  )
  insert into mining_chunks (day, number, first_customer_id, last_customer_id)
  select p_day, nth + 1, (array_agg(customer_id order by customer_id))[1], (array_agg(customer_id order by customer_id desc))[1]
    from placed group by nth order by nth;
  perform mining_cut_out(p_day, null, p_at);
  perform mining_post('rounding-carry', p_day, p_at);
  return true;
end $$;

create or replace function mining_customers_of(p_chunk mining_chunks) returns uuid[] language sql stable as $$
  select array(select distinct customer_id from contracts where customer_id between p_chunk.first_customer_id and p_chunk.last_customer_id
                  and starts_on <= p_chunk.day and (last_day is null or last_day >= p_chunk.day) order by customer_id)
$$;

-- What each contract of some customers gets and owes for a day, and what of its price was earned.
--   credit  = distributable x GH/s / shared GH/s, rounded down
--   fee     = GH/s x maintenance of the plan, at the day's price (price_of_day), rounded down
--   earned  = price x whole days served / term, less the same of the day before
-- Without settings of its own, so that it becomes part of the query that calls it. `offset 0`: worked out once for contracts
-- that are alike.
create or replace function mining_worked(p_run mining_runs, p_first uuid, p_last uuid)
returns table (id uuid, customer_id uuid, bought_at timestamptz, ghs numeric, coin text, credit numeric, fee numeric,
  credit_usd numeric, fee_usd numeric, earned numeric) language sql stable as $$
  select c.id, c.customer_id, c.bought_at, c.ghs, c.coin, w.credit, w.fee, w.credit_usd, w.fee_usd,
         case when w.served = w.served_before then 0
              else div(c.units * w.served, c.term_days) - div(c.units * w.served_before, c.term_days) end
    from contracts c left join mining_runs before on before.day = c.starts_on - 1
   cross join lateral (
     select each.credit, each.fee, div(each.credit * p_run.btc_usd_e8, 10000000000) as credit_usd,
            div(each.fee * p_run.btc_usd_e8, 10000000000) as fee_usd,
            least(c.term_days, each.ppm / 1000000) as served, least(c.term_days, (each.ppm - p_run.served_ppm) / 1000000) as served_before
       from (
         select div(p_run.distributable_sats * c.ghs, p_run.shared_ghs) as credit,
                div(c.ghs * 10000000 * (
                  select plan.maintenance_usd_micros from mining_run_plans plan
                   where plan.day = p_run.day and plan.plan_version_id = c.plan_version_id), p_run.btc_usd_e8) as fee,
                p_run.cumulative_served_ppm - coalesce(before.cumulative_served_ppm, 0) as ppm offset 0) each) w
   where c.customer_id between p_first and p_last and c.starts_on <= p_run.day and (c.last_day is null or c.last_day >= p_run.day)
$$;

-- Posts the next chunk that is free, and returns its number; null: there is none. Any number of processes do it in parallel. The
-- planner's statistics are from before the day, so every look goes by an index: the settings, and `lateral ... limit 1`.
create or replace function mining_post_chunk(p_day date, p_at ledger_time) returns integer language plpgsql security definer
set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare run mining_runs; chunk mining_chunks; owners uuid[];
begin
  select * into chunk from mining_chunks c
   where day = p_day and correction_id is null and posted_at is null and retry_at <= p_at and not mining_waits(c)
   order by number limit 1 for update skip locked;
  if not found then return null; end if;
  begin
    -- Other postings for these customers wait until the chunk is posted, or it waits for them.
    owners := mining_customers_of(chunk);
    perform ledger_lock_customers(owners);
    -- If the day is closed meanwhile, a customer who is set apart is counted once: as that, or as posted.
    perform from mining_runs where day = p_day and chunk.set_apart_at is not null for no key update;
    select * into strict run from mining_runs where day = p_day;
    with worked as materialized (select * from mining_worked(run, chunk.first_customer_id, chunk.last_customer_id)
    ), totals as materialized (
      -- What is there for today's fees, after what is owed from before: all of that, or nothing of today.
      select t.*, a.balance + t.credit - coalesce(
               (select sum(fee_sats) from maintenance_arrears where customer_id = t.customer_id and state = 'open'), 0) as spendable
        from (select customer_id, count(*)::integer as contracts, sum(ghs) as ghs, sum(credit) as credit,
                     sum(credit_usd) as credit_usd, sum(fee) as fee, sum(fee_usd) as fee_usd from worked group by customer_id) t
        join ledger_accounts a on a.owner_id = t.customer_id and a.account = 'available' and a.asset = 'BTC'
         and a.owner_id between chunk.first_customer_id and chunk.last_customer_id
    ), short as materialized (
      -- Only where the balance does not cover all fees: the oldest contracts first, as far as it goes.
      select w.id, w.customer_id, w.bought_at, w.fee, w.fee_usd,
             -- Of a fee that rounds to nothing, nothing is owed.
             w.fee = 0 or t.spendable >= sum(w.fee) over (partition by w.customer_id order by w.bought_at, w.id) as is_paid
        from totals t join worked w on w.customer_id = t.customer_id where t.spendable < t.fee
    ), sums as materialized (
      select t.*, coalesce(p.paid, t.fee) as paid, coalesce(p.paid_usd, t.fee_usd) as paid_usd
        from totals t left join (
          select customer_id, coalesce(sum(fee) filter (where is_paid), 0) as paid,
                 coalesce(sum(fee_usd) filter (where is_paid), 0) as paid_usd from short group by customer_id) p using (customer_id)
       order by t.customer_id
    ), receipts as (
      insert into mining_contract_days (contract_id, day, customer_id, ghs, credit_sats, fee_sats, fee_paid, credited_sats,
        credited_usd_micros, fees_sats, fees_usd_micros)
      select today.id, p_day, today.customer_id, today.ghs, today.credit, today.fee, today.is_paid,
             coalesce(before.credited_sats, 0) + today.credit, coalesce(before.credited_usd_micros, 0) + today.credit_usd,
             coalesce(before.fees_sats, 0) + case when today.is_paid then today.fee else 0 end,
             coalesce(before.fees_usd_micros, 0) + case when today.is_paid then today.fee_usd else 0 end
        from (select w.*, coalesce(s.is_paid, true) as is_paid from worked w left join short s on s.id = w.id order by w.id offset 0) today
        left join lateral (
          select * from mining_contract_days before where before.contract_id = today.id and before.day = p_day - 1 limit 1) before on true
    ), days as (
      insert into mining_customer_days (customer_id, day, contracts, ghs, credit_sats, credit_usd_micros, fee_sats, paid_fee_sats,
        paid_fee_usd_micros, credited_sats, credited_usd_micros, fees_sats, fees_usd_micros)
      select sums.customer_id, p_day, sums.contracts, sums.ghs, sums.credit, sums.credit_usd, sums.fee, sums.paid, sums.paid_usd,
             coalesce(before.credited_sats, 0) + sums.credit, coalesce(before.credited_usd_micros, 0) + sums.credit_usd,
             coalesce(before.fees_sats, 0) + sums.paid, coalesce(before.fees_usd_micros, 0) + sums.paid_usd
        from sums
        -- Days without a contract have no row: the last one that there is.
        left join lateral (select * from mining_customer_days before
                            where before.customer_id = sums.customer_id and before.day < p_day
                            order by before.day desc limit 1) before on true
    ), unpaid as (
      insert into maintenance_arrears (contract_id, day, customer_id, bought_at, fee_sats, usd_micros, posted_at)
      select id, p_day, customer_id, bought_at, fee, fee_usd, p_at from short where not is_paid
    ), posted as (
      update mining_chunks set posted_at = p_at, fees_due_sats = s.due, fees_paid_sats = s.paid,
             earned_btc_units = t.btc, earned_eth_units = t.eth, earned_usdt_units = t.usdt
        from (select coalesce(sum(fee), 0) as due, coalesce(sum(paid), 0) as paid from sums) s
       cross join (select coalesce(sum(earned) filter (where coin = 'BTC'), 0) as btc,
                          coalesce(sum(earned) filter (where coin = 'ETH'), 0) as eth,
                          coalesce(sum(earned) filter (where coin = 'USDT'), 0) as usdt from worked) t
       where mining_chunks.id = chunk.id
    )
    -- The credit before the fee, which it may have to pay.
    insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
    select uuidv7(), t.kind || ':' || iso_day(p_day) || ':' || customer_id, t.kind, customer_id, p_day, p_at,
           'mining-run:' || iso_day(p_day), t.memo || iso_day(p_day),
           array[('available', 'BTC', t.units), (t.other, 'BTC', -t.units)]::ledger_leg[]
      from sums
     cross join lateral (values ('mining-credit', 'Mined on ', 'pool_receivable', credit),
                                ('maintenance-fee', 'Maintenance of ', 'maintenance_revenue', -paid)) t (kind, memo, other, units)
     where t.units <> 0;
    -- Of those who are locked: others in the range, whose contracts have ended, pay by themselves.
    if exists (select from maintenance_arrears where state = 'open' and customer_id = any (owners)) then
      perform mining_collect_from(owners, p_at);
    end if;
    if chunk.set_apart_at is not null then
      -- The run has the fees, clocks move, and so do the results of contracts that ended meanwhile.
      update mining_runs set fees_paid_sats = fees_paid_sats + (select fees_paid_sats from mining_chunks where id = chunk.id)
       where day = p_day and state = 'posted';
      perform mining_move_clocks(chunk.first_customer_id);
      perform mining_note_results((
        select array_agg(e.contract_id) from contract_endings e join contracts c on c.id = e.contract_id
         where e.customer_id = chunk.first_customer_id and e.settled_at is not null and c.last_day >= p_day));
    end if;
  exception when others or assert_failure then
    if not mining_set_apart(chunk.id, sqlstate, sqlerrm, p_at) then raise; end if;
  end;
  return chunk.number;
end $$;

-- Waits for chunks that others work at. True: all are posted, or set apart.
create or replace function mining_await_chunks(p_day date, p_correction uuid default null) returns boolean
language sql security definer as $$
  select from mining_chunks
   where day = p_day and correction_id is not distinct from p_correction and posted_at is null and set_apart_at is null for update;
  select not exists (
    select from mining_chunks
     where day = p_day and correction_id is not distinct from p_correction and posted_at is null and set_apart_at is null)
$$;

-- False: chunks are missing, or another closed it.
create or replace function mining_close_day(p_day date, p_at ledger_time) returns boolean
language plpgsql security definer set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare run mining_runs; share numeric; served uuid[]; planned date[]; lasts date[]; rates numeric[];
begin
  perform lock_fact('mining evidence'); -- A correction of what was seen waits for this, or this sees it.
  select * into strict run from mining_runs where day = p_day for update;
  if run.state = 'posted' or exists (
       select from mining_chunks where day = p_day and correction_id is null and posted_at is null and set_apart_at is null) then
    return false;
  end if;
  -- With no contract to share with, all of it is the operator's. mining_explain added each credit to the run's credited_sats.
  share := case when run.active_ghs = 0 then run.distributable_sats
                else div(run.distributable_sats * (run.shared_ghs - run.active_ghs), run.shared_ghs) end;
  update mining_runs set state = 'posted', posted_at = p_at, operator_share_sats = share, reserved_sats = sums.reserved,
         remainder_sats = distributable_sats - credited_sats - sums.reserved - share,
         fees_due_sats = sums.due, fees_paid_sats = sums.paid, earned_btc_units = sums.btc, earned_eth_units = sums.eth,
         earned_usdt_units = sums.usdt,
         inactivity_sats = coalesce((select sum(fee_sats) from inactivity_fees where day = p_day), 0)
    from (select coalesce(sum(reserved_sats) filter (where posted_at is null), 0) as reserved,
                 coalesce(sum(fees_due_sats), 0) as due, coalesce(sum(fees_paid_sats), 0) as paid,
                 coalesce(sum(earned_btc_units), 0) as btc, coalesce(sum(earned_eth_units), 0) as eth,
                 coalesce(sum(earned_usdt_units), 0) as usdt
            from mining_chunks where day = p_day and correction_id is null) sums
   where day = p_day;
  perform note_capacity(p_day);
  perform mining_move_clocks(null);
  perform mining_post(kind, p_day, p_at) from unnest('{contract-day,operator-share,rounding-carry}'::text[]) kind;
  -- Contracts that were served less than sold run on: that hashrate is not for sale. Added up before the fleet's lock: what is bought
  -- meanwhile has not begun, and what ends on this day owes nothing after it.
  select array_agg(planned_last_day), array_agg(last_day), array_agg(ghs) into planned, lasts, rates from (
    select c.planned_last_day, each.last_day, sum(c.ghs) as ghs
      from (select starts_on, planned_last_day, term_days, sum(ghs) as ghs from contracts
             where last_day is null and starts_on <= p_day group by starts_on, planned_last_day, term_days) c
      left join mining_runs b on b.day = c.starts_on - 1
     cross join lateral (
       select p_day + ceil(c.term_days - (run.cumulative_served_ppm - coalesce(b.cumulative_served_ppm, 0)) / 1000000.0)::integer
                as last_day) each
     where each.last_day > c.planned_last_day group by c.planned_last_day, each.last_day) late;
  perform lock_fleet();
  perform open_fleet_days(least(min(planned_last_day) + 1, p_day + 1), max(last_day))
     from unnest(planned, lasts) late (planned_last_day, last_day) having count(*) > 0;
  update fleet_days d set owed_ghs = owed.ghs
    from (select f.day, coalesce(sum(late.ghs), 0) as ghs from fleet_days f
            left join unnest(planned, lasts, rates) late (planned_last_day, last_day, ghs)
              on f.day > late.planned_last_day and f.day <= late.last_day where f.day > p_day group by f.day) owed
   where d.day = owed.day and d.owed_ghs <> owed.ghs;
  with ended as (
    update contracts c set last_day = p_day, end_reason = 'served', ended_at = p_at
     where c.last_day is null and c.planned_last_day <= p_day
       and run.cumulative_served_ppm - coalesce((select cumulative_served_ppm from mining_runs where day = c.starts_on - 1), 0)
           >= c.term_days::bigint * 1000000
    returning id, customer_id, term_days
  ), noted as (
    insert into contract_endings (contract_id, customer_id, reason, ended_at, served_days, refunded_units, forfeited_units, settled_at)
    select id, customer_id, 'served', p_at, term_days, 0, 0, p_at from ended returning contract_id
  )
  select array_agg(contract_id) into served from noted;
  perform mining_note_results(served);
  return true;
end $$;

grant execute on function mining_open_day, mining_post_chunk, mining_await_chunks, mining_close_day to assay_app;
