-- Maintenance that a balance does not cover. mining_post_chunk writes what is owed (maintenance_arrears), and a clock runs for
-- the contract from the moment that its oldest unpaid fee was posted (mining_set_clocks), until nothing is left to pay. Every
-- minute what balances now cover is taken, and contracts whose clock ran out are cancelled. A clock pauses from the end of a day
-- until it is posted, for all customers or for its own (clocks_stood): docs/decisions/0045.

-- From those of these customers whose balance covers the oldest of what they owe. Returns how many paid.
create or replace function mining_collect_arrears(p_at ledger_time, p_customers uuid[]) returns integer
language plpgsql security definer set plan_cache_mode = force_custom_plan as $$
begin
  return mining_do('arrears', p_at, array(
    select a.customer_id from (
      select distinct on (customer_id) customer_id, fee_sats from maintenance_arrears
       where state = 'open' and customer_id = any (p_customers) order by customer_id, day, bought_at, contract_id) a
      join ledger_accounts b on b.owner_id = a.customer_id and b.account = 'available' and b.asset = 'BTC'
     where b.balance >= a.fee_sats and not mining_leaves_out(a.customer_id, 'arrears', p_at) order by a.customer_id));
end $$;

-- Takes what customers owe from before, oldest days first, as far as each balance goes, and sets their clocks. The caller has
-- locked the customers. Returns how many of them paid something.
create or replace function mining_collect_from(p_customers uuid[], p_at timestamptz) returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare transfers uuid[]; owners uuid[];
begin
  with due as (
    select a.contract_id, a.day, a.customer_id, b.balance,
           sum(a.fee_sats) over (partition by a.customer_id order by a.day, a.bought_at, a.contract_id) as upto
      from maintenance_arrears a
      join ledger_accounts b on b.owner_id = a.customer_id and b.account = 'available' and b.asset = 'BTC'
     where a.state = 'open' and a.customer_id = any (p_customers)
  ), payments as materialized (
    select uuidv7() as id, customer_id from due where upto <= balance group by customer_id
  ), closed as (
    update maintenance_arrears a set state = 'collected', closed_at = p_at, transfer_id = payments.id
      from due join payments on payments.customer_id = due.customer_id
     where due.upto <= due.balance and a.contract_id = due.contract_id and a.day = due.day and a.state = 'open'
  )
  select array_agg(id), array_agg(customer_id) into transfers, owners from payments;
  perform mining_post('maintenance-fee', (p_at at time zone 'UTC')::date, p_at, transfers, owners);
  perform mining_set_clocks(p_customers, p_at);
  -- Of contracts that ended and were settled, the result has changed.
  perform mining_note_results((
    select array_agg(distinct a.contract_id) from maintenance_arrears a
      join contract_endings e on e.contract_id = a.contract_id and e.settled_at is not null where a.transfer_id = any (transfers)));
  return coalesce(cardinality(owners), 0);
end $$;

-- A clock runs only while a fee is unpaid. One that is set later than it started has paused for as long as the others.
create or replace function mining_set_clocks(p_customers uuid[], p_at timestamptz) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('maintenance clocks', 0));
  update maintenance_clocks k set state = 'stopped', ended_at = p_at
   where k.state = 'running' and k.customer_id = any (p_customers) and k.started_at is distinct from (
     select min(a.posted_at) from maintenance_arrears a where a.contract_id = k.contract_id and a.state = 'open');
  insert into maintenance_clocks (id, contract_id, customer_id, started_at, stood, expires_at)
  select uuidv7(), late.contract_id, late.customer_id, late.since, stood, late.since + terms.unpaid_maintenance + stood
    from (select a.contract_id, a.customer_id, min(a.posted_at) as since
            from maintenance_arrears a
            -- What was cancelled cannot be cancelled again: what it still owed lapses.
            join contracts c on c.id = a.contract_id and c.end_reason is distinct from 'unpaid-maintenance'
           where a.state = 'open' and a.customer_id = any (p_customers)
             and not exists (select from maintenance_clocks k where k.contract_id = a.contract_id and k.state = 'running')
           group by a.contract_id, a.customer_id) late
   cross join clocks_stood(late.since, late.customer_id) stood cross join terms_in_force terms;
end $$;

-- The oldest day that is over and not worked out, and since when nothing after it is known: from its end on, but not before the
-- day ahead of it was posted. No row: everything is worked out.
create or replace function awaited_day(p_at timestamptz) returns table (day date, since timestamptz) language sql stable as $$
  select open.day, greatest((open.day + 1)::timestamp at time zone 'UTC', before.posted_at)
    from next_mining_day() open (day) left join mining_runs before on before.day = open.day - 1
   where open.day < (p_at at time zone 'UTC')::date
$$;

-- How long clocks have paused since a moment: for days that are worked out by now, and for those of a customer that were set apart. Hours
-- of both count twice (docs/decisions/0055). In seconds, never in days: days are not always 24 hours long in a connection's time zone.
create or replace function clocks_stood(p_since timestamptz, p_customer uuid default null) returns interval language sql stable as $$
  select make_interval(secs => coalesce(sum(greatest(extract(epoch from
           posted_at - greatest(awaited_since, before, p_since)), 0)), 0)::double precision)
    from (select r.posted_at, (r.day + 1)::timestamp at time zone 'UTC' as awaited_since, before.posted_at as before
            from mining_runs r left join mining_runs before on before.day = r.day - 1 where r.state = 'posted' and r.posted_at > p_since
          union all
          select posted_at, set_apart_at, max(posted_at) over (order by day rows between unbounded preceding and 1 preceding)
            from mining_chunks
           where first_customer_id = p_customer and set_apart_at is not null and posted_at is not null and correction_id is null) each
   where posted_at > p_since
$$;

-- A day that is posted moves the end of every clock that waited for it: for all customers (null), or for one who was set apart. A
-- clock that is set while a day is closed waits for that, and sees the day.
create or replace function mining_move_clocks(p_customer uuid) returns void language plpgsql as $$
begin
  perform case when p_customer is null then pg_advisory_xact_lock(clocks) else pg_advisory_xact_lock_shared(clocks) end
     from hashtextextended('maintenance clocks', 0) clocks;
  update maintenance_clocks k set stood = today.stood, expires_at = k.expires_at - k.stood + today.stood
    from (select id, clocks_stood(started_at, customer_id) as stood from maintenance_clocks
           where state = 'running' and (p_customer is null or customer_id = p_customer)) today
   where k.id = today.id and k.stood <> today.stood;
end $$;

-- None while a day that is over is not worked out, which may bring what is missing, or turn out to be the last. Ending contracts
-- and opening a day wait for each other; the later of the two tries again a minute later. Returns how many were cancelled.
create or replace function mining_expire_clocks(p_at ledger_time, p_limit integer default 1000) returns integer
language plpgsql security definer set plan_cache_mode = force_custom_plan as $$
begin
  if not exists (select from maintenance_clocks where state = 'running' and expires_at <= p_at) then return 0; end if;
  perform lock_fact('mining evidence');
  if exists (select from awaited_day(p_at)) or exists (select from mining_runs where day >= (p_at at time zone 'UTC')::date) then
    return 0;
  end if;
  return mining_do('clocks', p_at, array(select distinct customer_id from (
    select customer_id from maintenance_clocks
     where state = 'running' and expires_at <= p_at and not mining_leaves_out(customer_id, 'clocks', p_at)
     order by expires_at limit p_limit) each order by 1));
end $$;

-- Unless their balance covers them at the last moment. The last day served is the one before.
create or replace function mining_cancel_for(p_customers uuid[], p_at timestamptz) returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare cancelled integer;
begin
  -- Contracts that end free hashrate. The order of locks everywhere: customers, fleet, plans' records.
  perform lock_fleet();
  perform mining_collect_from(p_customers, p_at);
  with expired as (
    update maintenance_clocks set state = 'expired', ended_at = p_at
     where state = 'running' and expires_at <= p_at and customer_id = any (p_customers) returning contract_id
  ), lapsed as (
    update maintenance_arrears set state = 'lapsed', closed_at = p_at where state = 'open' and contract_id in (table expired)
  ), ended as (
    update contracts set last_day = (p_at at time zone 'UTC')::date - 1, end_reason = 'unpaid-maintenance', ended_at = p_at
     where id in (table expired) and last_day is null returning id, customer_id
  )
  insert into contract_endings (contract_id, customer_id, reason, ended_at)
  select id, customer_id, 'unpaid-maintenance', p_at from ended;
  get diagnostics cancelled = row_count;
  return cancelled;
end $$;

-- Also when the owner of the tables writes it.
call check_rows('maintenance_clocks', 'before insert or update when (new.state = ''expired'')', 'clocks_run_over_worked_days',
  'clocks_run_over_worked_days: a clock runs out when every day that is over is worked out', $$
  not exists (select from awaited_day(new.ended_at))
  and not exists (select from mining_customers_apart where customer_id = new.customer_id and work = 'day')
  and new.stood = clocks_stood(new.started_at, new.customer_id)$$);
call check_rows('maintenance_clocks', 'before insert', 'clocks_run_seventy_two_hours',
  'exists (select from terms_in_force where new.expires_at = new.started_at + unpaid_maintenance + new.stood)');

grant execute on function mining_collect_arrears, mining_expire_clocks to assay_app;
