-- What coins cost, as several exchanges say, with what each of them said. Prices are integers in 10^-8 dollars.
create table market_prices (
  id uuid primary key, observed_at timestamptz not null, -- When the exchanges were asked.
  asset text not null constraint prices_are_of_known_assets check (asset in ('BTC', 'ETH', 'XRP', 'DOGE', 'SOL', 'USDT')),
  usd_e8 numeric(30, 0) not null constraint prices_are_above_zero check (usd_e8 > 0),
  usd_e8_day_before numeric(30, 0) constraint earlier_prices_are_above_zero check (usd_e8_day_before > 0), -- Null: not known.
  agreed smallint not null constraint prices_rest_on_sources check (agreed > 0), simulated boolean not null,
  pinned boolean not null default false, -- Money was valued with it: it stays for good.
  -- By the database's own clock, and not the application's to choose. Five seconds for clocks that differ.
  recorded_at timestamptz not null default clock_timestamp(),
  constraint prices_are_not_of_the_future check (observed_at <= recorded_at + interval '5 seconds'),
  constraint one_price_per_moment unique (asset, observed_at)
);

create table market_quotes (
  price_id uuid references market_prices on delete cascade,
  source text constraint sources_are_named check (source ~ '^[a-z][a-z0-9-]{0,30}$'),
  host text not null constraint hosts_are_short check (length(host) between 1 and 300), -- Who was asked, whatever the configuration calls it.
  usd_e8 numeric(30, 0) not null constraint quotes_are_above_zero check (usd_e8 > 0),
  quoted_at timestamptz not null, -- By the exchange's clock; where it gives none, when it was asked.
  verdict text not null constraint verdicts_are_known check (verdict in ('agreed', 'outlier', 'stale')), primary key (price_id, source)
);

-- How the last round of questions went for each asset, and since when it goes like that.
create table market_assets (
  asset text constraint asked_assets_are_known check (asset in ('BTC', 'ETH', 'XRP', 'DOGE', 'SOL', 'USDT')) primary key,
  asked_at timestamptz not null,
  -- Exchanges that gave a fresh quote, and of those the ones that agreed. No trouble: it gave a price.
  answered smallint not null, agreed smallint not null,
  trouble text constraint troubles_are_known check (trouble in ('too-few-sources', 'sources-disagree')), since timestamptz not null,
  constraint agreement_is_among_answers check (agreed between 0 and answered)
);

-- The exchanges and the source of network figures: whether they answer, and when they are asked again.
create table market_sources (
  source text constraint asked_sources_are_named check (source ~ '^[a-z][a-z0-9-]{0,30}$') primary key,
  state text not null constraint states_of_sources_are_known check (state in ('answering', 'failing', 'limiting')),
  since timestamptz not null, last_asked_at timestamptz not null, last_answer_at timestamptz,
  last_error text constraint errors_are_short check (length(last_error) <= 200), last_error_at timestamptz,
  failures integer not null default 0 constraint failures_are_counted check (failures >= 0),
  ask_again_at timestamptz -- Null: with the next round.
);

-- From when to when a source's quotes of an asset were left out, and why. Open ones have no end.
create table market_drops (
  id uuid primary key, source text not null constraint dropped_sources_are_named check (source ~ '^[a-z][a-z0-9-]{0,30}$'),
  asset text not null constraint dropped_assets_are_known check (asset in ('BTC', 'ETH', 'XRP', 'DOGE', 'SOL', 'USDT')),
  reason text not null constraint reasons_are_known check (reason in ('outlier', 'stale', 'unreadable')),
  usd_e8 numeric(30, 0), median_usd_e8 numeric(30, 0), quoted_at timestamptz, -- As first seen.
  started_at timestamptz not null, ended_at timestamptz, constraint drops_end_after_they_start check (ended_at >= started_at)
);
create unique index one_open_drop_per_quote on market_drops (source, asset) where ended_at is null;
create index market_drops_by_start on market_drops (started_at desc);

-- Which round of questions was the last: the worker that moves it on first asks, the others do not.
create table market_rounds (topic text primary key, begun_at timestamptz not null);

-- One UTC day of an asset. The day that is not over yet moves with the prices.
create table market_candles (
  asset text constraint candles_are_of_known_assets check (asset in ('BTC', 'ETH', 'XRP', 'DOGE', 'SOL', 'USDT')),
  day date, open_usd_e8 numeric(30, 0) not null, high_usd_e8 numeric(30, 0) not null,
  low_usd_e8 numeric(30, 0) not null constraint lows_are_above_zero check (low_usd_e8 > 0), close_usd_e8 numeric(30, 0) not null,
  sources text[] not null, -- The exchanges whose own candles it is the median of; none: made of our own prices so far.
  is_final boolean not null, -- Whether the exchanges said it after the day was over.
  simulated boolean not null, updated_at timestamptz not null,
  constraint highs_are_highest check (high_usd_e8 >= greatest(open_usd_e8, close_usd_e8, low_usd_e8)),
  constraint lows_are_lowest check (low_usd_e8 <= least(open_usd_e8, close_usd_e8)),
  constraint candles_are_not_of_the_future check (day <= (updated_at at time zone 'UTC')::date),
  constraint days_are_final_when_over check (not is_final or day < (updated_at at time zone 'UTC')::date), primary key (asset, day)
);

-- What the Bitcoin network was like at a moment, and the source.
create table network_figures (
  observed_at timestamptz primary key, recorded_at timestamptz not null default clock_timestamp(),
  host text not null constraint network_hosts_are_short check (length(host) between 1 and 300), -- Who was asked.
  simulated boolean not null, height integer not null constraint heights_count_from_zero check (height >= 0),
  difficulty numeric(40, 0) not null constraint difficulties_are_at_least_one check (difficulty >= 1),
  -- Hashes per second, estimated by the source from the blocks of the last days.
  hashrate_hs numeric(40, 0) not null constraint hashrates_are_above_zero check (hashrate_hs > 0),
  subsidy_sats bigint not null, -- Of the next block.
  fees_per_block_sats bigint not null constraint fees_are_not_below_zero check (fees_per_block_sats >= 0), -- Mean of 144 blocks.
  -- What a transaction pays to be in the next block, within half an hour, within an hour.
  fastest_fee_sat_per_vb numeric(12, 3) not null, half_hour_fee_sat_per_vb numeric(12, 3) not null,
  hour_fee_sat_per_vb numeric(12, 3) not null,
  constraint figures_are_not_of_the_future check (observed_at <= recorded_at + interval '5 seconds'),
  constraint subsidies_follow_from_the_height
    check (subsidy_sats = case when (height + 1) / 210000 > 62 then 0 else 5000000000 >> ((height + 1) / 210000) end),
  constraint fee_rates_are_above_zero check (least(fastest_fee_sat_per_vb, half_hour_fee_sat_per_vb, hour_fee_sat_per_vb) > 0)
);
