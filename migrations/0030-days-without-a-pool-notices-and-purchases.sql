-- Mining, completed: purchases that the journal takes only for a contract, days on which no pool counts, notices that a
-- customer reads in his account, sites that get another name, and a day that costs less. Why: docs/decisions/0027.

-- Purchases ------------------------------------------------------------------------------------------------
-- A contract has its transfer since 0019. Now the other way round, too: nobody's coins become prepaid for nothing.

create function check_purchase() returns trigger language plpgsql as $$
begin
  if not exists (select from public.contracts c where c.transfer_id = new.id and new.key = 'contract-purchase:' || c.id
                    and new.owner_id = c.customer_id
                    and new.legs = array[('available', c.coin, -c.units), ('contract_prepaid', c.coin, c.units)]::public.ledger_leg[]) then
    raise exception 'Only a contract is paid for.'
      using errcode = 'check_violation', constraint = 'only_contracts_are_paid_for';
  end if;
  return null;
end
$$;
create constraint trigger only_contracts_are_paid_for after insert on ledger_transfers
  deferrable initially deferred for each row when (new.kind = 'contract-purchase') execute function check_purchase();

-- A purchase is reversed when its contract is given back, and a contract is given back with its purchase reversed.
create function check_purchase_reversal() returns trigger language plpgsql as $$
begin
  if exists (select from public.ledger_transfers t where t.id = new.reverses and t.kind = 'contract-purchase')
     and not exists (select from public.contracts c where c.transfer_id = new.reverses and c.end_reason = 'given-back') then
    raise exception 'A purchase is reversed for a contract that is given back.'
      using errcode = 'check_violation', constraint = 'purchases_are_reversed_when_given_back';
  end if;
  return null;
end
$$;
create constraint trigger purchases_are_reversed_when_given_back after insert on ledger_transfers
  deferrable initially deferred for each row when (new.kind = 'reversal') execute function check_purchase_reversal();

create function check_given_back() returns trigger language plpgsql as $$
begin
  if not exists (select from public.ledger_transfers t where t.reverses = new.transfer_id and t.owner_id = new.customer_id) then
    raise exception 'What is given back is paid back.'
      using errcode = 'check_violation', constraint = 'what_is_given_back_is_paid_back';
  end if;
  return null;
end
$$;
create constraint trigger what_is_given_back_is_paid_back after insert or update on contracts
  deferrable initially deferred for each row when (new.end_reason = 'given-back') execute function check_given_back();

-- Days without a pool --------------------------------------------------------------------------------------
-- When the last pool has stopped and no other counts yet, there is no evidence to wait for. Such a day is worked out as
-- one on which nothing was paid and nothing delivered, and only by an act of staff: a pool that was to be added for it
-- could not be any more.

create function counts_no_pool(p_day date) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select not exists (select from pools o where p_day between o.counts_from and coalesce(o.counts_until, 'infinity'))
$$;

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

-- Notices --------------------------------------------------------------------------------------------------
-- What a customer was told, as he reads it in his account: the same facts that its mail holds.

create table notices (
  id uuid primary key,
  customer_id uuid not null references customers,
  key text not null constraint told_once unique constraint notice_keys_are_short check (length(key) between 1 and 300),
  kind text not null,
  title text not null constraint notices_have_a_title check (length(title) between 1 and 300),
  body text not null constraint notices_are_short check (length(body) <= 2000),
  -- Where it is about: a path of the account.
  path text not null constraint notices_lead_into_the_account check (path ~ '^/account(/[a-z0-9/-]*)?$'),
  created_at timestamptz not null,
  read_at timestamptz
);
create index notices_newest_first on notices (customer_id, id desc);
create index notices_to_read on notices (customer_id) where read_at is null;
create function check_changed_notice() returns trigger language plpgsql as $$
begin
  if old.read_at is not null or (to_jsonb(new) - 'read_at') is distinct from (to_jsonb(old) - 'read_at') then
    raise exception 'A notice is read once, and says what it said.'
      using errcode = 'check_violation', constraint = 'notices_are_never_rewritten';
  end if;
  return new;
end
$$;
create trigger notices_are_never_rewritten before update on notices for each row execute function check_changed_notice();
grant select, insert, delete on notices to assay_app;
grant update (read_at) on notices to assay_app;

-- Sites ----------------------------------------------------------------------------------------------------

alter table sites add column changed_action_id uuid references audit_log;
create function check_changed_site() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{name,place,changed_action_id}'::text[]) is distinct from (to_jsonb(old) - '{name,place,changed_action_id}'::text[])
     or new.changed_action_id is not distinct from old.changed_action_id
     or not public.staff_did(new.changed_action_id, 'fleet/rename-site', 'site:' || new.id) then
    raise exception 'A site gets another name or place by an act of staff.'
      using errcode = 'check_violation', constraint = 'sites_are_renamed_by_staff_acts';
  end if;
  return new;
end
$$;
create trigger sites_are_renamed_by_staff_acts before update on sites for each row execute function check_changed_site();
grant update (changed_action_id) on sites to assay_app;

-- A day, cheaper -------------------------------------------------------------------------------------------
-- All that a day reads of a contract stands in one index, in the order in which customers are worked: a chunk reads a
-- piece of it from one end to the other and never the table.

create index contracts_of_customers on contracts (customer_id, bought_at, id)
  include (starts_on, last_day, planned_last_day, end_reason, ghs, coin, units, term_days, plan_version_id);
drop index contracts_newest_first;

-- As in 0022, but without a pool by staff alone; and customers come in the order of the index.
create or replace function mining_open_day(p_day date, p_at timestamptz, p_action uuid, p_chunk integer default 20000) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off
set enable_seqscan = off as $$
declare
  run mining_runs;
  price market_prices;
  network network_figures;
begin
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
  select coalesce(sum(ghs), 0), count(*), count(distinct customer_id) into run.active_ghs, run.contracts, run.customers from contracts
   where starts_on <= p_day and (last_day is null or last_day >= p_day);
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
  insert into mining_run_plans
  select p_day, plan_version_id, maintenance_on(plan_version_id, p_day), contracts, ghs
    from (select plan_version_id, count(*) as contracts, sum(ghs) as ghs from contracts
           where starts_on <= p_day and (last_day is null or last_day >= p_day) group by plan_version_id) plans;
  insert into mining_chunks (day, number, first_customer_id, last_customer_id)
  with placed as (
    select customer_id, ((sum(count(*)) over (order by customer_id) - 1)::bigint / p_chunk) as nth from contracts
     where starts_on <= p_day and (last_day is null or last_day >= p_day) group by customer_id
  ), edges as (
    select customer_id, nth, nth is distinct from lag(nth) over line as begins, nth is distinct from lead(nth) over line as ends
      from placed window line as (order by customer_id)
  )
  select p_day, row_number() over (order by b.nth), b.customer_id, e.customer_id
    from edges b join edges e on e.nth = b.nth and e.ends where b.begins;

  if run.carried_sats > 0 then
    perform mining_post_for_house('rounding-carry:' || p_day || ':in', 'rounding-carry', p_day, p_at,
      'What the day before could not divide',
      array[('pool_receivable', 'BTC', run.carried_sats), ('rounding', 'BTC', -run.carried_sats)]::ledger_leg[]);
  end if;
  return true;
end
$$;

-- As in 0022, with the same result. A chunk is read from the index, once; fees are put in order only for customers whose
-- balance does not cover all of them; receipts of the day before are looked up in the order in which they lie.
create or replace function mining_post_chunk(p_day date, p_at timestamptz) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  run mining_runs;
  chunk mining_chunks;
  owners uuid[];
  locked integer;
  day_text constant text := p_day;
begin
  select * into chunk from mining_chunks
   where day = p_day and correction_id is null and posted_at is null
   order by number limit 1 for update skip locked;
  if not found then
    return null;
  end if;
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
           t.spendable >= sum(w.fee) over (partition by w.customer_id order by w.bought_at, w.id) as is_paid
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
      from (select w.*, coalesce(s.is_paid, true) as is_paid from worked w left join short s on s.id = w.id order by w.id offset 0) today
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
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select uuidv7(), t.prefix || sums.customer_id, t.kind, sums.customer_id, p_day, p_at, t.source, t.memo,
         array[row('available', 'BTC', case t.place when 1 then sums.credit else -sums.paid end)::ledger_leg,
               row(t.other, 'BTC', case t.place when 1 then -sums.credit else sums.paid end)::ledger_leg]
    from sums
   cross join (values
     (1, 'mining-credit', 'pool_receivable', 'mining-credit:' || day_text || ':', 'mining-run:' || day_text, 'Mined on ' || day_text),
     (2, 'maintenance-fee', 'maintenance_revenue', 'maintenance-fee:' || day_text || ':', 'mining-run:' || day_text, 'Maintenance of ' || day_text))
     t (place, kind, other, prefix, source, memo)
   where case t.place when 1 then sums.credit else sums.paid end > 0
   order by sums.customer_id, t.place;

  if exists (select from maintenance_arrears
              where state = 'open' and customer_id between chunk.first_customer_id and chunk.last_customer_id) then
    perform mining_collect_from(owners, p_at);
  end if;
  return chunk.number;
end
$$;

-- As in 0022, without a table of its own.
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

-- As in 0022, but who runs a contract is left out before anything is added up.
create or replace function mining_note_inactivity(p_day date, p_at timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
begin
  update inactivity_notices n set ended_at = p_at
   where n.ended_at is null and exists (
     select from contracts c where c.customer_id = n.customer_id and c.end_reason is distinct from 'given-back'
        and (c.last_day is null or c.last_day > n.inactive_since));
  insert into inactivity_notices (id, customer_id, inactive_since, noticed_at, first_fee_day)
  select uuidv7(), each.customer_id, each.since, p_at, greatest(each.since + 31, (p_at at time zone 'UTC')::date + 7)
    from (
      select idle.owner_id as customer_id, coalesce(had.last_day, first.day) as since
        from (
          select a.owner_id from ledger_accounts a
            join customers person on person.id = a.owner_id
           where a.account = 'available' and a.asset = 'BTC' and a.balance > 70000
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
   where each.since <= p_day - 23;
end
$$;

-- As in 0022; but bitcoin between what customers have and one account of the house, which is all that a day posts by the
-- thousand, is checked without sorting and each of its accounts moved with one look.
create or replace function ledger_post() returns trigger language plpgsql as $$
declare
  customers_accounts constant text[] := '{available,held}';
  alone boolean;
  t record;
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
  for t in
    select n.number, n.owner_id, n.kind, n.reverses, n.legs, k.debits, k.credits,
           (select count(*) from new_transfers) = 1 as alone
      from new_transfers n left join public.ledger_transfer_kinds k on k.kind = n.kind
  loop
    alone := t.alone;
    exit when not alone;
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
      if t.reverses is null and leg.account = any (case when leg.units > 0 then t.credits else t.debits end) is not true then
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
  end loop;

  if alone then
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
        select t.owner_id, t.number, t.other, t.units, sum(t.units) over owner as moved_so_far, row_number() over owner as step,
               lead(t.number) over owner is null as is_last
          from (select owner_id, number,
                       case (legs[1]).account when 'available' then (legs[2]).account else (legs[1]).account end as other,
                       case (legs[1]).account when 'available' then (legs[1]).units else (legs[2]).units end as units
                  from new_transfers) t
        window owner as (partition by t.owner_id order by t.number)
      ), moved as (
        update public.ledger_accounts a
           set balance = a.balance + leg.moved_so_far, entry_count = a.entry_count + leg.step
          from legs leg
         where leg.is_last and a.owner_id = leg.owner_id and a.account = 'available' and a.asset = 'BTC'
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
