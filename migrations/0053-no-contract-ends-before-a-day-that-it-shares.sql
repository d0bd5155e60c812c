-- A clock that runs out just before midnight, in a minute that takes longer, ended its contract the day before, while another process
-- began to work out the day with the contract in it: the day was both credited and paid back.

-- As in 0051, but who ends contracts and who opens a day wait for each other, and who comes too late comes again a minute later.
create or replace function mining_expire_clocks(p_at timestamptz, p_limit integer default 1000) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  today date := (p_at at time zone 'UTC')::date;
  owners uuid[];
begin
  perform p_at::ledger_time;
  if not exists (select from maintenance_clocks where state = 'running' and expires_at <= p_at) then
    return 0;
  end if;
  perform lock_evidence();
  if exists (select from awaited_day(p_at)) or exists (select from mining_runs where day >= today) then
    return 0;
  end if;
  select array_agg(distinct customer_id order by customer_id) into owners from (
    select customer_id from maintenance_clocks k
     where state = 'running' and expires_at <= p_at and not is_set_apart(customer_id)
       and not exists (select from mining_failures f where f.customer_id = k.customer_id and f.work = 'clocks' and f.retry_at > p_at)
     order by expires_at limit p_limit) each;
  if owners is null then
    return 0;
  end if;
  return mining_do_for('clocks', owners, null, p_at);
end
$$;

create function mining_expire_for(p_customers uuid[], p_at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  today date := (p_at at time zone 'UTC')::date;
  expired uuid[];
  cancelled integer;
begin
  -- Contracts that end free hashrate: everybody takes the fleet's lock after customers, and before plans' records.
  perform lock_fleet();
  perform mining_collect_from(p_customers, p_at);
  select array_agg(contract_id) into expired from maintenance_clocks
   where state = 'running' and expires_at <= p_at and customer_id = any (p_customers);
  update maintenance_clocks set state = 'expired', ended_at = p_at where state = 'running' and contract_id = any (expired);
  update maintenance_arrears set state = 'lapsed', closed_at = p_at where state = 'open' and contract_id = any (expired);
  with ended as (
    update contracts set last_day = today - 1, end_reason = 'unpaid-maintenance', ended_at = p_at
     where id = any (expired) and last_day is null
    returning id, customer_id
  )
  insert into contract_endings (contract_id, customer_id, reason, ended_at)
  select id, customer_id, 'unpaid-maintenance', p_at from ended;
  get diagnostics cancelled = row_count;
  return cancelled;
end
$$;
revoke execute on function mining_expire_for from public;

-- Also for the owner of the tables, and for what is given back.
create function check_contract_end() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from mining_runs where day > new.last_day and day >= new.starts_on) then
    raise exception 'A day of contract % after % is worked out already.', new.id, new.last_day
      using errcode = 'check_violation', constraint = 'contracts_end_after_what_is_worked_out';
  end if;
  return new;
end
$$;
create trigger contracts_end_after_what_is_worked_out before update of last_day on contracts
  for each row when (old.last_day is null and new.last_day is not null) execute function check_contract_end();
revoke execute on function check_contract_end from public;
