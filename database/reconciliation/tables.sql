-- The ledger's figures at the end of each UTC day, counted or not: custody, and each account of the house by its name, credits positive.
create table custody_days (
  day date, asset text collate "C" constraint custody_is_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  custody_units numeric(38, 0) not null, accounts jsonb not null, noted_at timestamptz not null,
  constraint one_figure_per_coin_and_day primary key (day, asset)
);
comment on column custody_days.custody_units is 'ts: set by a trigger';
comment on column custody_days.accounts is 'ts: set by a trigger, Partial<Record<HouseAccount, string>> from #server/ledger/account.ts';

create table custody_counts (
  id uuid primary key,
  submission_key uuid not null, -- Minted with the form: however often the same form arrives, it is one count.
  asset text collate "C" not null constraint counts_are_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  units numeric(38, 0) not null constraint counts_are_not_below_zero check (units >= 0),
  as_of timestamptz not null, -- The moment that the wallets were read for.
  block_height integer constraint blocks_of_counts_have_a_height check (block_height >= 0), -- Then; null: it was not said.
  -- Which wallets, and how they were read.
  wallets text not null constraint counts_name_their_wallets check (length(trim(wallets)) between 1 and 400 and wallets !~ '[[:cntrl:]]'),
  evidence_id uuid not null constraint one_count_per_evidence unique references adjustment_evidence,
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null constraint one_count_per_proposing_act unique references audit_log, proposed_at timestamptz not null,
  state text not null default 'open' constraint counts_have_a_known_state check (state in ('open', 'confirmed', 'rejected', 'withdrawn')),
  decided_by uuid references operators, decided_by_act uuid constraint one_decision_on_a_count_per_act unique references audit_log,
  decided_at timestamptz,
  rejection_reason text constraint rejections_of_counts_say_why check (length(trim(rejection_reason)) between 1 and 1000),
  constraint counts_are_of_the_last_week check (as_of <= proposed_at and as_of > proposed_at - interval '7 days'),
  constraint counts_are_decided_by_an_act
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint who_counted_does_not_confirm check (state not in ('confirmed', 'rejected') or decided_by <> proposed_by),
  constraint only_who_counted_withdraws check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint only_rejections_of_counts_say_why check ((state = 'rejected') = (rejection_reason is not null)),
  constraint one_count_per_submission unique (proposed_by, submission_key)
);
create index counts_that_wait on custody_counts (proposed_at, id) where state = 'open';
create index counts_by_time on custody_counts (proposed_at desc, id desc);

create table custody_holdings (
  id uuid primary key, asset text collate "C" not null constraint holdings_are_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  units numeric(38, 0) not null constraint holdings_are_not_below_zero check (units >= 0), as_of timestamptz not null,
  block_height integer constraint blocks_of_holdings_have_a_height check (block_height >= 0),
  source text not null constraint holdings_have_a_known_source check (source in ('count', 'watcher')),
  count_id uuid constraint one_holding_per_count unique references custody_counts,
  custody_units numeric(38, 0) not null, difference_units numeric(38, 0) generated always as (units - custody_units) stored,
  recorded_at timestamptz not null,
  constraint counted_holdings_name_their_count check ((source = 'count') = (count_id is not null)),
  constraint holdings_are_not_of_the_future check (as_of <= recorded_at)
);
comment on column custody_holdings.custody_units is 'ts: set by a trigger';
create index holdings_by_coin on custody_holdings (asset, as_of desc, recorded_at desc, id desc);

-- Whatever differs is explained, by an act. That changes no figure: only another holding does.
create table custody_explanations (
  holding_id uuid primary key references custody_holdings,
  words text not null constraint explanations_say_something check (length(trim(words)) between 1 and 1000),
  operator_id uuid not null references operators, act_id uuid not null constraint one_explanation_per_act unique references audit_log,
  explained_at timestamptz not null
);

create table wallet_readings (
  wallet_id uuid references wallets, day date not null, asset text collate "C" not null constraint readings_are_of_bitcoin check (asset = 'BTC'),
  units numeric(38, 0) not null constraint readings_are_not_below_zero check (units >= 0),
  outputs integer not null constraint readings_count_outputs check (outputs >= 0),
  block_height integer not null, block_hash text collate "C" not null, read_at timestamptz not null,
  custody_units numeric(38, 0) not null,
  constraint readings_are_of_their_day check (day = (read_at at time zone 'UTC')::date),
  constraint one_reading_per_wallet_and_moment primary key (wallet_id, read_at)
);
comment on column wallet_readings.custody_units is 'ts: set by a trigger';

-- Per coin the newest holding: what is known of the coverage.
create view custody_coverage as
  select distinct on (asset) id as holding_id, asset, units, custody_units, as_of, block_height, source, recorded_at
    from custody_holdings order by asset, as_of desc, recorded_at desc, id desc;
comment on column custody_coverage.asset is 'ts: Coin from #core/asset.ts';
comment on column custody_coverage.source is 'ts: HoldingSource from #server/reconciliation/holding.ts';
comment on view custody_coverage is 'ts: only block_height may be null';

-- What an address of ours signed over a day's proof, and what our node found there. Of bitcoin (BIP 322) its coins count until one of them
-- is spent; of the account on Ethereum that pays, which is of no wallet, ether and USDT (EIP-191) until it holds less.
create table reserve_signatures (
  id uuid primary key, day ledger_day not null, wallet_id uuid references wallets,
  address text collate "C" not null, message text not null,
  signature text collate "C" not null constraint signatures_of_reserves_are_short check (length(signature) <= 1000),
  operator_id uuid not null references operators, act_id uuid not null constraint one_reserve_per_act unique references audit_log,
  signed_at timestamptz not null,
  -- Null: the node has not answered yet.
  units numeric(38, 0), usdt_units numeric(38, 0), outputs text[] collate "C",
  block_height integer, block_hash text collate "C", read_at timestamptz, spent_at timestamptz,
  seen_at timestamptz, -- When all of them were found there last.
  constraint signed_coins_are_above_zero check (least(units, usdt_units) >= 0 and greatest(units, usdt_units) > 0),
  constraint coins_are_found_whole check (num_nulls(units, block_height, block_hash, read_at, seen_at) in (0, 5)
    and (outputs is null) = (units is null or wallet_id is null) and (usdt_units is null) = (units is null or wallet_id is not null)),
  constraint accounts_are_on_ethereum check ((wallet_id is null) = (address like '0x%')),
  constraint coins_are_found_before_they_are_spent check (spent_at >= read_at),
  constraint one_signature_per_address_and_day unique (address, day)
);
create index reserves_that_count on reserve_signatures (address) where spent_at is null;
