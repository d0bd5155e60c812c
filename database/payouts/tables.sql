create table pools (
  id uuid primary key,
  name text not null constraint pools_are_named check (length(trim(name)) between 1 and 100) constraint one_pool_per_name unique,
  format text not null constraint formats_are_listed check (format in ('braiins', 'f2pool', 'luxor', 'other')),
  -- The first day whose evidence is incomplete without a payout of this pool, and the last.
  counts_from date not null, counts_until date,
  created_at timestamptz not null, action_id uuid not null references audit_log, stopped_action_id uuid references audit_log,
  constraint pools_stop_after_they_start check (counts_until >= counts_from - 1),
  constraint stopping_a_pool_is_an_act check ((counts_until is null) = (stopped_action_id is null))
);

-- A pool's own page, read-only, on which customers look for themselves. The last row counts; null: none any more.
create table pool_watch_urls (
  number bigint generated always as identity primary key, pool_id uuid not null references pools,
  url text constraint watch_urls_are_links check (url ~ '^https://[^[:space:]@/]+/[^[:space:]]*$' and length(url) <= 500),
  created_at timestamptz not null, action_id uuid not null references audit_log
);
create index watch_urls_of_a_pool on pool_watch_urls (pool_id, number desc);

-- Where a pool pays: an address of the wallet, one pool's for ever. What arrives there from outside is its income.
create table pool_addresses (
  address text collate "C" primary key references wallet_addresses, pool_id uuid not null references pools,
  created_at timestamptz not null, action_id uuid not null references audit_log
);
create index pool_addresses_of_a_pool on pool_addresses (pool_id);

-- What a pool said, byte for byte.
create table pool_statements (
  id uuid primary key, pool_id uuid not null references pools,
  source text not null constraint statements_are_files_or_answers check (source in ('file', 'api')),
  name text not null constraint statements_are_named check (length(name) between 1 and 200),
  content bytea not null constraint statements_are_short check (length(content) between 1 and 2097152),
  sha256 bytea not null, received_at timestamptz not null, action_id uuid references audit_log,
  -- Where it was read, as receipts say.
  asked_host text constraint answers_name_the_host_that_was_asked check (
    (source = 'api') = (asked_host is not null) and length(asked_host) <= 300),
  constraint statements_are_known_by_their_sha256 check (sha256 = sha256(content)),
  constraint files_are_brought_by_staff check ((source = 'file') = (action_id is not null)),
  constraint one_statement_per_content unique (pool_id, sha256),
  constraint statements_keep_their_pool unique (id, pool_id)
);

-- How the worker's automatic requests to a pool go. Where the pool now differs from what is recorded, staff see it in
-- differences: nothing recorded changes automatically.
create table pool_pulls (
  pool_id uuid primary key references pools, asked_at timestamptz not null, succeeded_at timestamptz,
  failures integer not null default 0 constraint failures_are_counted check (failures >= 0),
  last_failure text, ask_again_at timestamptz not null,
  differences jsonb not null default '[]' constraint differences_are_a_list check (jsonb_typeof(differences) = 'array')
);
comment on column pool_pulls.differences is 'ts: Difference[] from #server/payouts/payout.ts';

-- The amount above which two people are needed. The last row counts; none: 1 BTC.
create table payout_limits (
  number bigint generated always as identity primary key,
  second_person_above_sats numeric(38, 0) not null constraint limits_are_not_below_zero check (second_person_above_sats >= 0),
  created_at timestamptz not null, action_id uuid not null references audit_log
);

-- What a pool paid for a day, and how much hashrate it saw.
create table pool_payouts (
  id uuid primary key, pool_id uuid not null references pools, day date not null,
  units numeric(38, 0) not null constraint payouts_are_not_below_zero check (units between 0 and 2100000000000000),
  delivered_ghs numeric(38, 0) not null constraint delivered_hashrate_is_plausible check (delivered_ghs between 0 and 1000000000000000),
  txid text collate "C" constraint txids_of_payouts_are_bitcoins check (txid ~ '^[0-9a-f]{64}$'),
  statement_id uuid, corrects uuid references pool_payouts, -- No other: the first word for this day.
  correction_reason text constraint corrections_have_a_reason check (length(trim(correction_reason)) between 1 and 500),
  state text not null constraint payouts_are_proposed_recorded_or_refused check (state in ('proposed', 'recorded', 'refused')),
  proposed_at timestamptz not null, proposal_action_id uuid references audit_log, -- No act: the worker read it from the pool.
  -- Recorded by PostgreSQL's own clock, which no caller sets.
  decided_at timestamptz, recorded_at timestamptz, decision_action_id uuid references audit_log,
  refusal_reason text constraint refusals_have_words check (length(trim(refusal_reason)) between 1 and 500),
  -- Whether the pool's coins covered it when it was recorded; or why not, as anyone reads it with the names of two people.
  covered boolean not null default false,
  unseen_reason text constraint unseen_payouts_say_why check (length(trim(unseen_reason)) between 1 and 300),
  transfer_id uuid constraint one_payout_per_transfer unique references ledger_keys (id),
  -- That nothing was paid and nothing delivered needs none: where there are two people, it takes both.
  constraint payouts_rest_on_evidence
    check (txid is not null or statement_id is not null or (units, delivered_ghs) = (0, 0)),
  constraint payouts_are_of_days_that_are_over check (day < (proposed_at at time zone 'UTC')::date),
  constraint corrections_say_why check ((corrects is null) = (correction_reason is null)),
  constraint decisions_have_a_time check ((state = 'proposed') = (decided_at is null)),
  constraint recorded_payouts_have_a_time_of_the_clock check ((state = 'recorded') = (recorded_at is not null)),
  constraint refusals_say_why check ((state = 'refused') = (refusal_reason is not null)),
  constraint only_recorded_payouts_are_covered check (state = 'recorded' or not covered and unseen_reason is null),
  constraint covered_payouts_are_seen check (not covered or unseen_reason is null),
  constraint recorded_payouts_are_in_the_ledger check ((transfer_id is not null) = (state = 'recorded' and units > 0)),
  constraint statements_are_of_the_same_pool foreign key (statement_id, pool_id) references pool_statements (id, pool_id)
);
-- A correction takes the place of what it corrects; a refused word is none.
create unique index one_first_payout_per_pool_and_day on pool_payouts (pool_id, day) where corrects is null and state <> 'refused';
create unique index one_correction_per_payout on pool_payouts (corrects) where state <> 'refused';
create index recorded_payouts_of_a_pool on pool_payouts (pool_id, day, recorded_at desc) where state = 'recorded';
create index pool_payouts_by_day on pool_payouts (day, pool_id);
create index pool_payouts_by_transaction on pool_payouts (txid) where txid is not null;
create index pool_payouts_that_wait on pool_payouts (proposed_at) where state = 'proposed';
create index pool_payouts_by_recording on pool_payouts (recorded_at) where state = 'recorded';

-- Pools of which coins are over that no payout explains, since when, or missing (null). Written by PostgreSQL alone, as the worker asks it.
create table coins_amiss (pool_id uuid primary key references pools, unexplained_since timestamptz);
