-- What runs under each version, and what became of ended contracts, are rows that move with the contracts: no page and no purchase
-- adds up contracts. Why: docs/decisions/0056.

-- What runs under a version and was bought, whether it has begun or not. Moved by the triggers that sell and free hashrate, under the
-- fleet's lock.
create table sold_hashrate (
  plan_version_id uuid primary key references plan_versions,
  ghs numeric(38, 0) not null constraint sold_hashrate_is_not_below_zero check (ghs >= 0),
  contracts bigint not null constraint sold_contracts_are_not_below_zero check (contracts >= 0)
);
create trigger sold_hashrate_is_kept before delete or truncate on sold_hashrate
  for each statement execute function refuse_to_rewrite('sold_hashrate_is_kept');
alter table sold_hashrate enable always trigger sold_hashrate_is_kept;

-- What a contract that has ended came to: what was mined less maintenance, corrections included, each day at its own price, and what
-- of the price was paid back.
create table contract_results (
  contract_id uuid primary key references contracts,
  plan_id uuid not null references plans,
  usd_micros numeric(38, 0) not null,
  usd_cents numeric(38, 0) not null,
  -- Of every $100 paid, in cents.
  cents numeric(38, 0) not null,
  is_below boolean not null,
  constraint results_are_of_what_was_paid check (cents = round(usd_micros / usd_cents) and is_below = (usd_micros < usd_cents * 10000))
);
create trigger results_are_kept before delete or truncate on contract_results
  for each statement execute function refuse_to_rewrite('results_are_kept');
alter table contract_results enable always trigger results_are_kept;

-- How many contracts of a plan came to so many cents: from these a plan's record is read, whatever their number.
create table plan_results (
  plan_id uuid not null references plans,
  cents numeric(38, 0) not null,
  contracts bigint not null constraint results_are_counted check (contracts >= 0),
  below bigint not null constraint losses_are_counted check (below between 0 and contracts),
  primary key (plan_id, cents)
);

create table plan_records (
  plan_id uuid primary key references plans,
  ended bigint not null,
  median_cents numeric(38, 0) not null,
  -- Of the worst tenth the best, and of the best tenth the worst.
  p10_cents numeric(38, 0) not null,
  p90_cents numeric(38, 0) not null,
  below bigint not null
);

create function move_plan_records() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  changed uuid[];
begin
  if not exists (select from new_results) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('plan records', 0));
  if tg_op = 'INSERT' then
    insert into plan_results as known (plan_id, cents, contracts, below)
    select plan_id, cents, count(*), count(*) filter (where is_below) from new_results group by plan_id, cents
        on conflict (plan_id, cents) do update
       set contracts = known.contracts + excluded.contracts, below = known.below + excluded.below;
    changed := array(select distinct plan_id from new_results);
  else
    insert into plan_results as known (plan_id, cents, contracts, below)
    select plan_id, cents, 0, 0 from new_results group by plan_id, cents on conflict do nothing;
    update plan_results known set contracts = known.contracts + moved.contracts, below = known.below + moved.below
      from (select plan_id, cents, sum(contracts) as contracts, sum(below) as below
              from (select plan_id, cents, 1 as contracts, is_below::integer as below from new_results
                    union all
                    select plan_id, cents, -1, -is_below::integer from old_results) each
             group by plan_id, cents) moved
     where known.plan_id = moved.plan_id and known.cents = moved.cents;
    changed := array(select plan_id from new_results union select plan_id from old_results);
  end if;
  insert into plan_records as known (plan_id, ended, median_cents, p10_cents, p90_cents, below)
  select r.plan_id, r.ended, r.median_cents, r.p10_cents, r.p90_cents, r.below from records_of_plans(changed) r
      on conflict (plan_id) do update
     set ended = excluded.ended, median_cents = excluded.median_cents, p10_cents = excluded.p10_cents, p90_cents = excluded.p90_cents,
         below = excluded.below;
  return null;
end
$$;

-- Quantiles of counted results: the first value that so large a part of all does not exceed.
create function records_of_plans(p_plans uuid[])
returns table (plan_id uuid, ended bigint, median_cents numeric, p10_cents numeric, p90_cents numeric, below bigint)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select plan_id, max(upto)::bigint, min(cents) filter (where 2 * upto >= ended), min(cents) filter (where 10 * upto >= ended),
         min(cents) filter (where 10 * upto >= 9 * ended), sum(below)::bigint
    from (select r.plan_id, r.cents, r.below, sum(r.contracts) over (partition by r.plan_id order by r.cents) as upto,
                 sum(r.contracts) over (partition by r.plan_id) as ended
            from plan_results r where r.plan_id = any (p_plans) and r.contracts > 0) each
   group by plan_id
$$;

create trigger results_move_records_when_written after insert on contract_results
  referencing new table as new_results for each statement execute function move_plan_records();
create trigger results_move_records_when_changed after update on contract_results
  referencing new table as new_results old table as old_results for each statement execute function move_plan_records();
alter table contract_results enable always trigger results_move_records_when_written;
alter table contract_results enable always trigger results_move_records_when_changed;

-- What each of these contracts came to, if it has ended and is settled.
create function results_of_contracts(p_contracts uuid[])
returns table (contract_id uuid, plan_id uuid, usd_micros numeric, usd_cents numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.id, v.plan_id,
         coalesce(d.credited_usd_micros - d.fees_usd_micros, 0)
           + coalesce((select sum(trunc(x.change_sats * r.btc_usd_e8 / 10000000000))
                         from mining_contract_corrections x join mining_runs r using (day)
                        where x.contract_id = c.id), 0)
           - coalesce((select sum(a.usd_micros) from maintenance_arrears a
                        where a.contract_id = c.id and a.state = 'collected'), 0)
           + trunc(e.refunded_units * c.usd_cents * 10000 / c.units),
         c.usd_cents
    from unnest(p_contracts) asked (id)
    join contract_endings e on e.contract_id = asked.id and e.settled_at is not null
    join contracts c on c.id = asked.id
    join plan_versions v on v.id = c.plan_version_id
    left join lateral (
      select credited_usd_micros, fees_usd_micros from mining_contract_days days
       where days.contract_id = c.id and days.day between c.starts_on and c.last_day order by days.day desc limit 1
    ) d on true
$$;

-- Writes what contracts came to, when they are settled and whenever that changes later: by a correction, a fee that is collected, a day of
-- a customer who was set apart. The last thing that a transaction does: plans' records have one lock.
create function mining_note_results(p_contracts uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
  if p_contracts is null then
    return;
  end if;
  insert into contract_results as known (contract_id, plan_id, usd_micros, usd_cents, cents, is_below)
  select r.contract_id, r.plan_id, r.usd_micros, r.usd_cents, round(r.usd_micros / r.usd_cents), r.usd_micros < r.usd_cents * 10000
    from results_of_contracts(p_contracts) r
   where not exists (select from contract_results w where w.contract_id = r.contract_id)
   order by r.contract_id;
  update contract_results known set usd_micros = r.usd_micros, cents = round(r.usd_micros / r.usd_cents),
         is_below = r.usd_micros < r.usd_cents * 10000
    from results_of_contracts(p_contracts) r
   where known.contract_id = r.contract_id and known.usd_micros <> r.usd_micros;
end
$$;

-- Contracts of these customers that have ended, were settled, and still owe: what is collected of it changes their results.
create function mining_owing_results(p_customers uuid[]) returns uuid[]
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select array_agg(distinct a.contract_id) from maintenance_arrears a
    join contract_endings e on e.contract_id = a.contract_id and e.settled_at is not null
   where a.state = 'open' and a.customer_id = any (p_customers)
$$;

revoke execute on function move_plan_records, records_of_plans, results_of_contracts, mining_note_results, mining_owing_results from public;
grant execute on function records_of_plans, results_of_contracts to assay_app;
grant select on sold_hashrate, contract_results, plan_results, plan_records to assay_app;
