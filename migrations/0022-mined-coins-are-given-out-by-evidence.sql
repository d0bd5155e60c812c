-- The daily run: what each contract earned and owes for a UTC day, worked out by PostgreSQL in sets of customers, once,
-- from evidence that is frozen first. The application writes none of these tables; it calls the functions below. The
-- journal takes no credit, fee or correction of mining that these rows do not explain. Why: docs/decisions/0020.

-- What the run is made of ----------------------------------------------------------------------------------

-- Whether the run goes by itself once the evidence is complete, and from what difference to the network's reference on
-- it waits for a person. The last row counts; none: by itself, and 20 %.
create table mining_settings (
  number bigint generated always as identity primary key,
  by_itself boolean not null,
  most_deviation_ppm integer not null constraint deviations_are_plausible check (most_deviation_ppm between 0 and 10000000),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);
create trigger mining_settings_are_written_once before update or delete or truncate on mining_settings
  for each statement execute function refuse_to_rewrite('mining_settings_are_written_once');

-- One day, with everything that its credits follow from.
create table mining_runs (
  day date primary key,
  state text not null default 'posting' constraint runs_are_posting_or_posted check (state in ('posting', 'posted')),
  payout_sats numeric(38, 0) not null constraint payouts_of_a_day_are_not_below_zero check (payout_sats >= 0),
  -- What the run before could not divide.
  carried_sats numeric(38, 0) not null constraint remainders_are_not_below_zero check (carried_sats >= 0),
  distributable_sats numeric(38, 0) not null,
  delivered_ghs numeric(38, 0) not null,
  active_ghs numeric(38, 0) not null,
  shared_ghs numeric(38, 0) not null,
  served_ppm bigint not null constraint days_are_served_in_parts check (served_ppm between 0 and 1000000),
  -- Of all runs so far: the difference of two days is what contracts between them were served.
  cumulative_served_ppm bigint not null,
  contracts integer not null,
  customers integer not null,
  price_id uuid not null references market_prices,
  btc_usd_e8 numeric(30, 0) not null,
  price_observed_at timestamptz not null,
  -- Null: nobody asked the network on that day, so there is no reference.
  network_observed_at timestamptz,
  difficulty numeric(40, 0),
  subsidy_sats numeric(38, 0),
  fees_per_block_sats numeric(38, 0),
  started_at timestamptz not null,
  posted_at timestamptz,
  -- Null: by itself.
  action_id uuid references audit_log,
  -- Grows with what is posted.
  credited_sats numeric(38, 0) not null default 0,
  operator_share_sats numeric(38, 0),
  remainder_sats numeric(38, 0),
  fees_due_sats numeric(38, 0),
  fees_paid_sats numeric(38, 0),
  -- The shares of customers who are set apart: theirs, once they can be posted.
  reserved_sats numeric(38, 0) not null default 0 constraint reserves_are_not_below_zero check (reserved_sats >= 0),
  inactivity_sats numeric(38, 0),
  -- Of the prices of contracts, what was earned by this day.
  earned_btc_units numeric(38, 0),
  earned_eth_units numeric(38, 0),
  earned_usdt_units numeric(38, 0),
  constraint what_is_given_out_is_paid_or_carried check (distributable_sats = payout_sats + carried_sats),
  constraint payouts_are_shared_by_the_larger_hashrate check (shared_ghs = greatest(delivered_ghs, active_ghs)),
  constraint days_are_served_as_far_as_delivered check (
    served_ppm = case when delivered_ghs >= active_ghs then 1000000 else div(delivered_ghs * 1000000, active_ghs) end),
  constraint credits_stay_within_the_evidence check (credited_sats between 0 and distributable_sats),
  constraint references_are_whole check (num_nulls(network_observed_at, difficulty, subsidy_sats, fees_per_block_sats) in (0, 4)),
  constraint posted_runs_are_complete check ((state = 'posted') = (posted_at is not null) and (state = 'posting' or num_nulls(
    operator_share_sats, remainder_sats, fees_due_sats, fees_paid_sats, inactivity_sats, earned_btc_units, earned_eth_units,
    earned_usdt_units) = 0)),
  constraint the_evidence_is_given_out_to_the_satoshi
    check (state = 'posting' or credited_sats + reserved_sats + operator_share_sats + remainder_sats = distributable_sats)
);

-- The payouts that a run rests on.
create table mining_run_payouts (
  day date not null references mining_runs,
  payout_id uuid not null references pool_payouts,
  primary key (day, payout_id)
);

-- What maintenance costs on a day, and how much runs under each version.
create table mining_run_plans (
  day date not null references mining_runs,
  plan_version_id uuid not null references plan_versions,
  maintenance_usd_micros numeric(38, 0) not null,
  contracts integer not null,
  ghs numeric(38, 0) not null,
  primary key (day, plan_version_id)
);

-- A correction of a payout after its day was given out, under the id of the payout that corrects.
create table mining_corrections (
  payout_id uuid primary key references pool_payouts,
  day date not null references mining_runs,
  -- The how many-th of its day.
  number integer not null constraint corrections_count_from_one check (number >= 1),
  state text not null default 'posting' constraint corrections_are_posting_or_posted check (state in ('posting', 'posted')),
  -- What the day comes to with it.
  payout_sats numeric(38, 0) not null,
  distributable_sats numeric(38, 0) not null constraint corrected_days_are_not_below_zero check (distributable_sats >= 0),
  delivered_ghs numeric(38, 0) not null,
  shared_ghs numeric(38, 0) not null,
  -- What it changes for everybody together; credits so far with everything before.
  payout_change_sats numeric(38, 0) not null,
  customers_change_sats numeric(38, 0) not null default 0,
  -- What customers had no longer: the operator's loss.
  lost_sats numeric(38, 0) not null default 0,
  -- What it changes for customers who are set apart.
  reserved_sats numeric(38, 0) not null default 0,
  operator_change_sats numeric(38, 0),
  started_at timestamptz not null,
  posted_at timestamptz,
  constraint one_correction_at_a_time unique (day, number),
  constraint posted_corrections_are_complete
    check ((state = 'posted') = (posted_at is not null) and (state = 'posted') = (operator_change_sats is not null)),
  constraint corrections_are_given_out_to_the_satoshi
    check (state = 'posting' or customers_change_sats + reserved_sats + operator_change_sats = payout_change_sats)
);

-- A set of customers, worked in one transaction by whoever takes it first.
create table mining_chunks (
  id bigint generated always as identity primary key,
  day date not null references mining_runs,
  -- Null: the day itself.
  correction_id uuid references mining_corrections,
  number integer not null,
  first_customer_id uuid not null,
  last_customer_id uuid not null,
  posted_at timestamptz,
  fees_due_sats numeric(38, 0),
  fees_paid_sats numeric(38, 0),
  earned_btc_units numeric(38, 0),
  earned_eth_units numeric(38, 0),
  earned_usdt_units numeric(38, 0),
  -- One customer who could not be posted, with the error. The share waits, and is tried again from retry_at on.
  set_apart_at timestamptz,
  error text,
  tries integer not null default 0,
  retry_at timestamptz not null default '-infinity',
  reserved_sats numeric(38, 0),
  told_at timestamptz,
  constraint one_chunk_per_number unique nulls not distinct (day, correction_id, number),
  constraint one_customer_is_set_apart check (set_apart_at is null or first_customer_id = last_customer_id),
  constraint what_is_set_apart_is_known check (num_nulls(set_apart_at, error, reserved_sats) in (0, 3))
);
create index mining_chunks_set_apart on mining_chunks (first_customer_id, day) where set_apart_at is not null;
create index mining_chunks_to_do on mining_chunks (day, number) where posted_at is null;

-- Receipts -------------------------------------------------------------------------------------------------

-- What a contract earned and owes for a day. Totals run over all of its days, so that nobody sums.
create table mining_contract_days (
  contract_id uuid not null,
  day date not null,
  customer_id uuid not null,
  ghs numeric(38, 0) not null,
  credit_sats numeric(38, 0) not null,
  fee_sats numeric(38, 0) not null,
  -- Whether the balance covered it in the run; what it did not is in maintenance_arrears.
  fee_paid boolean not null,
  credited_sats numeric(38, 0) not null,
  credited_usd_micros numeric(38, 0) not null,
  -- Of fees that were paid in the run.
  fees_sats numeric(38, 0) not null,
  fees_usd_micros numeric(38, 0) not null,
  constraint one_receipt_per_contract_and_day primary key (contract_id, day)
) partition by range (day);

-- The same for all contracts of a customer. The journal's two transfers of the day are made of it.
create table mining_customer_days (
  customer_id uuid not null,
  day date not null,
  contracts integer not null,
  ghs numeric(38, 0) not null,
  credit_sats numeric(38, 0) not null,
  credit_usd_micros numeric(38, 0) not null,
  fee_sats numeric(38, 0) not null,
  paid_fee_sats numeric(38, 0) not null,
  paid_fee_usd_micros numeric(38, 0) not null,
  credited_sats numeric(38, 0) not null,
  credited_usd_micros numeric(38, 0) not null,
  fees_sats numeric(38, 0) not null,
  fees_usd_micros numeric(38, 0) not null,
  constraint one_day_per_customer primary key (customer_id, day)
) partition by range (day);

-- A month of both, before its first day is worked out. Attached, not created in place: readers of other months go on.
create function mining_open_month(p_day date) returns void language plpgsql as $$
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
create trigger receipts_are_written_once before update or delete or truncate on mining_contract_days
  for each statement execute function refuse_to_rewrite('receipts_are_written_once');
create trigger receipts_are_written_once before update or delete or truncate on mining_customer_days
  for each statement execute function refuse_to_rewrite('receipts_are_written_once');

-- What a correction changed: the second page of a receipt.
create table mining_contract_corrections (
  contract_id uuid not null references contracts,
  day date not null,
  payout_id uuid not null references mining_corrections,
  -- What the day's credit is with this correction, and what that changed.
  credit_sats numeric(38, 0) not null,
  change_sats numeric(38, 0) not null,
  primary key (contract_id, day, payout_id)
);
create table mining_customer_corrections (
  customer_id uuid not null references customers,
  day date not null,
  payout_id uuid not null references mining_corrections,
  change_sats numeric(38, 0) not null,
  -- Of what was to be taken back, what was no longer there.
  lost_sats numeric(38, 0) not null constraint losses_are_not_below_zero check (lost_sats >= 0),
  -- Of what moved the customer's balance, at the price of the day.
  usd_micros numeric(38, 0) not null,
  primary key (customer_id, day, payout_id)
);
create trigger corrections_are_written_once before update or delete or truncate on mining_contract_corrections
  for each statement execute function refuse_to_rewrite('corrections_are_written_once');
create trigger corrections_are_written_once before update or delete or truncate on mining_customer_corrections
  for each statement execute function refuse_to_rewrite('corrections_are_written_once');

-- Unpaid maintenance ---------------------------------------------------------------------------------------

create table maintenance_arrears (
  contract_id uuid not null references contracts,
  day date not null,
  customer_id uuid not null references customers,
  -- To settle the oldest contract first.
  bought_at timestamptz not null,
  fee_sats numeric(38, 0) not null constraint arrears_are_above_zero check (fee_sats > 0),
  usd_micros numeric(38, 0) not null,
  posted_at timestamptz not null,
  state text not null default 'open' constraint arrears_are_open_collected_or_lapsed check (state in ('open', 'collected', 'lapsed')),
  closed_at timestamptz,
  transfer_id uuid,
  primary key (contract_id, day),
  constraint closed_arrears_have_a_time check ((state = 'open') = (closed_at is null)),
  constraint collected_arrears_are_in_the_journal check ((state = 'collected') = (transfer_id is not null))
);
create index open_arrears on maintenance_arrears (customer_id, day, bought_at, contract_id) where state = 'open';
create index arrears_of_a_customer on maintenance_arrears (customer_id, day);
create index arrears_by_transfer on maintenance_arrears (transfer_id) where transfer_id is not null;

-- Runs from the moment that the oldest unpaid fee of a contract was posted.
create table maintenance_clocks (
  id uuid primary key,
  contract_id uuid not null references contracts,
  customer_id uuid not null references customers,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'running' constraint clocks_run_stop_or_expire check (state in ('running', 'stopped', 'expired')),
  ended_at timestamptz,
  -- How many of its three notices are written: at the start, after 24 and after 48 hours.
  notices smallint not null default 0 constraint clocks_have_three_notices check (notices between 0 and 3),
  constraint clocks_run_seventy_two_hours check (expires_at = started_at + interval '72 hours'),
  constraint ended_clocks_have_a_time check ((state = 'running') = (ended_at is null)),
  constraint clocks_expire_in_time check (state <> 'expired' or ended_at >= expires_at)
);
create unique index one_running_clock_per_contract on maintenance_clocks (contract_id) where state = 'running';
create index running_clocks on maintenance_clocks (expires_at) where state = 'running';
create index clocks_of_a_customer on maintenance_clocks (customer_id, started_at);

-- How a contract ended, and what became of the price of the days that it did not serve.
create table contract_endings (
  contract_id uuid primary key references contracts,
  customer_id uuid not null references customers,
  reason text not null constraint endings_are_listed check (reason in ('served', 'unpaid-maintenance')),
  ended_at timestamptz not null,
  -- Null: days of it are still to be worked out.
  served_days integer,
  refunded_units numeric(38, 0),
  forfeited_units numeric(38, 0),
  settled_at timestamptz,
  told_at timestamptz,
  constraint endings_are_settled_whole check (num_nulls(served_days, refunded_units, forfeited_units, settled_at) in (0, 4)),
  constraint endings_are_told_when_settled check (told_at is null or settled_at is not null)
);
create index endings_to_settle on contract_endings (contract_id) where settled_at is null;
create index endings_of_a_customer on contract_endings (customer_id);
create index endings_to_tell on contract_endings (contract_id) where settled_at is not null and told_at is null;

-- Inactivity -----------------------------------------------------------------------------------------------

create table inactivity_notices (
  id uuid primary key,
  customer_id uuid not null references customers,
  -- The last day with a contract; without any, the day of the first bitcoin.
  inactive_since date not null,
  noticed_at timestamptz not null,
  first_fee_day date not null,
  -- With a new contract it begins again.
  ended_at timestamptz,
  told_at timestamptz,
  constraint inactivity_is_told_seven_days_ahead
    check (first_fee_day >= (noticed_at at time zone 'UTC')::date + 7 and first_fee_day > inactive_since + 30)
);
create unique index one_open_inactivity_notice on inactivity_notices (customer_id) where ended_at is null;
create index inactivity_to_tell on inactivity_notices (id) where told_at is null;

create table inactivity_fees (
  customer_id uuid not null references customers,
  day date not null references mining_runs,
  notice_id uuid not null references inactivity_notices,
  balance_sats numeric(38, 0) not null,
  fee_sats numeric(38, 0) not null constraint inactivity_fees_are_above_zero check (fee_sats > 0),
  usd_micros numeric(38, 0) not null,
  -- Of all such fees so far.
  total_usd_micros numeric(38, 0) not null,
  primary key (customer_id, day),
  constraint inactivity_fees_follow_the_terms check (
    fee_sats = least(greatest(div(balance_sats * 137, 1000000), 685), balance_sats - 70000))
);
create trigger inactivity_fees_are_written_once before update or delete or truncate on inactivity_fees
  for each statement execute function refuse_to_rewrite('inactivity_fees_are_written_once');

-- Digests --------------------------------------------------------------------------------------------------

-- How often somebody wants to read what was credited; who is not here: every week.
create table digest_choices (
  customer_id uuid primary key references customers,
  every text not null constraint digests_are_listed check (every in ('off', 'day', 'week', 'month')),
  chosen_at timestamptz not null
);

-- How far the digests of a period are written, customer by customer.
create table digest_sweeps (
  every text not null constraint sweeps_are_listed check (every in ('day', 'week', 'month')),
  from_day date not null,
  through_day date not null,
  after_customer_id uuid not null default '00000000-0000-0000-0000-000000000000',
  done_at timestamptz,
  primary key (every, through_day)
);

-- The evidence ---------------------------------------------------------------------------------------------

-- The payouts that stand for a day: the last of each chain of corrections.
create function current_payouts(p_day date) returns setof pool_payouts
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p.* from pool_payouts p
   where p.day = p_day and p.state = 'recorded'
     and not exists (select from pool_payouts n where n.corrects = p.id and n.state = 'recorded')
$$;

-- The pools whose payout for a day is still missing.
create function missing_pools(p_day date) returns setof pools
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select o.* from pools o
   where p_day between o.counts_from and coalesce(o.counts_until, 'infinity')
     and not exists (select from current_payouts(p_day) p where p.pool_id = o.id)
$$;

-- The day that is worked out next: the one after the last, or the first that a pool counts from. Null: no pool counts.
create function next_mining_day() returns date
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select day + 1 from mining_runs order by day desc limit 1), (select min(counts_from) from pools))
$$;

-- The price that a day's fees and values are worked out with.
create function price_of_day(p_day date) returns market_prices
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p from (
    (select p, 1 as place from market_prices p
      where asset = 'BTC' and observed_at <= (p_day + 1)::timestamp at time zone 'UTC'
        and observed_at >= (p_day + 1)::timestamp at time zone 'UTC' - interval '10 minutes'
      order by observed_at desc limit 1)
    union all
    (select p, 2 from market_prices p
      where asset = 'BTC' and observed_at > (p_day + 1)::timestamp at time zone 'UTC'
      order by observed_at limit 1)) found (p, place)
   order by place limit 1
$$;

-- Who changes the evidence and who freezes it wait for each other.
create function lock_evidence() returns void language sql as $$
  select lock_fact('mining evidence')
$$;

create function check_payout_of_worked_day() returns trigger language plpgsql
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
create trigger worked_days_take_corrections_only before insert or update of state on pool_payouts
  for each row when (new.state = 'recorded') execute function check_payout_of_worked_day();

create function check_pool_of_worked_day() returns trigger language plpgsql
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
create trigger worked_days_keep_their_pools before insert or update of counts_until on pools
  for each row execute function check_pool_of_worked_day();

-- Also for the owner of the tables: what a run says of its evidence is what was recorded.
create function check_new_run() returns trigger language plpgsql as $$
begin
  if not exists (select from public.current_payouts(new.day)
                 having sum(units) = new.payout_sats and sum(delivered_ghs) = new.delivered_ghs)
     or exists (select from public.missing_pools(new.day))
     or new.carried_sats <> coalesce((select remainder_sats from public.mining_runs where day = new.day - 1), 0) then
    raise exception 'A run rests on the payouts that were recorded for its day.'
      using errcode = 'check_violation', constraint = 'runs_rest_on_evidence';
  end if;
  return new;
end
$$;
create trigger runs_rest_on_evidence before insert on mining_runs for each row execute function check_new_run();

create function check_changed_run() returns trigger language plpgsql as $$
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
create trigger runs_are_never_rewritten before update on mining_runs for each row execute function check_changed_run();
create trigger runs_are_kept before delete or truncate on mining_runs
  for each statement execute function refuse_to_rewrite('runs_are_kept');

-- The day, opened ------------------------------------------------------------------------------------------

-- Freezes what a day is worked out from, and lays out the chunks. False: that was done before. Takes the days in order.
create function mining_open_day(p_day date, p_at timestamptz, p_action uuid, p_chunk integer default 20000) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
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
  if exists (select from missing_pools(p_day)) or not exists (select from current_payouts(p_day)) then
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
  select sum(units), sum(delivered_ghs) into run.payout_sats, run.delivered_ghs from current_payouts(p_day);
  select coalesce((select remainder_sats from mining_runs where day = p_day - 1), 0) into run.carried_sats;
  create temporary table mining_customers_of_the_day on commit drop as
    select customer_id, count(*) as contracts, sum(ghs) as ghs, 0::bigint as chunk from contracts
     where starts_on <= p_day and (last_day is null or last_day >= p_day) group by customer_id;
  select coalesce(sum(ghs), 0), coalesce(sum(contracts), 0), count(*) into run.active_ghs, run.contracts, run.customers
    from mining_customers_of_the_day;
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
  select p_day, plan_version_id, maintenance_on(plan_version_id, p_day), count(*), sum(ghs) from contracts
   where starts_on <= p_day and (last_day is null or last_day >= p_day) group by plan_version_id;
  insert into mining_chunks (day, number, first_customer_id, last_customer_id)
  select p_day, row_number() over (order by nth), customers[1], customers[cardinality(customers)]
    from (select nth, array_agg(customer_id order by customer_id) as customers
            from (select customer_id, div(sum(contracts) over (order by customer_id) - 1, p_chunk) as nth
                    from mining_customers_of_the_day) each group by nth) chunks;
  drop table mining_customers_of_the_day;

  if run.carried_sats > 0 then
    perform mining_post_for_house('rounding-carry:' || p_day || ':in', 'rounding-carry', p_day, p_at,
      'What the day before could not divide',
      array[('pool_receivable', 'BTC', run.carried_sats), ('rounding', 'BTC', -run.carried_sats)]::ledger_leg[]);
  end if;
  return true;
end
$$;

-- One fact of the house, in the journal. The journal's own triggers check it.
create function mining_post_for_house(p_key text, p_kind text, p_day date, p_at timestamptz, p_memo text, p_legs ledger_leg[])
returns void language sql as $$
  insert into public.ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  values (uuidv7(), p_key, p_kind, '00000000-0000-0000-0000-000000000000', p_day, p_at, 'mining-run:' || iso_day(p_day), p_memo, p_legs)
$$;

-- The day, a chunk at a time -------------------------------------------------------------------------------

-- Works out the next chunk that nobody works at, and posts it: receipts, the customers' days, their transfers, what
-- stays unpaid. Returns its number; null: there is none to take. Any number of processes do it side by side.
create function mining_post_chunk(p_day date, p_at timestamptz) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  run mining_runs;
  chunk mining_chunks;
  owners uuid[];
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
  perform ledger_lock_customers(owners);

  -- Each customer is looked up by an index, and nothing is joined with itself: whatever the planner believes of tables
  -- that have just grown, the work grows with the rows.
  with worked as (
    select c.id, c.customer_id, c.bought_at, c.ghs, c.coin, w.credit, w.fee, customer.spendable,
           div(w.credit * run.btc_usd_e8, 10000000000) as credit_usd, div(w.fee * run.btc_usd_e8, 10000000000) as fee_usd,
           case when w.served = w.served_before then 0
                else div(c.units * w.served, c.term_days) - div(c.units * w.served_before, c.term_days) end as earned
      from (
        -- What is there for today's fees, after what is owed from before: all of that, or nothing of today.
        select o.id, (select a.balance from ledger_accounts a where a.owner_id = o.id and a.account = 'available' and a.asset = 'BTC')
                   - coalesce((select sum(d.fee_sats) from maintenance_arrears d where d.customer_id = o.id and d.state = 'open'), 0) as spendable
          from unnest(owners) o (id) offset 0) customer
     cross join lateral (
       select * from contracts c
        where c.customer_id = customer.id and c.starts_on <= p_day and (c.last_day is null or c.last_day >= p_day) offset 0) c
      left join mining_runs before on before.day = c.starts_on - 1
     cross join lateral (
       select div(run.distributable_sats * c.ghs, run.shared_ghs) as credit,
              div(c.ghs * 10000000 * (select plan.maintenance_usd_micros from mining_run_plans plan
                                       where plan.day = p_day and plan.plan_version_id = c.plan_version_id), run.btc_usd_e8) as fee,
              least(c.term_days, (run.cumulative_served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000) as served,
              least(c.term_days, (run.cumulative_served_ppm - run.served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000)
                as served_before offset 0) w
  ), today as materialized (
    -- The oldest contracts first, as far as it goes.
    select *, spendable + sum(credit) over (partition by customer_id)
              >= sum(fee) over (partition by customer_id order by bought_at, id) as is_paid
      from worked
  ), receipts as (
    insert into mining_contract_days (contract_id, day, customer_id, ghs, credit_sats, fee_sats, fee_paid, credited_sats,
      credited_usd_micros, fees_sats, fees_usd_micros)
    select today.id, p_day, today.customer_id, today.ghs, today.credit, today.fee, today.is_paid,
           coalesce(p.credited_sats, 0) + today.credit, coalesce(p.credited_usd_micros, 0) + today.credit_usd,
           coalesce(p.fees_sats, 0) + case when today.is_paid then today.fee else 0 end,
           coalesce(p.fees_usd_micros, 0) + case when today.is_paid then today.fee_usd else 0 end
      from today
      -- One look into the index for each, whatever the planner believes of a table that has just grown.
      left join lateral (select * from mining_contract_days p
                          where p.contract_id = today.id and p.day = p_day - 1 limit 1) p on true
     order by today.id
  ), sums as materialized (
    select customer_id, count(*)::integer as contracts, sum(ghs) as ghs, sum(credit) as credit, sum(credit_usd) as credit_usd,
           sum(fee) as fee, sum(case when is_paid then fee else 0 end) as paid, sum(case when is_paid then fee_usd else 0 end) as paid_usd
      from today group by customer_id order by customer_id
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
    select id, p_day, customer_id, bought_at, fee, fee_usd, p_at from today where not is_paid
  ), earned as (
    update mining_chunks set posted_at = p_at, fees_due_sats = t.due, fees_paid_sats = t.paid,
           earned_btc_units = t.btc, earned_eth_units = t.eth, earned_usdt_units = t.usdt
      from (select coalesce(sum(fee), 0) as due, coalesce(sum(fee) filter (where is_paid), 0) as paid,
                   coalesce(sum(earned) filter (where coin = 'BTC'), 0) as btc,
                   coalesce(sum(earned) filter (where coin = 'ETH'), 0) as eth,
                   coalesce(sum(earned) filter (where coin = 'USDT'), 0) as usdt from today) t
     where mining_chunks.id = chunk.id
  )
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select uuidv7(), t.kind || ':' || p_day || ':' || sums.customer_id, t.kind, sums.customer_id, p_day, p_at,
         'mining-run:' || p_day, t.memo, t.legs
    from sums
   cross join lateral (values
     (1, 'mining-credit', 'Mined on ' || p_day, sums.credit,
      array[('available', 'BTC', sums.credit), ('pool_receivable', 'BTC', -sums.credit)]::ledger_leg[]),
     (2, 'maintenance-fee', 'Maintenance of ' || p_day, sums.paid,
      array[('available', 'BTC', -sums.paid), ('maintenance_revenue', 'BTC', sums.paid)]::ledger_leg[])) t (place, kind, memo, sats, legs)
   where t.sats > 0
   order by sums.customer_id, t.place;

  if exists (select from maintenance_arrears
              where state = 'open' and customer_id between chunk.first_customer_id and chunk.last_customer_id) then
    perform mining_collect_from(owners, p_at);
  end if;
  return chunk.number;
end
$$;

-- Arrears and clocks ---------------------------------------------------------------------------------------

-- Takes what customers owe from before, oldest days first, as far as each balance goes, and sets their clocks. Whoever
-- calls holds the customers. Returns how many customers paid something.
create function mining_collect_from(p_customers uuid[], p_at timestamptz) returns integer
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

-- A clock runs from the moment that a contract's oldest unpaid fee was posted, and only while there is one.
create function mining_set_clocks(p_customers uuid[], p_at timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update maintenance_clocks k set state = 'stopped', ended_at = p_at
   where k.state = 'running' and k.customer_id = any (p_customers)
     and k.started_at is distinct from (select min(a.posted_at) from maintenance_arrears a
                                         where a.contract_id = k.contract_id and a.state = 'open');
  insert into maintenance_clocks (id, contract_id, customer_id, started_at, expires_at)
  select uuidv7(), a.contract_id, a.customer_id, min(a.posted_at), min(a.posted_at) + interval '72 hours'
    from maintenance_arrears a
    -- What was cancelled cannot be cancelled again: what it still owed lapses.
    join contracts c on c.id = a.contract_id and c.end_reason is distinct from 'unpaid-maintenance'
   where a.state = 'open' and a.customer_id = any (p_customers)
     and not exists (select from maintenance_clocks k where k.contract_id = a.contract_id and k.state = 'running')
   group by a.contract_id, a.customer_id;
end
$$;

-- Collects from customers whose balance covers the oldest of what they owe. Returns how many paid.
create function mining_collect_arrears(p_at timestamptz, p_limit integer default 1000) returns integer
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

-- Cancels the contracts whose clock ran out, unless their balance covers them at the last moment. The last day served
-- is the one before. Returns how many were cancelled.
create function mining_expire_clocks(p_at timestamptz, p_limit integer default 1000) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  today date := (p_at at time zone 'UTC')::date;
  -- Days up to here are worked out: whether a contract that runs on has come to its end is known.
  known_until date := (select max(day) from mining_runs where state = 'posted');
  owners uuid[];
  expired uuid[];
  cancelled integer;
begin
  select array_agg(distinct customer_id order by customer_id) into owners from (
    select customer_id from maintenance_clocks
     where state = 'running' and expires_at <= p_at order by expires_at limit p_limit) each;
  if owners is null then
    return 0;
  end if;
  perform ledger_lock_customers(owners);
  perform mining_collect_from(owners, p_at);

  select array_agg(k.contract_id) into expired from maintenance_clocks k join contracts c on c.id = k.contract_id
   where k.state = 'running' and k.expires_at <= p_at and k.customer_id = any (owners)
     and (c.last_day is not null or c.planned_last_day >= today - 1 or known_until >= today - 1);
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
  perform mining_settle_endings(p_at);
  return cancelled;
end
$$;

-- Gives back, or keeps, the price of the days that a cancelled contract did not serve, once all its days are worked out.
create function mining_settle_endings(p_at timestamptz) returns integer
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

create function mining_settle_for(p_customers uuid[], p_at timestamptz) returns integer
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

-- Inactivity -----------------------------------------------------------------------------------------------

-- Tells, seven days ahead, those who will pay for an account without a contract; ends what a new contract has ended.
create function mining_note_inactivity(p_day date, p_at timestamptz) returns void
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
      select a.owner_id as customer_id, coalesce(had.last_day, first.day) as since
        from ledger_accounts a
        join customers person on person.id = a.owner_id
        left join (select customer_id, max(last_day) as last_day, bool_or(last_day is null) as goes_on from contracts
                    where end_reason is distinct from 'given-back' group by customer_id) had on had.customer_id = a.owner_id
        left join lateral (
          select t.day from ledger_entries e join ledger_transfers t on t.number = e.transfer_number
           where had.customer_id is null and e.owner_id = a.owner_id and e.account = 'available' and e.asset = 'BTC'
             and e.account in ('available', 'held')
           order by e.transfer_number limit 1) first on true
       where a.account = 'available' and a.asset = 'BTC' and a.balance > 70000 and had.goes_on is not true
         and not exists (select from inactivity_notices n where n.customer_id = a.owner_id and n.ended_at is null)) each
   where each.since <= p_day - 23;
end
$$;

-- Takes a day's fee from accounts without a contract, from some of them: 0 when all have paid.
create function mining_charge_inactivity(p_day date, p_at timestamptz, p_limit integer default 5000) returns integer
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
     where n.ended_at is null and n.first_fee_day <= p_day and a.balance > 70000
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

create function mining_charge_for(p_customers uuid[], p_day date, p_at timestamptz) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare
  price numeric := (select btc_usd_e8 from mining_runs where day = p_day and state = 'posting');
  charged integer;
begin
  with fees as (
    insert into inactivity_fees (customer_id, day, notice_id, balance_sats, fee_sats, usd_micros, total_usd_micros)
    select n.customer_id, p_day, n.id, a.balance, w.fee, div(w.fee * price, 10000000000),
           div(w.fee * price, 10000000000) + coalesce((select f.total_usd_micros from inactivity_fees f
             where f.customer_id = n.customer_id order by f.day desc limit 1), 0)
      from inactivity_notices n
      join ledger_accounts a on a.owner_id = n.customer_id and a.account = 'available' and a.asset = 'BTC'
     cross join lateral (select least(greatest(div(a.balance * 137, 1000000), 685), a.balance - 70000) as fee) w
     where n.customer_id = any (p_customers) and n.ended_at is null and n.first_fee_day <= p_day and a.balance > 70000
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

-- The day, closed ------------------------------------------------------------------------------------------

-- Waits for chunks that others work at. True: all are posted.
create function mining_await_chunks(p_day date, p_correction uuid default null) returns boolean
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
create function mining_close_day(p_day date, p_at timestamptz) returns boolean
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

create function mining_earned_legs(p_btc numeric, p_eth numeric, p_usdt numeric) returns ledger_leg[]
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select array_agg((account, asset, units)::ledger_leg order by asset collate "C", account collate "C")
    from (select account, asset, sign * earned as units
            from (values ('BTC', p_btc), ('ETH', p_eth), ('USDT', p_usdt)) coins (asset, earned)
           cross join (values ('contract_prepaid', -1), ('contract_revenue', 1)) sides (account, sign)
           where earned > 0) legs
$$;

-- Contracts that were served less than sold run on: that hashrate is not for sale.
create function mining_owe_hashrate(p_day date) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  served bigint := (select cumulative_served_ppm from mining_runs where day = p_day);
begin
  perform lock_fleet();
  create temporary table mining_owed on commit drop as
    select planned_last_day, p_day + ceil((term_days * 1000000::numeric - so_far) / 1000000)::integer as last_day, sum(ghs) as ghs
      from (select c.planned_last_day, c.term_days, served - coalesce(b.cumulative_served_ppm, 0) as so_far, c.ghs
              from (select starts_on, planned_last_day, term_days, sum(ghs) as ghs from contracts
                     where last_day is null and starts_on <= p_day group by starts_on, planned_last_day, term_days) c
              left join mining_runs b on b.day = c.starts_on - 1) open
     group by 1, 2;
  delete from mining_owed where last_day <= planned_last_day;
  perform open_fleet_days(least(min(planned_last_day) + 1, p_day + 1), max(last_day)) from mining_owed having count(*) > 0;
  update fleet_days d set owed_ghs = coalesce(o.ghs, 0)
    from fleet_days same
    left join (select f.day, sum(m.ghs) as ghs from mining_owed m
                 join fleet_days f on f.day > m.planned_last_day and f.day <= m.last_day group by f.day) o on o.day = same.day
   where d.day = same.day and d.day > p_day and d.owed_ghs <> coalesce(o.ghs, 0);
  drop table mining_owed;
end
$$;

-- A payout that turned out to be another -------------------------------------------------------------------

-- Corrections of days that were given out, which nobody has worked out yet, in the order in which they were recorded.
create function corrections_to_post() returns table (payout_id uuid, day date)
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

create function mining_open_correction(p_payout uuid, p_at timestamptz) returns boolean
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

create function mining_correct_chunk(p_payout uuid, p_at timestamptz) returns integer
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

-- What is taken back comes from the customer as far as it is there, and the rest from the operator.
create function mining_correction_legs(p_change numeric, p_lost numeric) returns ledger_leg[] language sql immutable
set search_path = pg_catalog, public, pg_temp as $$
  select array_agg((account, 'BTC', units)::ledger_leg order by account collate "C")
    from (values ('available', p_change + p_lost), ('operator_equity', -p_lost), ('pool_receivable', -p_change)) legs (account, units)
   where units <> 0
$$;

create function mining_close_correction(p_payout uuid, p_at timestamptz) returns boolean
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

-- The journal takes nothing of mining that is not explained here ----------------------------------------------

create function explain_mining_transfers() returns trigger language plpgsql as $$
declare
  kinds constant text[] := '{mining-credit,maintenance-fee,inactivity-fee,contract-day,operator-share,rounding-carry,mining-correction,contract-refund,contract-forfeit}';
  first_day date;
  last_day date;
  unexplained text;
  credited record;
begin
  -- All that other postings pay for this.
  if not exists (select from new_transfers where kind = any (kinds) or reverses is not null) then
    return null;
  end if;
  select min(t.key) into unexplained
    from new_transfers t
   cross join lateral (select o.kind from public.ledger_transfers o where o.id = t.reverses limit 1) o
   where t.reverses is not null and o.kind = any (kinds);
  if unexplained is not null then
    raise exception 'What was mined is corrected by corrections of its evidence: %.', unexplained
      using errcode = 'check_violation', constraint = 'mining_is_not_reversed';
  end if;

  select min(day), max(day) into first_day, last_day from new_transfers where kind in ('mining-credit', 'maintenance-fee');
  -- Planned each time, with the days known: only their months are looked at.
  execute $check$
    select min(t.key)
      from new_transfers t
      left join lateral (select d.credit_sats, d.paid_fee_sats from public.mining_customer_days d
                          where d.customer_id = t.owner_id and d.day = t.day and d.day between $1 and $2 limit 1) d on true
     where t.kind in ('mining-credit', 'maintenance-fee') and left(t.key, 20) <> 'maintenance-arrears:'
       and (t.key = t.kind || ':' || t.day || ':' || t.owner_id
            and t.legs = case t.kind
              when 'mining-credit' then array[('available', 'BTC', d.credit_sats), ('pool_receivable', 'BTC', -d.credit_sats)]::public.ledger_leg[]
              else array[('available', 'BTC', -d.paid_fee_sats), ('maintenance_revenue', 'BTC', d.paid_fee_sats)]::public.ledger_leg[]
            end) is not true
  $check$ into unexplained using first_day, last_day;
  if unexplained is null then
    select min(t.key) into unexplained from new_transfers t
     where t.kind = any (kinds) and t.kind <> 'mining-credit' and (t.kind <> 'maintenance-fee' or left(t.key, 20) = 'maintenance-arrears:')
       and public.mining_explains(t.kind, t.id, t.key, t.owner_id, t.day, t.legs) is not true;
  end if;
  if unexplained is not null then
    raise exception 'No receipt explains %.', unexplained
      using errcode = 'check_violation', constraint = 'mining_transfers_are_explained';
  end if;

  for credited in
    select t.day, -sum(leg.units) as sats from new_transfers t cross join unnest(t.legs) leg
     where t.kind = 'mining-credit' and leg.account = 'pool_receivable' group by t.day order by t.day
  loop
    update public.mining_runs set credited_sats = credited_sats + credited.sats where day = credited.day;
  end loop;
  return null;
end
$$;

create function mining_explains(p_kind text, p_id uuid, p_key text, p_owner uuid, p_day date, p_legs ledger_leg[]) returns boolean
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

-- After transfers_are_posted, by its name: the run's row, which all chunks touch, is held for the shortest time.
create trigger what_is_mined_is_explained after insert on ledger_transfers
  referencing new table as new_transfers for each statement execute function explain_mining_transfers();

-- The journal, many at a time ---------------------------------------------------------------------------------
-- As in 0002, but for transfers that come by the thousand, which are now looked at as a set too and not one by one: a third of
-- the cost of a day. What is refused, and by which name, is the same.

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
  elsif not alone then
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

-- The application ------------------------------------------------------------------------------------------

revoke execute on function mining_settle_for, mining_charge_for, mining_open_month, mining_open_day, mining_post_for_house, mining_post_chunk, mining_collect_from,
  mining_set_clocks, mining_collect_arrears, mining_expire_clocks, mining_settle_endings, mining_note_inactivity,
  mining_charge_inactivity, mining_await_chunks, mining_close_day, mining_owe_hashrate, mining_open_correction,
  mining_correct_chunk, mining_close_correction, mining_explains from public;
grant execute on function mining_open_day, mining_post_chunk, mining_collect_arrears, mining_expire_clocks, mining_settle_endings,
  mining_note_inactivity, mining_charge_inactivity, mining_await_chunks, mining_close_day, mining_open_correction,
  mining_correct_chunk, mining_close_correction to assay_app;
grant select on mining_settings, mining_runs, mining_run_payouts, mining_run_plans, mining_corrections, mining_chunks,
  mining_contract_days, mining_customer_days, mining_contract_corrections, mining_customer_corrections, maintenance_arrears,
  maintenance_clocks, contract_endings, inactivity_notices, inactivity_fees, digest_choices, digest_sweeps to assay_app;
grant insert on mining_settings to assay_app;
grant update (notices) on maintenance_clocks to assay_app;
grant update (told_at) on contract_endings, inactivity_notices to assay_app;
grant insert, update, delete on digest_choices to assay_app;
grant insert, update on digest_sweeps to assay_app;
