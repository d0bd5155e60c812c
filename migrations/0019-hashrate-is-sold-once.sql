-- The fleet, what is offered of it, who bought how much of it, and what the pools paid for it. A day's sold hashrate
-- never exceeds what the machines can do on that day: overselling is a constraint violation, not a policy. A payout is
-- worth nothing without a transaction or the pool's own statement. Why it is like this: docs/decisions/0019.

-- Whether an act of staff, or a command on the server itself, was written down as this.
create function staff_did(p_action uuid, p_act text, p_subject text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from audit_log where id = p_action and act = p_act and subject = p_subject)
$$;

create function refuse_to_rewrite() returns trigger language plpgsql as $$
begin
  raise exception '% is written once.', tg_table_name using errcode = 'restrict_violation', constraint = tg_argv[0];
end
$$;

-- The journal's new words --------------------------------------------------------------------------------

insert into ledger_transfer_kinds (kind, debits, credits) values
  ('contract-refund',    '{contract_prepaid}',                         '{available}'),
  ('contract-forfeit',   '{contract_prepaid}',                         '{contract_revenue}'),
  -- What the operator's own machines earned beside those that customers rent.
  ('operator-share',     '{pool_receivable}',                          '{operator_equity}'),
  -- A payout turned out to be another: what each had too much goes back, as far as it is there, and the rest is the operator's loss.
  ('mining-correction',  '{available,operator_equity,pool_receivable}', '{available,operator_equity,pool_receivable}');

-- The fleet ----------------------------------------------------------------------------------------------

create table sites (
  id uuid primary key,
  name text not null constraint one_site_per_name unique
    constraint sites_are_named check (length(trim(name)) between 1 and 100),
  -- As customers read it: a town or region, and a country.
  place text not null constraint sites_are_somewhere check (length(trim(place)) between 1 and 200),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);

-- What a kilowatt hour costs at a site from a day on, and what says so.
create table site_energy_prices (
  number bigint generated always as identity primary key,
  site_id uuid not null references sites,
  effective_from date not null,
  usd_micros_per_kwh numeric(38, 0) not null constraint energy_costs_something check (usd_micros_per_kwh between 1 and 10000000),
  evidence text not null constraint energy_prices_name_their_source check (length(trim(evidence)) between 1 and 300),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);
create index site_energy_prices_by_site on site_energy_prices (site_id, effective_from desc, number desc);

create table machine_batches (
  id uuid primary key,
  site_id uuid not null references sites,
  model text not null constraint models_are_named check (length(trim(model)) between 1 and 100),
  -- Of one machine, as its maker says.
  nameplate_ghs numeric(38, 0) not null constraint nameplates_are_plausible check (nameplate_ghs between 1 and 10000000),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);
create index machine_batches_of_a_site on machine_batches (site_id);

-- How many machines of a batch run from a day on, and how fast they were measured. The last word on a day counts.
create table machine_batch_states (
  number bigint generated always as identity primary key,
  batch_id uuid not null references machine_batches,
  effective_from date not null,
  machines integer not null constraint machines_are_counted check (machines between 0 and 10000000),
  -- Of one machine, on average.
  measured_ghs numeric(38, 0) not null constraint measurements_are_plausible check (measured_ghs between 0 and 10000000),
  power_watts integer not null constraint machines_use_power check (power_watts between 1 and 1000000),
  evidence text not null constraint measurements_name_their_source check (length(trim(evidence)) between 1 and 300),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);
create index machine_batch_states_of_a_batch on machine_batch_states (batch_id, effective_from desc, number desc);

-- When something stood still, and why, in words for customers. What was delivered is what the pools say; this explains it.
create table outages (
  id uuid primary key,
  site_id uuid not null references sites,
  batch_id uuid references machine_batches,
  started_at timestamptz not null,
  ended_at timestamptz constraint outages_end_after_they_start check (ended_at >= started_at),
  lost_ghs numeric(38, 0) not null constraint outages_lose_something check (lost_ghs > 0),
  reason text not null constraint outages_have_a_reason check (length(trim(reason)) between 1 and 300),
  created_at timestamptz not null,
  action_id uuid not null references audit_log,
  end_action_id uuid references audit_log,
  constraint outages_are_ended_by_an_act check ((ended_at is null) = (end_action_id is null))
);
create index outages_newest_first on outages (started_at desc);

-- How much of the fleet is never sold, so that what downtime owes can be delivered. The last row counts.
create table fleet_reserves (
  number bigint generated always as identity primary key,
  reserve_ppm integer not null constraint reserves_are_a_part check (reserve_ppm between 0 and 1000000),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);

-- Every day that something can be sold for: what the machines can do, what is sold, and what is owed to contracts
-- that run on because of downtime. Written by PostgreSQL alone.
create table fleet_days (
  day date primary key,
  capacity_ghs numeric(38, 0) not null constraint capacity_is_not_below_zero check (capacity_ghs >= 0),
  sold_ghs numeric(38, 0) not null default 0 constraint sales_are_not_below_zero check (sold_ghs >= 0),
  owed_ghs numeric(38, 0) not null default 0 constraint debts_are_not_below_zero check (owed_ghs >= 0),
  constraint hashrate_is_sold_once check (sold_ghs <= capacity_ghs)
);

-- What the machines can do on a day: of each batch the last word for that day, and never more than its maker says.
create function fleet_capacity(p_day date) returns numeric
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(state.machines * least(state.measured_ghs, batch.nameplate_ghs)), 0)
    from machine_batches batch
   cross join lateral (
     select machines, measured_ghs from machine_batch_states
      where batch_id = batch.id and effective_from <= p_day
      order by effective_from desc, number desc limit 1) state
$$;

-- Everybody who changes what is sold, or what there is to sell, waits here for his turn.
create function lock_fleet() returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('fleet', 0))
$$;

-- Called under that lock: whoever changes the machines meanwhile would not see a day that is only being opened.
create function open_fleet_days(p_from date, p_until date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fleet();
  insert into fleet_days (day, capacity_ghs)
  select day::date, fleet_capacity(day::date)
    from generate_series(p_from, p_until, interval '1 day') day
   where not exists (select from fleet_days d where d.day = day.day::date)
  on conflict do nothing;
end
$$;
revoke execute on function open_fleet_days from public;

-- What machines are said to do moves the capacity of every day from then on. Taking away what is sold is refused: an
-- outage is recorded as an outage, and contracts run on for it.
create function move_fleet_capacity() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fleet();
  update fleet_days set capacity_ghs = fleet_capacity(day) where day >= new.effective_from;
  return null;
end
$$;
create trigger batches_move_the_capacity after insert on machine_batch_states
  for each row execute function move_fleet_capacity();

-- An outage is noted once and ended once.
create function check_changed_outage() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null
     or (to_jsonb(new) - '{ended_at,end_action_id}'::text[]) is distinct from (to_jsonb(old) - '{ended_at,end_action_id}'::text[]) then
    raise exception 'An outage is noted once, and ended once.'
      using errcode = 'check_violation', constraint = 'outages_end_once';
  end if;
  return new;
end
$$;
create trigger outages_end_once before update on outages for each row execute function check_changed_outage();
create trigger outages_are_kept before delete or truncate on outages for each statement execute function refuse_to_rewrite('outages_are_kept');
create trigger batches_are_kept before update or delete or truncate on machine_batches
  for each statement execute function refuse_to_rewrite('batches_are_kept');
create trigger sites_are_kept before delete or truncate on sites for each statement execute function refuse_to_rewrite('sites_are_kept');
create trigger energy_prices_are_written_once before update or delete or truncate on site_energy_prices
  for each statement execute function refuse_to_rewrite('energy_prices_are_written_once');
create trigger batch_states_are_written_once before update or delete or truncate on machine_batch_states
  for each statement execute function refuse_to_rewrite('batch_states_are_written_once');
create trigger reserves_are_written_once before update or delete or truncate on fleet_reserves
  for each statement execute function refuse_to_rewrite('reserves_are_written_once');

-- Plans --------------------------------------------------------------------------------------------------

create table plans (
  id uuid primary key,
  slug text collate "C" not null constraint one_plan_per_slug unique
    constraint slugs_are_plain check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);

-- A plan changes by a new version; contracts keep the one that they were bought under. There is no column for a yield.
create table plan_versions (
  id uuid primary key,
  plan_id uuid not null references plans,
  version integer not null constraint versions_count_from_one check (version >= 1),
  name text not null constraint plans_are_named check (length(trim(name)) between 1 and 100),
  -- Of one unit.
  unit_ghs numeric(38, 0) not null constraint units_are_plausible check (unit_ghs between 1 and 1000000000),
  term_days integer not null constraint terms_are_plausible check (term_days between 1 and 1825),
  most_units integer not null constraint purchases_have_a_limit check (most_units between 1 and 100000),
  -- The most of the fleet that runs under this plan at a time; null: whatever is free.
  offered_ghs numeric(38, 0) constraint offers_are_above_zero check (offered_ghs > 0),
  -- Of one unit for the whole term, and what it is made of.
  price_usd_cents numeric(38, 0) not null constraint prices_of_plans_are_plausible check (price_usd_cents between 1 and 1000000000),
  machines_usd_cents numeric(38, 0) not null constraint machines_are_not_below_zero check (machines_usd_cents >= 0),
  setup_usd_cents numeric(38, 0) not null constraint setup_is_not_below_zero check (setup_usd_cents >= 0),
  margin_usd_cents numeric(38, 0) not null,
  -- Of one TH/s for one day in millionths of a dollar, and what it is made of.
  maintenance_usd_micros numeric(38, 0) not null constraint maintenance_is_plausible check (maintenance_usd_micros between 0 and 10000000),
  energy_usd_micros numeric(38, 0) not null constraint energy_is_not_below_zero check (energy_usd_micros >= 0),
  operation_usd_micros numeric(38, 0) not null constraint operation_is_not_below_zero check (operation_usd_micros >= 0),
  maintenance_margin_usd_micros numeric(38, 0) not null,
  -- What happens with the price of days not served when a contract is cancelled for unpaid maintenance.
  termination text not null constraint terminations_are_listed check (termination in ('refund-unserved', 'forfeit')),
  state text not null default 'draft' constraint versions_are_drafts_published_or_retired check (state in ('draft', 'published', 'retired')),
  created_at timestamptz not null,
  created_action_id uuid not null references audit_log,
  published_at timestamptz,
  published_action_id uuid references audit_log,
  retired_at timestamptz,
  retired_action_id uuid references audit_log,
  constraint one_version_per_number unique (plan_id, version),
  constraint prices_are_the_sum_of_their_parts check (price_usd_cents = machines_usd_cents + setup_usd_cents + margin_usd_cents),
  constraint maintenance_is_the_sum_of_its_parts
    check (maintenance_usd_micros = energy_usd_micros + operation_usd_micros + maintenance_margin_usd_micros),
  constraint publishing_is_an_act check ((state = 'draft') = (published_at is null) and (published_at is null) = (published_action_id is null)),
  constraint retiring_is_an_act check ((state = 'retired') = (retired_at is not null) and (retired_at is null) = (retired_action_id is null))
);
create unique index one_published_version_per_plan on plan_versions (plan_id) where state = 'published';

create function check_changed_plan_version() returns trigger language plpgsql as $$
declare
  publisher uuid;
begin
  if (to_jsonb(new) - '{state,published_at,published_action_id,retired_at,retired_action_id}'::text[])
     is distinct from (to_jsonb(old) - '{state,published_at,published_action_id,retired_at,retired_action_id}'::text[])
     and old.state <> 'draft' then
    raise exception 'A published plan changes by a new version.'
      using errcode = 'check_violation', constraint = 'published_plans_are_never_rewritten';
  end if;
  if (old.state, new.state) not in (('draft', 'draft'), ('draft', 'published'), ('published', 'published'),
                                    ('published', 'retired'), ('retired', 'retired'))
     or old.plan_id <> new.plan_id or old.version <> new.version
     or old.published_at is not null and (new.published_at, new.published_action_id) is distinct from (old.published_at, old.published_action_id)
     or old.retired_at is not null and (new.retired_at, new.retired_action_id) is distinct from (old.retired_at, old.retired_action_id) then
    raise exception 'A plan is drafted, published, retired, in this order.'
      using errcode = 'check_violation', constraint = 'plans_go_one_way';
  end if;
  if old.state <> new.state
     and not public.staff_did(case new.state when 'published' then new.published_action_id else new.retired_action_id end,
                              case new.state when 'published' then 'plans/publish' else 'plans/retire' end,
                              'plan-version:' || new.id) then
    -- A version that another takes the place of is retired by the act that published the other.
    if not (new.state = 'retired' and exists (
         select from public.audit_log a join public.plan_versions next on a.subject = 'plan-version:' || next.id
          where a.id = new.retired_action_id and a.act = 'plans/publish' and next.plan_id = new.plan_id)) then
      raise exception 'Plans are published and retired by staff acts on them.'
        using errcode = 'check_violation', constraint = 'plans_are_published_by_staff_acts';
    end if;
  end if;
  if old.state = 'draft' and new.state = 'published' then
    select operator_id into publisher from public.audit_log where id = new.published_action_id;
    if public.another_person_decides(publisher) and publisher = (
         select operator_id from public.audit_log
          where act = 'plans/draft' and subject = 'plan-version:' || new.id order by position desc limit 1) then
      raise exception 'A plan is published by another person than who wrote it last.'
        using errcode = 'check_violation', constraint = 'plans_are_published_by_another_person';
    end if;
  end if;
  return new;
end
$$;
create trigger published_plans_are_never_rewritten before update on plan_versions
  for each row execute function check_changed_plan_version();
create function check_new_plan_version() returns trigger language plpgsql as $$
begin
  if new.state <> 'draft' then
    raise exception 'A plan begins as a draft.' using errcode = 'check_violation', constraint = 'plans_begin_as_drafts';
  end if;
  return new;
end
$$;
create trigger plans_begin_as_drafts before insert on plan_versions for each row execute function check_new_plan_version();
create trigger plans_are_kept before update or delete or truncate on plans
  for each statement execute function refuse_to_rewrite('plans_are_kept');
create trigger plan_versions_are_kept before delete or truncate on plan_versions
  for each statement execute function refuse_to_rewrite('plan_versions_are_kept');

-- Contracts ----------------------------------------------------------------------------------------------

-- A firm price for some seconds.
create table contract_quotes (
  id uuid primary key,
  customer_id uuid not null references customers,
  plan_version_id uuid not null references plan_versions,
  quantity integer not null constraint quotes_are_for_some_units check (quantity between 1 and 100000),
  usd_cents numeric(38, 0) not null constraint quotes_cost_something check (usd_cents > 0),
  coin ledger_asset not null,
  units numeric(38, 0) not null constraint quotes_ask_for_coins check (units > 0),
  price_id uuid not null references market_prices,
  quoted_at timestamptz not null,
  expires_at timestamptz not null,
  constraint quotes_stand_for_thirty_seconds check (expires_at = quoted_at + interval '30 seconds')
);
create index contract_quotes_of_a_customer on contract_quotes (customer_id, quoted_at desc);

create table contracts (
  id uuid primary key,
  customer_id uuid not null references customers,
  plan_version_id uuid not null references plan_versions,
  quote_id uuid not null references contract_quotes constraint one_contract_per_quote unique,
  quantity integer not null,
  ghs numeric(38, 0) not null constraint contracts_have_hashrate check (ghs > 0),
  term_days integer not null,
  usd_cents numeric(38, 0) not null,
  coin ledger_asset not null,
  units numeric(38, 0) not null,
  transfer_id uuid not null references ledger_transfers (id) constraint one_contract_per_transfer unique,
  terms_version text not null,
  terms_sha256 bytea not null constraint terms_are_known_by_their_sha256 check (length(terms_sha256) = 32),
  bought_at timestamptz not null,
  -- Until when it can be given back; null: only a first purchase can.
  cooling_off_until timestamptz,
  -- The UTC days that it was sold for. Downtime makes it run on.
  starts_on date not null,
  planned_last_day date not null,
  -- The last UTC day served, once that is known; the day before the first when none was.
  last_day date,
  end_reason text constraint ends_are_listed check (end_reason in ('served', 'unpaid-maintenance', 'given-back')),
  ended_at timestamptz,
  constraint terms_are_counted_in_days check (planned_last_day = starts_on + term_days - 1),
  constraint contracts_start_after_they_are_bought check (starts_on > (bought_at at time zone 'UTC')::date),
  constraint cooling_off_ends_before_the_start
    check (cooling_off_until is null or cooling_off_until <= starts_on::timestamp at time zone 'UTC'),
  constraint ends_have_a_reason_and_a_time
    check ((last_day is null) = (end_reason is null) and (last_day is null) = (ended_at is null)),
  constraint ends_follow_starts check (last_day >= starts_on - 1),
  constraint only_what_has_not_started_is_given_back check ((end_reason = 'given-back') <= (last_day = starts_on - 1 and ended_at <= cooling_off_until)),
  constraint what_is_served_runs_its_term check ((end_reason = 'served') <= (last_day >= planned_last_day))
);
create index contracts_newest_first on contracts (customer_id, bought_at desc, id desc);
create index contracts_that_may_end on contracts (planned_last_day) where last_day is null;
create index contracts_of_a_plan on contracts (plan_version_id);

create function check_new_contract() returns trigger language plpgsql as $$
begin
  if not exists (
       select from public.contract_quotes q join public.plan_versions v on v.id = q.plan_version_id
        where q.id = new.quote_id
          and (q.customer_id, q.plan_version_id, q.quantity, q.usd_cents, q.coin, q.units)
            = (new.customer_id, new.plan_version_id, new.quantity, new.usd_cents, new.coin, new.units)
          and new.ghs = v.unit_ghs * q.quantity and new.term_days = v.term_days
          and new.bought_at between q.quoted_at and q.expires_at and v.state = 'published') then
    raise exception 'A contract is what was quoted, while the quote stands and the plan is offered.'
      using errcode = 'check_violation', constraint = 'contracts_are_what_was_quoted';
  end if;
  if new.last_day is not null then
    raise exception 'A contract begins without an end.' using errcode = 'check_violation', constraint = 'contracts_begin_open';
  end if;
  if not exists (
       select from public.ledger_transfers t
        where t.id = new.transfer_id and t.key = 'contract-purchase:' || new.id and t.kind = 'contract-purchase'
          and t.owner_id = new.customer_id
          and exists (select from unnest(t.legs) leg
                       where leg.account = 'available' and leg.asset = new.coin and leg.units = -new.units)) then
    raise exception 'A contract is paid by its own transfer.'
      using errcode = 'check_violation', constraint = 'contracts_are_paid';
  end if;
  return new;
end
$$;
create trigger contracts_are_what_was_quoted before insert on contracts for each row execute function check_new_contract();
create trigger closed_accounts_buy_nothing before insert on contracts
  for each row execute function refuse_what_is_of_the_closed('customer_id', 'closed_accounts_buy_nothing');

-- Sold hashrate follows the contracts, in the statement that changes them.
create function sell_hashrate() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  reserve_ppm integer;
  full_day date;
begin
  perform lock_fleet();
  reserve_ppm := coalesce((select r.reserve_ppm from fleet_reserves r order by number desc limit 1), 0);
  perform open_fleet_days(min(starts_on), max(planned_last_day)) from new_contracts having count(*) > 0;
  with sold as (
    select starts_on, planned_last_day, sum(ghs) as ghs from new_contracts group by starts_on, planned_last_day
  ), per_day as (
    select d.day, sum(sold.ghs) as ghs from sold join fleet_days d on d.day between sold.starts_on and sold.planned_last_day
     group by d.day
  )
  update fleet_days d set sold_ghs = d.sold_ghs + per_day.ghs from per_day where d.day = per_day.day;
  select min(d.day) into full_day from fleet_days d
   where d.day between (select min(starts_on) from new_contracts) and (select max(planned_last_day) from new_contracts)
     and d.sold_ghs + d.owed_ghs > d.capacity_ghs - trunc(d.capacity_ghs * reserve_ppm / 1000000)
     and exists (select from new_contracts n where d.day between n.starts_on and n.planned_last_day);
  if full_day is not null then
    raise exception 'There is not enough hashrate left on %.', full_day
      using errcode = 'check_violation', constraint = 'hashrate_is_sold_once';
  end if;
  insert into sold_hashrate as known (plan_version_id, ghs, contracts)
  select plan_version_id, sum(ghs), count(*) from new_contracts group by plan_version_id order by plan_version_id
      on conflict (plan_version_id) do update set ghs = known.ghs + excluded.ghs, contracts = known.contracts + excluded.contracts;
  if exists (
       select from plan_versions v join sold_hashrate s on s.plan_version_id = v.id
        where v.id in (select plan_version_id from new_contracts) and v.offered_ghs is not null and v.offered_ghs < s.ghs) then
    raise exception 'A plan is not sold beyond what it offers.'
      using errcode = 'check_violation', constraint = 'plans_are_sold_as_far_as_offered';
  end if;
  return null;
end
$$;
create trigger hashrate_is_sold_once after insert on contracts
  referencing new table as new_contracts for each statement execute function sell_hashrate();

create function check_changed_contract() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{last_day,end_reason,ended_at}'::text[]) is distinct from (to_jsonb(old) - '{last_day,end_reason,ended_at}'::text[])
     or old.last_day is not null and new is distinct from old then
    raise exception 'A contract is never rewritten, and ends once.'
      using errcode = 'check_violation', constraint = 'contracts_are_never_rewritten';
  end if;
  return new;
end
$$;
create trigger contracts_are_never_rewritten before update on contracts for each row execute function check_changed_contract();

-- What ends runs no longer under its version, and what ends early is free again from the next day on.
create function free_hashrate() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from changed_contracts n join former_contracts o on o.id = n.id where o.last_day is null and n.last_day is not null) then
    return null;
  end if;
  perform lock_fleet();
  update sold_hashrate s set ghs = s.ghs - ended.ghs, contracts = s.contracts - ended.contracts
    from (select n.plan_version_id, sum(n.ghs) as ghs, count(*) as contracts from changed_contracts n join former_contracts o on o.id = n.id
           where o.last_day is null and n.last_day is not null group by n.plan_version_id) ended
   where s.plan_version_id = ended.plan_version_id;
  with freed as (
    select n.last_day, n.planned_last_day, sum(n.ghs) as ghs
      from changed_contracts n join former_contracts o on o.id = n.id
     where o.last_day is null and n.last_day < n.planned_last_day
     group by n.last_day, n.planned_last_day
  ), per_day as (
    select d.day, sum(freed.ghs) as ghs from freed
      join fleet_days d on d.day > freed.last_day and d.day <= freed.planned_last_day
     group by d.day
  )
  update fleet_days d set sold_ghs = d.sold_ghs - per_day.ghs from per_day where d.day = per_day.day;
  return null;
end
$$;
create trigger what_ends_early_is_free_again after update on contracts
  referencing new table as changed_contracts old table as former_contracts for each statement execute function free_hashrate();
create trigger contracts_are_kept before delete or truncate on contracts
  for each statement execute function refuse_to_rewrite('contracts_are_kept');

-- What the maintenance of a version costs from a day on. Whoever runs it is told, at least seven days ahead.
create table maintenance_changes (
  id uuid primary key,
  plan_version_id uuid not null references plan_versions,
  effective_from date not null,
  usd_micros numeric(38, 0) not null constraint changed_maintenance_is_plausible check (usd_micros between 0 and 10000000),
  reason text not null constraint changes_have_a_reason check (length(trim(reason)) between 1 and 500),
  announced_at timestamptz not null,
  action_id uuid not null references audit_log,
  -- Taken back before it came into force.
  withdrawn_at timestamptz,
  withdrawn_action_id uuid references audit_log,
  constraint changes_are_announced_seven_days_ahead
    check (effective_from::timestamp at time zone 'UTC' >= announced_at + interval '7 days'),
  constraint changes_are_taken_back_in_time
    check (withdrawn_at is null or withdrawn_at < effective_from::timestamp at time zone 'UTC'),
  constraint taking_back_is_an_act check ((withdrawn_at is null) = (withdrawn_action_id is null))
);
create unique index one_change_per_version_and_day on maintenance_changes (plan_version_id, effective_from) where withdrawn_at is null;
create function check_changed_maintenance() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null
     or (to_jsonb(new) - '{withdrawn_at,withdrawn_action_id}'::text[]) is distinct from (to_jsonb(old) - '{withdrawn_at,withdrawn_action_id}'::text[]) then
    raise exception 'An announced change is only ever taken back.'
      using errcode = 'check_violation', constraint = 'announced_changes_are_never_rewritten';
  end if;
  return new;
end
$$;
create trigger announced_changes_are_never_rewritten before update on maintenance_changes
  for each row execute function check_changed_maintenance();

-- What one TH/s costs a day under a version, in millionths of a dollar.
create function maintenance_on(p_version uuid, p_day date) returns numeric
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(
    (select usd_micros from maintenance_changes
      where plan_version_id = p_version and effective_from <= p_day and withdrawn_at is null
      order by effective_from desc limit 1),
    (select maintenance_usd_micros from plan_versions where id = p_version))
$$;

-- Payouts ------------------------------------------------------------------------------------------------

create table pools (
  id uuid primary key,
  name text not null constraint one_pool_per_name unique constraint pools_are_named check (length(trim(name)) between 1 and 100),
  format text not null constraint formats_are_listed check (format in ('braiins', 'f2pool', 'luxor', 'other')),
  -- The first day whose evidence is incomplete without a payout of this pool, and the last.
  counts_from date not null,
  counts_until date constraint pools_stop_after_they_start check (counts_until >= counts_from - 1),
  created_at timestamptz not null,
  action_id uuid not null references audit_log,
  stopped_action_id uuid references audit_log,
  constraint stopping_a_pool_is_an_act check ((counts_until is null) = (stopped_action_id is null))
);
create function check_changed_pool() returns trigger language plpgsql as $$
begin
  if old.counts_until is not null
     or (to_jsonb(new) - '{counts_until,stopped_action_id}'::text[]) is distinct from (to_jsonb(old) - '{counts_until,stopped_action_id}'::text[])
     or not public.staff_did(new.stopped_action_id, 'payouts/stop-pool', 'pool:' || new.id)
     or exists (select from public.pool_payouts p where p.pool_id = new.id and p.day > new.counts_until and p.state <> 'refused') then
    raise exception 'A pool is stopped once, by a staff act, after the last day it paid for.'
      using errcode = 'check_violation', constraint = 'pools_stop_once';
  end if;
  return new;
end
$$;
create trigger pools_stop_once before update on pools for each row execute function check_changed_pool();
create trigger pools_are_kept before delete or truncate on pools for each statement execute function refuse_to_rewrite('pools_are_kept');

-- What a pool said, byte for byte.
create table pool_statements (
  id uuid primary key,
  pool_id uuid not null references pools,
  source text not null constraint statements_are_files_or_answers check (source in ('file', 'api')),
  name text not null constraint statements_are_named check (length(name) between 1 and 200),
  content bytea not null constraint statements_are_short check (length(content) between 1 and 2097152),
  sha256 bytea not null,
  received_at timestamptz not null,
  action_id uuid references audit_log,
  constraint statements_are_known_by_their_sha256 check (sha256 = sha256(content)),
  constraint files_are_brought_by_staff check ((source = 'file') = (action_id is not null)),
  constraint one_statement_per_content unique (pool_id, sha256),
  constraint statements_keep_their_pool unique (id, pool_id)
);
create trigger statements_are_written_once before update or delete or truncate on pool_statements
  for each statement execute function refuse_to_rewrite('statements_are_written_once');

-- How the worker gets on with a pool that it asks by itself. What the pool says otherwise now than what is recorded
-- stands in differences, for staff to look at: nothing recorded changes by itself.
create table pool_pulls (
  pool_id uuid primary key references pools,
  asked_at timestamptz not null,
  succeeded_at timestamptz,
  failures integer not null default 0 constraint failures_are_counted check (failures >= 0),
  last_failure text,
  ask_again_at timestamptz not null,
  differences jsonb not null default '[]' constraint differences_are_a_list check (jsonb_typeof(differences) = 'array')
);

-- The amount above which two people are needed. The last row counts; none: 1 BTC.
create table payout_limits (
  number bigint generated always as identity primary key,
  second_person_above_sats numeric(38, 0) not null constraint limits_are_not_below_zero check (second_person_above_sats >= 0),
  created_at timestamptz not null,
  action_id uuid not null references audit_log
);
create trigger payout_limits_are_written_once before update or delete or truncate on payout_limits
  for each statement execute function refuse_to_rewrite('payout_limits_are_written_once');
create function payout_needs_two_people(p_units numeric) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p_units > coalesce((select second_person_above_sats from payout_limits order by number desc limit 1), 100000000)
$$;

-- What a pool paid for a day, and how much hashrate it saw.
create table pool_payouts (
  id uuid primary key,
  pool_id uuid not null references pools,
  day date not null,
  units numeric(38, 0) not null constraint payouts_are_not_below_zero check (units between 0 and 2100000000000000),
  delivered_ghs numeric(38, 0) not null constraint delivered_hashrate_is_plausible check (delivered_ghs between 0 and 1000000000000000),
  txid text collate "C" constraint txids_of_payouts_are_bitcoins check (txid ~ '^[0-9a-f]{64}$'),
  statement_id uuid,
  -- Null: the first word for this day.
  corrects uuid references pool_payouts,
  correction_reason text constraint corrections_have_a_reason check (length(trim(correction_reason)) between 1 and 500),
  state text not null constraint payouts_are_proposed_recorded_or_refused check (state in ('proposed', 'recorded', 'refused')),
  proposed_at timestamptz not null,
  -- Null: the worker read it from the pool.
  proposal_action_id uuid references audit_log,
  decided_at timestamptz,
  -- When it was recorded by PostgreSQL's own clock, which no caller sets.
  recorded_at timestamptz,
  decision_action_id uuid references audit_log,
  refusal_reason text constraint refusals_have_words check (length(trim(refusal_reason)) between 1 and 500),
  transfer_id uuid references ledger_transfers (id) constraint one_payout_per_transfer unique,
  constraint statements_are_of_the_same_pool foreign key (statement_id, pool_id) references pool_statements (id, pool_id),
  constraint payouts_rest_on_evidence check (txid is not null or statement_id is not null),
  constraint payouts_are_of_days_that_are_over check (day < (proposed_at at time zone 'UTC')::date),
  constraint corrections_say_why check ((corrects is null) = (correction_reason is null)),
  constraint decisions_have_a_time check ((state = 'proposed') = (decided_at is null)),
  constraint recorded_payouts_have_a_time_of_the_clock check ((state = 'recorded') = (recorded_at is not null)),
  constraint refusals_say_why check ((state = 'refused') = (refusal_reason is not null)),
  constraint recorded_payouts_are_in_the_journal check ((transfer_id is not null) = (state = 'recorded' and units > 0))
);
-- A correction takes the place of what it corrects; a refused word is none.
create unique index one_first_payout_per_pool_and_day on pool_payouts (pool_id, day) where corrects is null and state <> 'refused';
create unique index one_correction_per_payout on pool_payouts (corrects) where state <> 'refused';
create index pool_payouts_by_day on pool_payouts (day, pool_id);
create index pool_payouts_by_transaction on pool_payouts (txid) where txid is not null;
create index pool_payouts_that_wait on pool_payouts (proposed_at) where state = 'proposed';

create function check_pool_payout() returns trigger language plpgsql as $$
declare
  proposer uuid;
  decider uuid;
begin
  if tg_op = 'UPDATE' and (old.state <> 'proposed'
     or (to_jsonb(new) - '{state,decided_at,decision_action_id,refusal_reason,transfer_id,proposal_action_id}'::text[])
        is distinct from (to_jsonb(old) - '{state,decided_at,decision_action_id,refusal_reason,transfer_id,proposal_action_id}'::text[])
     or old.proposal_action_id is not null and new.proposal_action_id is distinct from old.proposal_action_id) then
    raise exception 'A payout is decided once, and corrected by another.'
      using errcode = 'check_violation', constraint = 'payouts_are_never_rewritten';
  end if;
  if new.corrects is not null and not exists (
       select from public.pool_payouts o where o.id = new.corrects and o.pool_id = new.pool_id and o.day = new.day and o.state = 'recorded') then
    raise exception 'A correction corrects what is recorded for the same pool and day.'
      using errcode = 'check_violation', constraint = 'corrections_are_of_recorded_payouts';
  end if;
  if tg_op = 'INSERT' and not exists (
       select from public.pools p where p.id = new.pool_id and new.day between p.counts_from and coalesce(p.counts_until, 'infinity')) then
    raise exception 'A pool pays for days on which it counts.'
      using errcode = 'check_violation', constraint = 'pools_pay_for_days_that_count';
  end if;
  -- One transaction may pay for several days of a pool, never for two pools.
  if tg_op = 'INSERT' and new.txid is not null then
    perform pg_advisory_xact_lock(hashtextextended(new.txid, 0));
    if exists (select from public.pool_payouts p where p.txid = new.txid and p.pool_id <> new.pool_id and p.state <> 'refused') then
      raise exception 'This transaction is another pool''s payout.'
        using errcode = 'unique_violation', constraint = 'transactions_pay_for_one_pool';
    end if;
  end if;
  if new.proposal_action_id is null and not exists (
       select from public.pool_statements s where s.id = new.statement_id and s.source = 'api') then
    raise exception 'What nobody entered was read from the pool itself.'
      using errcode = 'check_violation', constraint = 'payouts_have_a_source';
  end if;
  if new.state <> 'recorded' then
    if new.state = 'refused' and not public.staff_did(new.decision_action_id, 'payouts/refuse', 'payout:' || new.id) then
      raise exception 'Payouts are refused by staff acts on them.'
        using errcode = 'check_violation', constraint = 'payouts_are_refused_by_staff_acts';
    end if;
    return new;
  end if;
  if public.payout_needs_two_people(new.units) or new.corrects is not null then
    select operator_id into proposer from public.audit_log where id = new.proposal_action_id;
    select operator_id into decider from public.audit_log
     where id = new.decision_action_id and act = 'payouts/confirm' and subject = 'payout:' || new.id;
    if proposer is null or decider is null or proposer = decider then
      raise exception 'Two people stand for this payout.'
        using errcode = 'check_violation', constraint = 'large_payouts_need_two_people';
    end if;
  end if;
  if new.units > 0 and not exists (
       select from public.ledger_transfers t
        where t.id = new.transfer_id and t.key = 'pool-payout:' || new.id and t.kind = 'pool-payout'
          and exists (select from unnest(t.legs) leg
                       where leg.account = 'pool_receivable' and leg.asset = 'BTC' and leg.units = new.units)) then
    raise exception 'A recorded payout is in the journal, to the satoshi.'
      using errcode = 'check_violation', constraint = 'payouts_are_posted';
  end if;
  return new;
end
$$;
create trigger payouts_are_never_rewritten before insert or update on pool_payouts
  for each row execute function check_pool_payout();
create trigger payouts_are_kept before delete or truncate on pool_payouts
  for each statement execute function refuse_to_rewrite('payouts_are_kept');

-- The other way round: the journal takes no pool payout that no evidence stands behind.
create function check_payout_evidence() returns trigger language plpgsql as $$
begin
  if not exists (select from public.pool_payouts p where p.transfer_id = new.id and p.state = 'recorded') then
    raise exception 'Only evidence can fund the pool''s account.'
      using errcode = 'check_violation', constraint = 'only_evidence_funds_pool_receivable';
  end if;
  return null;
end
$$;
create constraint trigger only_evidence_funds_pool_receivable after insert on ledger_transfers
  deferrable initially deferred for each row when (new.kind = 'pool-payout') execute function check_payout_evidence();

-- A payout leaves the pool's account backwards only when another one takes its place.
create function check_payout_reversal() returns trigger language plpgsql as $$
begin
  if exists (select from public.ledger_transfers t where t.id = new.reverses and t.kind = 'pool-payout')
     and not exists (
       select from public.pool_payouts p join public.pool_payouts correction on correction.corrects = p.id and correction.state = 'recorded'
        where p.transfer_id = new.reverses) then
    raise exception 'A payout is taken back by its correction.'
      using errcode = 'check_violation', constraint = 'payouts_are_reversed_by_corrections';
  end if;
  return null;
end
$$;
create constraint trigger payouts_are_reversed_by_corrections after insert on ledger_transfers
  deferrable initially deferred for each row when (new.kind = 'reversal') execute function check_payout_reversal();

-- And what is corrected has left it.
create function check_corrected_payout() returns trigger language plpgsql as $$
begin
  if exists (
       select from public.pool_payouts p
        where p.id = new.corrects and p.transfer_id is not null
          and not exists (select from public.ledger_transfers t where t.reverses = p.transfer_id)) then
    raise exception 'A correction takes back what it corrects.'
      using errcode = 'check_violation', constraint = 'corrections_take_back_what_they_correct';
  end if;
  return null;
end
$$;
create constraint trigger corrections_take_back_what_they_correct after insert or update on pool_payouts
  deferrable initially deferred for each row when (new.corrects is not null and new.state = 'recorded')
  execute function check_corrected_payout();

-- The application ------------------------------------------------------------------------------------------

grant select on sites, site_energy_prices, machine_batches, machine_batch_states, outages, fleet_reserves, fleet_days, plans,
  plan_versions, contract_quotes, contracts, maintenance_changes, pools, pool_statements, payout_limits, pool_payouts to assay_app;
grant insert on sites, machine_batches, outages, plans, plan_versions, contract_quotes, contracts, maintenance_changes, pools,
  pool_statements, pool_payouts to assay_app;
grant select, insert, update on pool_pulls to assay_app;
grant insert (site_id, effective_from, usd_micros_per_kwh, evidence, created_at, action_id) on site_energy_prices to assay_app;
grant insert (batch_id, effective_from, machines, measured_ghs, power_watts, evidence, created_at, action_id) on machine_batch_states to assay_app;
grant insert (reserve_ppm, created_at, action_id) on fleet_reserves to assay_app;
grant insert (second_person_above_sats, created_at, action_id) on payout_limits to assay_app;
grant update (name, place) on sites to assay_app;
grant update (ended_at, end_action_id) on outages to assay_app;
grant update on plan_versions to assay_app;
grant update (last_day, end_reason, ended_at) on contracts to assay_app;
grant update (withdrawn_at, withdrawn_action_id) on maintenance_changes to assay_app;
grant update (counts_until, stopped_action_id) on pools to assay_app;
grant update (state, decided_at, decision_action_id, refusal_reason, transfer_id, proposal_action_id) on pool_payouts to assay_app;
grant delete on contract_quotes to assay_app;
