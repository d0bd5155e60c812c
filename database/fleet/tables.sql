create table sites (
  id uuid primary key,
  name text not null constraint sites_are_named check (length(trim(name)) between 1 and 100) constraint one_site_per_name unique,
  -- As customers read it: a town or region, and a country.
  place text not null constraint sites_are_somewhere check (length(trim(place)) between 1 and 200),
  created_at timestamptz not null, action_id uuid not null references audit_log, changed_action_id uuid references audit_log
);

-- What a kilowatt hour costs at a site from a day on, and what says so.
create table site_energy_prices (
  number bigint generated always as identity primary key, site_id uuid not null references sites, effective_from date not null,
  usd_micros_per_kwh numeric(38, 0) not null constraint energy_costs_something check (usd_micros_per_kwh between 1 and 10000000),
  evidence text not null constraint energy_prices_name_their_source check (length(trim(evidence)) between 1 and 300),
  created_at timestamptz not null, action_id uuid not null references audit_log
);
create index site_energy_prices_by_site on site_energy_prices (site_id, effective_from desc, number desc);

create table machine_deliveries (
  id uuid primary key, site_id uuid not null references sites,
  model text not null constraint models_are_named check (length(trim(model)) between 1 and 100),
  -- Of one machine, as its maker says.
  nameplate_ghs numeric(38, 0) not null constraint nameplates_are_plausible check (nameplate_ghs between 1 and 10000000),
  created_at timestamptz not null, action_id uuid not null references audit_log,
  recorded_at timestamptz not null default clock_timestamp()
);
create index machine_deliveries_of_a_site on machine_deliveries (site_id);

-- How many machines of a delivery run from a day on, and how fast they were measured. The last word on a day counts.
create table machine_delivery_states (
  number bigint generated always as identity primary key,
  delivery_id uuid not null references machine_deliveries, effective_from date not null,
  machines integer not null constraint machines_are_counted check (machines between 0 and 10000000),
  -- Of one machine, on average.
  measured_ghs numeric(38, 0) not null constraint measurements_are_plausible check (measured_ghs between 0 and 10000000),
  power_watts integer not null constraint machines_use_power check (power_watts between 1 and 1000000),
  evidence text not null constraint measurements_name_their_source check (length(trim(evidence)) between 1 and 300),
  created_at timestamptz not null, action_id uuid not null references audit_log
);
create index machine_delivery_states_of_a_delivery on machine_delivery_states (delivery_id, effective_from desc, number desc);

-- When something stood still, and why, in words for customers. What was delivered is what the pools say; this explains it.
create table outages (
  id uuid primary key, site_id uuid not null references sites, delivery_id uuid references machine_deliveries,
  started_at timestamptz not null, ended_at timestamptz,
  lost_ghs numeric(38, 0) not null constraint outages_lose_something check (lost_ghs > 0),
  reason text not null constraint outages_have_a_reason check (length(trim(reason)) between 1 and 300),
  created_at timestamptz not null, action_id uuid not null references audit_log, end_action_id uuid references audit_log,
  corrects uuid constraint one_correction_per_outage unique references outages,
  correction_reason text constraint corrections_of_outages_have_a_reason check (length(trim(correction_reason)) between 1 and 300),
  withdrawn_at timestamptz,
  withdrawal_reason text constraint withdrawals_of_outages_have_a_reason check (length(trim(withdrawal_reason)) between 1 and 300),
  withdrawal_action_id uuid references audit_log,
  constraint outages_end_after_they_start check (ended_at >= started_at),
  constraint outages_are_ended_by_an_act check ((ended_at is null) = (end_action_id is null)),
  constraint outages_do_not_correct_themselves check (corrects <> id),
  constraint corrections_of_outages_say_why check ((corrects is null) = (correction_reason is null)),
  constraint withdrawals_of_outages_say_why check (num_nonnulls(withdrawn_at, withdrawal_reason, withdrawal_action_id) in (0, 3))
);
create index outages_newest_first on outages (started_at desc);

-- How much of the fleet is never sold, so that what downtime owes can be delivered. The last row counts.
create table fleet_reserves (
  number bigint generated always as identity primary key,
  reserve_ppm integer not null constraint reserves_are_a_part check (reserve_ppm between 0 and 1000000),
  created_at timestamptz not null, action_id uuid not null references audit_log
);

-- Every day that something can be sold for: what the machines can do, what is sold, and what is owed to contracts
-- that run on because of downtime. Written by PostgreSQL alone.
create table fleet_days (
  day date primary key, capacity_ghs numeric(38, 0) not null,
  sold_ghs numeric(38, 0) not null default 0 constraint sales_are_not_below_zero check (sold_ghs >= 0),
  owed_ghs numeric(38, 0) not null default 0 constraint debts_are_not_below_zero check (owed_ghs >= 0),
  constraint hashrate_is_sold_once check (sold_ghs <= capacity_ghs)
);

-- What the pools saw of the machines on a day that is posted. Written by PostgreSQL alone.
create table capacity_evidence (
  day date primary key, reported_ghs numeric(38, 0) not null,
  -- What was paid for the seven days up to it, in hashrate at what the network paid for it. Null: nobody asked the network on any of them.
  implied_ghs numeric(38, 0),
  -- The least of the median of the seven days and 1.25 times the latter. Null: there are not seven days yet.
  sellable_ghs numeric(38, 0)
);
