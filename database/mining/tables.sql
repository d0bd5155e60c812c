-- Whether a day is posted automatically once its evidence is complete, and from which difference to the network's reference on it
-- waits for a person. The last row counts; none: automatically, and 20 %.
create table mining_settings (
  number bigint generated always as identity primary key, by_itself boolean not null,
  most_deviation_ppm integer not null constraint deviations_are_plausible check (most_deviation_ppm between 0 and 10000000),
  created_at timestamptz not null, action_id uuid not null references audit_log
);

-- One day, with everything that its credits follow from.
create table mining_runs (
  day date primary key,
  state text not null default 'posting' constraint runs_are_posting_or_posted check (state in ('posting', 'posted')),
  payout_sats numeric(38, 0) not null constraint payouts_of_a_day_are_not_below_zero check (payout_sats >= 0),
  -- What the run before could not divide.
  carried_sats numeric(38, 0) not null constraint remainders_are_not_below_zero check (carried_sats >= 0),
  distributable_sats numeric(38, 0) not null,
  delivered_ghs numeric(38, 0) not null, active_ghs numeric(38, 0) not null, shared_ghs numeric(38, 0) not null,
  served_ppm bigint not null constraint days_are_served_in_parts check (served_ppm between 0 and 1000000),
  -- Of all runs so far: the difference of two days is what contracts between them were served.
  cumulative_served_ppm bigint not null, contracts integer not null, customers integer not null,
  price_id uuid not null references market_prices, btc_usd_e8 numeric(30, 0) not null, price_observed_at timestamptz not null,
  -- Null: the network was not asked on that day, so there is no reference.
  network_observed_at timestamptz, difficulty numeric(40, 0), subsidy_sats numeric(38, 0), fees_per_block_sats numeric(38, 0),
  -- No act: automatically.
  started_at timestamptz not null, posted_at timestamptz, action_id uuid references audit_log,
  -- Grows with what is posted.
  credited_sats numeric(38, 0) not null default 0,
  operator_share_sats numeric(38, 0), fees_due_sats numeric(38, 0), fees_paid_sats numeric(38, 0),
  remainder_sats numeric(38, 0) constraint no_day_gives_out_more_than_there_is check (remainder_sats >= 0),
  -- The shares of customers who are set apart: theirs, once they can be posted.
  reserved_sats numeric(38, 0) not null default 0 constraint reserves_are_not_below_zero check (reserved_sats >= 0),
  inactivity_sats numeric(38, 0),
  -- Of the prices of contracts, what was earned by this day.
  earned_btc_units numeric(38, 0), earned_eth_units numeric(38, 0), earned_usdt_units numeric(38, 0),
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
create index runs_as_posted on mining_runs (posted_at);

create table mining_run_payouts (day date references mining_runs, payout_id uuid references pool_payouts, primary key (day, payout_id));

-- What maintenance costs on a day, and how much runs under each version.
create table mining_run_plans (
  day date references mining_runs, plan_version_id uuid references plan_versions,
  maintenance_usd_micros numeric(38, 0) not null, contracts integer not null, ghs numeric(38, 0) not null,
  primary key (day, plan_version_id)
);

-- A correction of a payout after its day was given out, under the id of the payout that corrects: the how many-th of its day.
create table mining_corrections (
  payout_id uuid primary key references pool_payouts, day date not null references mining_runs,
  number integer not null constraint corrections_count_from_one check (number >= 1),
  state text not null default 'posting' constraint corrections_are_posting_or_posted check (state in ('posting', 'posted')),
  -- What the day comes to with it.
  payout_sats numeric(38, 0) not null,
  distributable_sats numeric(38, 0) not null constraint corrected_days_are_not_below_zero check (distributable_sats >= 0),
  delivered_ghs numeric(38, 0) not null, shared_ghs numeric(38, 0) not null,
  -- What it changes for all together, and for customers so far. Lost is what they no longer had, less what made such losses good.
  payout_change_sats numeric(38, 0) not null,
  customers_change_sats numeric(38, 0) not null default 0, lost_sats numeric(38, 0) not null default 0,
  -- What it changes for customers who are set apart.
  reserved_sats numeric(38, 0) not null default 0, operator_change_sats numeric(38, 0),
  started_at timestamptz not null, posted_at timestamptz,
  constraint posted_corrections_are_complete
    check ((state = 'posted') = (posted_at is not null) and (state = 'posted') = (operator_change_sats is not null)),
  constraint corrections_are_given_out_to_the_satoshi
    check (state = 'posting' or customers_change_sats + reserved_sats + operator_change_sats = payout_change_sats),
  constraint one_correction_at_a_time unique (day, number)
);

-- A range of customers, worked out in one transaction by the process that takes it first: of a correction, or of the day.
create table mining_chunks (
  id bigint generated always as identity primary key, day date not null references mining_runs,
  correction_id uuid references mining_corrections, number integer not null,
  first_customer_id uuid not null, last_customer_id uuid not null, posted_at timestamptz,
  fees_due_sats numeric(38, 0), fees_paid_sats numeric(38, 0),
  earned_btc_units numeric(38, 0), earned_eth_units numeric(38, 0), earned_usdt_units numeric(38, 0),
  -- One customer who could not be posted, with the error. The share waits, and is tried again from retry_at on.
  set_apart_at timestamptz, error text, tries integer not null default 0, retry_at timestamptz not null default '-infinity',
  reserved_sats numeric(38, 0), told_at timestamptz,
  constraint one_customer_is_set_apart check (set_apart_at is null or first_customer_id = last_customer_id),
  constraint what_is_set_apart_is_known check (num_nulls(set_apart_at, error, reserved_sats) in (0, 3)),
  constraint one_chunk_per_number unique nulls not distinct (day, correction_id, number)
);
create index mining_chunks_set_apart on mining_chunks (first_customer_id, day) where set_apart_at is not null;
create index mining_chunks_to_do on mining_chunks (day, number) where posted_at is null;

-- What a contract earned and owes for a day. Totals run over all of its days, so that no page has to sum them: credits, and fees
-- that were paid in the run. What the balance did not cover is in maintenance_arrears.
create table mining_contract_days (
  contract_id uuid, day date, customer_id uuid not null, ghs numeric(38, 0) not null,
  credit_sats numeric(38, 0) not null, fee_sats numeric(38, 0) not null, fee_paid boolean not null,
  credited_sats numeric(38, 0) not null, credited_usd_micros numeric(38, 0) not null,
  fees_sats numeric(38, 0) not null, fees_usd_micros numeric(38, 0) not null,
  constraint one_receipt_per_contract_and_day primary key (contract_id, day)
) partition by range (day);

-- The same for all contracts of a customer: the two transfers of the day follow from it.
create table mining_customer_days (
  customer_id uuid, day date, contracts integer not null, ghs numeric(38, 0) not null,
  credit_sats numeric(38, 0) not null, credit_usd_micros numeric(38, 0) not null,
  fee_sats numeric(38, 0) not null, paid_fee_sats numeric(38, 0) not null, paid_fee_usd_micros numeric(38, 0) not null,
  credited_sats numeric(38, 0) not null, credited_usd_micros numeric(38, 0) not null,
  fees_sats numeric(38, 0) not null, fees_usd_micros numeric(38, 0) not null,
  constraint one_day_per_customer primary key (customer_id, day)
) partition by range (day);

-- What a correction changed: the second page of a receipt. What the day's credit is with it, and what that changed.
create table mining_contract_corrections (
  contract_id uuid references contracts, day date, payout_id uuid references mining_corrections,
  credit_sats numeric(38, 0) not null, change_sats numeric(38, 0) not null, primary key (contract_id, day, payout_id)
);

create table mining_customer_corrections (
  customer_id uuid references customers, day date, payout_id uuid references mining_corrections, change_sats numeric(38, 0) not null,
  -- Of what was to be reversed, what was no longer there; below zero: what makes such losses good, or nobody can claim any more.
  lost_sats numeric(38, 0) not null constraint corrections_move_what_they_change_or_less
    check (change_sats + lost_sats between least(change_sats, 0) and greatest(change_sats, 0)),
  -- Of what moved the customer's balance, at the price of the day.
  usd_micros numeric(38, 0) not null, primary key (customer_id, day, payout_id)
);

-- When a contract was bought, to settle the oldest first.
create table maintenance_arrears (
  contract_id uuid references contracts, day date, customer_id uuid not null references customers, bought_at timestamptz not null,
  fee_sats numeric(38, 0) not null constraint arrears_are_above_zero check (fee_sats > 0),
  usd_micros numeric(38, 0) not null, posted_at timestamptz not null,
  state text not null default 'open' constraint arrears_are_open_collected_or_lapsed check (state in ('open', 'collected', 'lapsed')),
  closed_at timestamptz, transfer_id uuid,
  constraint closed_arrears_have_a_time check ((state = 'open') = (closed_at is null)),
  constraint collected_arrears_are_in_the_ledger check ((state = 'collected') = (transfer_id is not null)), primary key (contract_id, day)
);
create index open_arrears on maintenance_arrears (customer_id, day, bought_at, contract_id) where state = 'open';
create index arrears_of_a_customer on maintenance_arrears (customer_id, day);
create index arrears_by_transfer on maintenance_arrears (transfer_id) where transfer_id is not null;

-- Runs from the moment that the oldest unpaid fee of a contract was posted.
create table maintenance_clocks (
  id uuid primary key, contract_id uuid not null references contracts, customer_id uuid not null references customers,
  started_at timestamptz not null, expires_at timestamptz not null,
  state text not null default 'running' constraint clocks_run_stop_or_expire check (state in ('running', 'stopped', 'expired')),
  ended_at timestamptz,
  -- How many of its three notices are written: at the start, and with 48 and 24 hours left.
  notices smallint not null default 0 constraint clocks_have_three_notices check (notices between 0 and 3),
  -- Grows when a day is posted that was waited for; what is being waited for now is not in it yet.
  stood interval not null default '00:00:00' constraint clocks_never_run_ahead check (stood >= '0'),
  constraint ended_clocks_have_a_time check ((state = 'running') = (ended_at is null)),
  constraint clocks_expire_in_time check (state <> 'expired' or ended_at >= expires_at)
);
create unique index one_running_clock_per_contract on maintenance_clocks (contract_id) where state = 'running';
create index running_clocks on maintenance_clocks (expires_at) where state = 'running';
create index clocks_of_a_customer on maintenance_clocks (customer_id, started_at);

-- Inactive since the last day with a contract; without any, since the first bitcoin. With a new contract it begins again. Nobody pays
-- before the first day for a fee, nor within the days of notice after they were told.
create table inactivity_notices (
  id uuid primary key, customer_id uuid not null references customers, inactive_since date not null, noticed_at timestamptz not null,
  first_fee_day date not null, ended_at timestamptz, told_at timestamptz
);
create unique index one_open_inactivity_notice on inactivity_notices (customer_id) where ended_at is null;
create index inactivity_to_tell on inactivity_notices (id) where told_at is null;

create table inactivity_fees (
  customer_id uuid references customers, day date references mining_runs, notice_id uuid not null references inactivity_notices,
  balance_sats numeric(38, 0) not null, fee_sats numeric(38, 0) not null constraint inactivity_fees_are_above_zero check (fee_sats > 0),
  -- And of all such fees so far.
  usd_micros numeric(38, 0) not null, total_usd_micros numeric(38, 0) not null, primary key (customer_id, day)
);

-- How a contract ended, and what became of the price of the days that it did not serve, once all of its days are worked out.
create table contract_endings (
  contract_id uuid primary key references contracts, customer_id uuid not null references customers,
  reason text not null constraint endings_are_listed check (reason in ('served', 'unpaid-maintenance')), ended_at timestamptz not null,
  served_days integer, refunded_units numeric(38, 0), forfeited_units numeric(38, 0), settled_at timestamptz, told_at timestamptz,
  constraint endings_are_settled_whole check (num_nulls(served_days, refunded_units, forfeited_units, settled_at) in (0, 4)),
  constraint endings_are_told_when_settled check (told_at is null or settled_at is not null)
);
create index endings_to_settle on contract_endings (contract_id) where settled_at is null;
create index endings_of_a_customer on contract_endings (customer_id);
create index endings_to_tell on contract_endings (contract_id) where settled_at is not null and told_at is null;

-- What a contract that has ended came to: what was mined less maintenance, corrections included, each day at its own price, and
-- what of the price was paid back. `cents` is that of every $100 paid.
create table contract_results (
  contract_id uuid primary key references contracts, plan_version_id uuid not null references plan_versions,
  usd_micros numeric(38, 0) not null, usd_cents numeric(38, 0) not null, cents numeric(38, 0) not null, is_below boolean not null,
  constraint results_are_of_what_was_paid check (cents = floor(usd_micros / usd_cents) and is_below = (usd_micros < usd_cents * 10000))
);

-- How many contracts of a version came to so many cents, what was paid for them and came back: from these a version's record is read,
-- whatever their number. Below: for less than was paid.
create table plan_results (
  plan_version_id uuid references plan_versions, cents numeric(38, 0), contracts bigint not null,
  below bigint not null constraint losses_are_counted check (below between 0 and contracts),
  usd_cents numeric(38, 0) not null, below_usd_cents numeric(38, 0) not null, usd_micros numeric(38, 0) not null,
  primary key (plan_version_id, cents)
);

-- By the money that was paid, so that many small contracts hide no large one. p10: of the worst tenth the best; p90: of the best tenth
-- the worst.
create table plan_records (
  plan_version_id uuid primary key references plan_versions, ended bigint not null, below bigint not null,
  usd_cents numeric(38, 0) not null, below_usd_cents numeric(38, 0) not null, usd_micros numeric(38, 0) not null,
  median_cents numeric(38, 0) not null, p10_cents numeric(38, 0) not null, p90_cents numeric(38, 0) not null
);

-- How often customers want a mail of their credits; no row: every week.
create table digest_choices (
  customer_id uuid primary key references customers,
  every text not null constraint digests_are_listed check (every in ('off', 'day', 'week', 'month')), chosen_at timestamptz not null
);

-- How far the digests of a period are written, customer by customer.
create table digest_sweeps (
  every text constraint sweeps_are_listed check (every in ('day', 'week', 'month')), from_day date not null, through_day date,
  after_customer_id uuid not null default '00000000-0000-0000-0000-000000000000', done_at timestamptz, primary key (every, through_day)
);

-- Work for a customer that failed, and is left out until it is tried again. The row goes when it succeeds.
create table mining_failures (
  customer_id uuid references customers,
  work text constraint failing_work_is_listed check (work in ('arrears', 'clocks', 'endings', 'inactivity')),
  error text not null, failed_at timestamptz not null, tries integer not null, retry_at timestamptz not null, told_at timestamptz,
  primary key (customer_id, work)
);

-- Everything that failed for one customer, for the console and for the mail to staff.
create view mining_customers_apart as
  select first_customer_id as customer_id, case when correction_id is null then 'day' else 'correction' end as work, day, error,
         set_apart_at as failed_at, tries, retry_at, reserved_sats, told_at
    from mining_chunks where set_apart_at is not null and posted_at is null
  union all
  select customer_id, work, null, error, failed_at, tries, retry_at, null, told_at from mining_failures;
