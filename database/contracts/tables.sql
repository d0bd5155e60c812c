create table plans (
  id uuid primary key,
  slug text collate "C" not null constraint slugs_are_plain check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60)
    constraint one_plan_per_slug unique, created_at timestamptz not null, action_id uuid not null references audit_log
);

-- A plan changes by a new version; contracts keep the one that they were bought under. There is no column for a yield.
create table plan_versions (
  id uuid primary key, plan_id uuid not null references plans,
  version integer not null constraint versions_count_from_one check (version >= 1),
  name text not null constraint plans_are_named check (length(trim(name)) between 1 and 100),
  -- Of one unit.
  unit_ghs numeric(38, 0) not null constraint units_are_plausible check (unit_ghs between 1 and 1000000000),
  term_days integer not null constraint terms_are_plausible check (term_days between 1 and 1825),
  most_units integer not null constraint purchases_have_a_limit check (most_units between 1 and 100000),
  -- The most of the fleet that runs under this plan at a time; null: all that is free.
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
  state text not null default 'draft'
    constraint versions_are_drafts_published_or_retired check (state in ('draft', 'published', 'retired')),
  created_at timestamptz not null, created_action_id uuid not null references audit_log,
  published_at timestamptz, published_action_id uuid references audit_log,
  retired_at timestamptz, retired_action_id uuid references audit_log,
  constraint prices_are_the_sum_of_their_parts check (price_usd_cents = machines_usd_cents + setup_usd_cents + margin_usd_cents),
  constraint maintenance_is_the_sum_of_its_parts
    check (maintenance_usd_micros = energy_usd_micros + operation_usd_micros + maintenance_margin_usd_micros),
  constraint publishing_is_an_act check ((state = 'draft') = (published_at is null) and (state = 'draft') = (published_action_id is null)),
  constraint retiring_is_an_act check ((state <> 'retired') = (retired_at is null) and (state <> 'retired') = (retired_action_id is null)),
  constraint one_version_per_number unique (plan_id, version)
);
create unique index one_published_version_per_plan on plan_versions (plan_id) where state = 'published';

-- A firm price for some seconds. One that is asked for anew when they are over is of the same order, whose first one named it.
create table contract_quotes (
  id uuid primary key, order_id uuid not null, customer_id uuid not null references customers,
  plan_version_id uuid not null references plan_versions,
  quantity integer not null constraint quotes_are_for_some_units check (quantity between 1 and 100000),
  usd_cents numeric(38, 0) not null constraint quotes_cost_something check (usd_cents > 0),
  coin ledger_asset not null, units numeric(38, 0) not null constraint quotes_ask_for_coins check (units > 0),
  price_id uuid not null references market_prices, quoted_at timestamptz not null, expires_at timestamptz not null
);
create index contract_quotes_of_a_customer on contract_quotes (customer_id, quoted_at desc);

create table contracts (
  id uuid primary key, customer_id uuid not null references customers, plan_version_id uuid not null references plan_versions,
  quote_id uuid not null constraint one_contract_per_quote unique references contract_quotes,
  order_id uuid not null constraint one_contract_per_order unique,
  quantity integer not null, ghs numeric(38, 0) not null constraint contracts_have_hashrate check (ghs > 0), term_days integer not null,
  usd_cents numeric(38, 0) not null, coin ledger_asset not null, units numeric(38, 0) not null,
  transfer_id uuid not null constraint one_contract_per_transfer unique references ledger_keys (id),
  terms_version text not null, terms_sha256 bytea not null constraint terms_are_known_by_their_sha256 check (length(terms_sha256) = 32),
  -- Until when it can be given back; null: only a first purchase can. Sold for these UTC days: downtime makes it run on.
  bought_at timestamptz not null, cooling_off_until timestamptz, starts_on date not null, planned_last_day date not null,
  -- The last UTC day served, once that is known; the day before the first when none was.
  last_day date, end_reason text constraint ends_are_listed check (end_reason in ('served', 'unpaid-maintenance', 'given-back')),
  ended_at timestamptz,
  constraint terms_are_counted_in_days check (planned_last_day = starts_on + term_days - 1),
  constraint contracts_start_after_they_are_bought check (starts_on > (bought_at at time zone 'UTC')::date),
  constraint cooling_off_ends_before_the_start check (cooling_off_until <= starts_on::timestamp at time zone 'UTC'),
  constraint ends_have_a_reason_and_a_time check ((last_day is null) = (end_reason is null) and (last_day is null) = (ended_at is null)),
  constraint ends_follow_starts check (last_day >= starts_on - 1),
  constraint only_what_has_not_started_is_given_back
    check ((end_reason = 'given-back') <= (last_day = starts_on - 1 and ended_at <= cooling_off_until)),
  constraint what_is_served_runs_its_term check ((end_reason = 'served') <= (last_day >= planned_last_day))
-- The planner takes those that are late for half of all, and started processes for 45 ms to count none.
) with (parallel_workers = 0);
alter table testimonials add constraint testimonials_are_about_a_contract foreign key (contract_id) references contracts;
create index contracts_that_may_end on contracts (planned_last_day) where last_day is null;
create index contracts_of_a_plan on contracts (plan_version_id);
create index contracts_of_customers on contracts (customer_id, bought_at, id)
  include (starts_on, last_day, planned_last_day, end_reason, ghs, coin, units, term_days, plan_version_id);

-- What the maintenance of a version costs from a day on. Its customers are told at least seven days ahead.
create table maintenance_changes (
  id uuid primary key, plan_version_id uuid not null references plan_versions, effective_from date not null,
  usd_micros numeric(38, 0) not null constraint changed_maintenance_is_plausible check (usd_micros between 0 and 10000000),
  reason text not null constraint changes_have_a_reason check (length(trim(reason)) between 1 and 500),
  announced_at timestamptz not null, action_id uuid not null references audit_log,
  made_at timestamptz not null default now(), -- By PostgreSQL's clock, for what one person may announce alone.
  withdrawn_at timestamptz, withdrawn_action_id uuid references audit_log,
  constraint changes_are_taken_back_in_time check (withdrawn_at is null or withdrawn_at < effective_from::timestamp at time zone 'UTC'),
  constraint taking_back_is_an_act check ((withdrawn_at is null) = (withdrawn_action_id is null))
);
create unique index one_change_per_version_and_day on maintenance_changes (plan_version_id, effective_from) where withdrawn_at is null;

create table receipt_links (
  -- Part of the link's address: anyone who has it may read this one receipt.
  token text collate "C" constraint tokens_of_links_are_random check (token ~ '^[A-Za-z0-9_-]{22}$') primary key,
  contract_id uuid not null references contracts, day date not null, created_at timestamptz not null, ended_at timestamptz,
  constraint links_end_after_they_begin check (ended_at >= created_at)
);
create unique index one_open_link_per_receipt on receipt_links (contract_id, day) where ended_at is null;

-- What runs under a version and was bought, whether it has begun or not. Moved by the triggers that sell and free hashrate, under
-- the fleet's lock.
create table sold_hashrate (
  plan_version_id uuid primary key references plan_versions,
  ghs numeric(38, 0) not null constraint sold_hashrate_is_not_below_zero check (ghs >= 0),
  contracts bigint not null constraint sold_contracts_are_not_below_zero check (contracts >= 0)
);
