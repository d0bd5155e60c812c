-- At the commit a price has its evidence, and is within it.
call check_rows('market_prices', 'at commit insert or update', 'prices_rest_on_their_quotes', $$
  (select count(*) = new.agreed and new.usd_e8 between min(q.usd_e8) and max(q.usd_e8)
     from market_quotes q where q.price_id = new.id and q.verdict = 'agreed')$$);

-- Money was valued with these prices.
call check_rows('market_prices', 'before update or delete when (old.pinned)', 'pinned_prices_are_kept',
  'tg_op = ''UPDATE'' and new.pinned');

-- The price that a day's fees and values are worked out with.
create or replace function price_of_day(p_day date) returns market_prices language sql stable as $$
  select coalesce(
    (select p from market_prices p
      where asset = 'BTC' and observed_at between midnight - interval '10 minutes' and midnight order by observed_at desc limit 1),
    (select p from market_prices p where asset = 'BTC' and observed_at > midnight order by observed_at limit 1))
  from (select (p_day + 1)::timestamp at time zone 'UTC') as end_of_day (midnight)
$$;

call check_rows('market_prices', 'before insert or update when (new.simulated)', 'simulated_prices_stay_in_demos',
  'simulated_figures_stay_in_demos: simulated figures are for demos alone', '(select demo from installation)');
call check_rows('market_candles', 'before insert or update when (new.simulated)', 'simulated_candles_stay_in_demos',
  'simulated_figures_stay_in_demos: simulated figures are for demos alone', '(select demo from installation)');
call check_rows('network_figures', 'before insert or update when (new.simulated)', 'simulated_networks_stay_in_demos',
  'simulated_figures_stay_in_demos: simulated figures are for demos alone', '(select demo from installation)');

-- What the network paid for a GH/s on a day, in satoshis. The median of what was asked within an hour, and on the day, counts: no figure
-- that is brought later decides but a demo's, and none alone. Null: nobody asked.
create or replace function sats_of_a_ghs(p_day date) returns numeric language sql stable as $$
  select percentile_disc(0.5) within group (
           order by 1000000000::numeric * 86400 * (n.subsidy_sats + n.fees_per_block_sats) / (n.difficulty * 4294967296))
    from network_figures n
   where n.observed_at > p_day::timestamp at time zone 'UTC' and n.observed_at <= (p_day + 1)::timestamp at time zone 'UTC'
     and (n.simulated or n.recorded_at <= least(n.observed_at + interval '1 hour', (p_day + 1)::timestamp at time zone 'UTC'))
$$;

-- Whether what was paid fits the hashrate that it was paid for: half to twice of what the network paid on that day.
create or replace function payout_fits_hashrate(p_units numeric, p_ghs numeric, p_day date) returns boolean
language sql stable security definer as $$
  select p_units = 0 and p_ghs = 0
      or coalesce((select p_units * 2 >= p_ghs * sats and p_units <= p_ghs * sats * 2 from sats_of_a_ghs(p_day) sats), false)
$$;

grant execute on function payout_fits_hashrate to assay_app;
