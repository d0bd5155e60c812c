-- An approval keeps the stored price that said what the coins were worth at that moment, with its evidence. And what a
-- demo's exchanges invented stays in demos.

alter table deposits
  -- Null: no price was fresh when it was approved, so it was valued with none.
  add column price_id uuid references market_prices,
  add constraint only_approvals_are_valued check (price_id is null or state = 'approved');

create function check_price_of_deposit() returns trigger language plpgsql as $$
begin
  if not exists (
       select from public.market_prices p
        where p.id = new.price_id
          and p.kept
          and p.asset = case new.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end
          -- As core/terms.ts and server/markets/price.ts have it.
          and p.observed_at between new.reviewed_at - interval '10 minutes' and new.reviewed_at + interval '1 minute') then
    raise exception 'A deposit is valued with a kept price of its coin that was fresh when it was approved.'
      using errcode = 'check_violation', constraint = 'deposits_are_valued_by_fresh_prices';
  end if;
  return new;
end
$$;
create trigger deposits_are_valued_by_fresh_prices before update on deposits
  for each row when (new.price_id is not null) execute function check_price_of_deposit();
grant update (price_id) on deposits to assay_app;

create function refuse_simulated_figures() returns trigger language plpgsql as $$
begin
  if exists (select from public.installation where not demo) then
    raise exception 'simulated figures are for demos alone'
      using errcode = 'check_violation', constraint = 'simulated_figures_stay_in_demos';
  end if;
  return new;
end
$$;
create trigger simulated_prices_stay_in_demos before insert or update on market_prices
  for each row when (new.simulated) execute function refuse_simulated_figures();
create trigger simulated_candles_stay_in_demos before insert or update on market_candles
  for each row when (new.simulated) execute function refuse_simulated_figures();
create trigger simulated_networks_stay_in_demos before insert or update on network_figures
  for each row when (new.simulated) execute function refuse_simulated_figures();
