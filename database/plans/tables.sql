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
