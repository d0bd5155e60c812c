-- The clock of unpaid maintenance runs only while every day that is over is worked out: who is late with evidence takes no
-- time from a customer, and no contract. And one trigger function where there were twins. Why: docs/decisions/0045.

-- The oldest day that is over and not worked out, and since when nothing after it is known: from its end on, but not before the
-- day ahead of it was posted. No row: everything is worked out.
create function awaited_day(p_at timestamptz) returns table (day date, since timestamptz)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select open.day, greatest((open.day + 1)::timestamp at time zone 'UTC', before.posted_at)
    from (select coalesce((select day from mining_runs where state = 'posting'), next_mining_day()) as day) open
    left join mining_runs before on before.day = open.day - 1
   where open.day < (p_at at time zone 'UTC')::date
$$;

-- How long clocks have stood still since a moment, for days that are worked out by now. A number of seconds, never of days:
-- days are not always 24 hours long in the time zone of a connection.
create function clocks_stood(p_since timestamptz) returns interval
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select make_interval(secs => coalesce(sum(greatest(extract(epoch from
           r.posted_at - greatest((r.day + 1)::timestamp at time zone 'UTC', before.posted_at, p_since)), 0)), 0)::double precision)
    from mining_runs r left join mining_runs before on before.day = r.day - 1
   where r.state = 'posted' and r.posted_at > p_since
$$;

create index runs_as_posted on mining_runs (posted_at);

alter table maintenance_clocks
  -- Grows when a day is posted that was waited for; what is being waited for now is not in it yet.
  add column stood interval not null default '0' constraint clocks_never_run_ahead check (stood >= '0'),
  drop constraint clocks_run_seventy_two_hours;
update maintenance_clocks set stood = clocks_stood(started_at), expires_at = started_at + interval '72 hours' + clocks_stood(started_at)
 where state = 'running';
alter table maintenance_clocks
  add constraint clocks_run_seventy_two_hours check (expires_at = started_at + interval '72 hours' + stood);

-- Also for the owner of the tables.
create function check_expired_clock() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from awaited_day(new.ended_at)) or is_set_apart(new.customer_id)
     or new.stood <> clocks_stood(new.started_at) + clocks_apart(new.customer_id, new.started_at) then
    raise exception 'A clock runs out when every day that is over is worked out.'
      using errcode = 'check_violation', constraint = 'clocks_run_over_worked_days';
  end if;
  return new;
end
$$;
create trigger clocks_run_over_worked_days before insert or update on maintenance_clocks
  for each row when (new.state = 'expired') execute function check_expired_clock();

-- A day that closes moves the end of every clock that waited for it. A clock that is set at that moment waits, and sees the day.
create function move_clocks_that_waited() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('maintenance clocks', 0));
  update maintenance_clocks k set stood = begun.stood, expires_at = k.started_at + interval '72 hours' + begun.stood
    from (select late.id, since.stood + clocks_apart(late.customer_id, late.started_at) as stood
            from (select started_at, clocks_stood(started_at) as stood
                    from (select distinct started_at from maintenance_clocks where state = 'running') each) since
            join maintenance_clocks late on late.started_at = since.started_at and late.state = 'running') begun
   where k.id = begun.id and k.stood <> begun.stood;
  return null;
end
$$;
create trigger posted_days_move_clocks after update on mining_runs
  for each row when (new.state = 'posted' and old.state = 'posting') execute function move_clocks_that_waited();

-- As in 0022, but a clock that is set later than it started has stood still as long as those beside it.
create or replace function mining_set_clocks(p_customers uuid[], p_at timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('maintenance clocks', 0));
  update maintenance_clocks k set state = 'stopped', ended_at = p_at
   where k.state = 'running' and k.customer_id = any (p_customers)
     and k.started_at is distinct from (select min(a.posted_at) from maintenance_arrears a
                                         where a.contract_id = k.contract_id and a.state = 'open');
  insert into maintenance_clocks (id, contract_id, customer_id, started_at, stood, expires_at)
  select uuidv7(), late.contract_id, late.customer_id, late.since, late.stood, late.since + interval '72 hours' + late.stood
    from (select a.contract_id, a.customer_id, min(a.posted_at) as since, clocks_stood(min(a.posted_at)) + clocks_apart(a.customer_id, min(a.posted_at)) as stood
            from maintenance_arrears a
            -- What was cancelled cannot be cancelled again: what it still owed lapses.
            join contracts c on c.id = a.contract_id and c.end_reason is distinct from 'unpaid-maintenance'
           where a.state = 'open' and a.customer_id = any (p_customers)
             and not exists (select from maintenance_clocks k where k.contract_id = a.contract_id and k.state = 'running')
           group by a.contract_id, a.customer_id) late;
end
$$;

-- As in 0022, but never while a day that is over is not worked out: it may bring what is missing, or turn out to be the last.
create or replace function mining_expire_clocks(p_at timestamptz, p_limit integer default 1000) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  today date := (p_at at time zone 'UTC')::date;
  owners uuid[];
  expired uuid[];
  cancelled integer;
begin
  if exists (select from awaited_day(p_at)) then
    return 0;
  end if;
  select array_agg(distinct customer_id order by customer_id) into owners from (
    select customer_id from maintenance_clocks
     where state = 'running' and expires_at <= p_at order by expires_at limit p_limit) each;
  if owners is null then
    return 0;
  end if;
  perform ledger_lock_customers(owners);
  perform mining_collect_from(owners, p_at);

  select array_agg(contract_id) into expired from maintenance_clocks
   where state = 'running' and expires_at <= p_at and customer_id = any (owners);
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
  perform mining_settle_endings(p_at);
  return cancelled;
end
$$;

revoke execute on function clocks_stood, check_expired_clock, move_clocks_that_waited from public;

-- One function for what is entered under a transaction that a payout counts already ----------------------------
-- As 0047's refuse_payout_as_deposit and refuse_payout_as_own_money, which differed in what they call the refusal and in what the
-- chain shows at a customer's own address: that is his.

create function refuse_payout() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fact('deposits.txid:' || new.txid);
  if tg_table_name = 'deposits' then
    if new.payment_id is not null or is_in_chain(new) is not null then
      return new;
    end if;
  end if;
  if exists (select from pool_payouts p where p.txid = new.txid and payout_counts(p)) then
    raise exception 'Transaction % is the payout of a pool.', new.txid
      using errcode = 'unique_violation', constraint = tg_argv[0];
  end if;
  return new;
end
$$;
drop trigger deposits_are_not_payouts on deposits;
drop trigger own_money_is_no_payout on adjustments;
drop function refuse_payout_as_deposit, refuse_payout_as_own_money;
create trigger deposits_are_not_payouts before update of txid on deposits
  for each row when (new.txid is not null) execute function refuse_payout('one_deposit_per_payment');
create trigger own_money_is_no_payout before insert on adjustments
  for each row when (new.txid is not null) execute function refuse_payout('one_payment_is_counted_once');
alter table deposits enable always trigger deposits_are_not_payouts;
alter table adjustments enable always trigger own_money_is_no_payout;
revoke execute on function refuse_payout from public;
