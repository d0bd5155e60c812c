-- A customer who cannot be posted is set apart, named and tried again; the day goes on for all others. Why: docs/decisions/0055.

-- Errors of the whole database, or of its moment: connection, deadlock, resources, limits, shutdown, disk. No customer is set
-- apart for them; the work is tried again as a whole.
create function concerns_everybody(p_sqlstate text) returns boolean
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select left(p_sqlstate, 2) in ('08', '25', '40', '53', '57', '58') or p_sqlstate in ('55P03', '54001')
$$;

-- When to try again: after 20 minutes, then ever more rarely, and once a day at last.
create function retry_after(p_at timestamptz, p_tries integer) returns timestamptz
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select p_at + least(make_interval(mins => 10 * (1 << least(p_tries, 8))), make_interval(hours => 24))
$$;

-- Days ---------------------------------------------------------------------------------------------------------

create function is_set_apart(p_customer uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from mining_chunks
                  where first_customer_id = p_customer and set_apart_at is not null and posted_at is null and correction_id is null)
$$;

-- The customers of a chunk.
create function mining_customers_of(p_chunk mining_chunks) returns uuid[]
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select array_agg(customer_id order by customer_id) from (
    select distinct customer_id from contracts
     where customer_id between p_chunk.first_customer_id and p_chunk.last_customer_id
       and starts_on <= p_chunk.day and (last_day is null or last_day >= p_chunk.day)) each
$$;

-- A customer's days are posted in their order, since receipts carry running totals, and corrections after their day.
create function mining_waits(p_chunk mining_chunks) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p_chunk.set_apart_at is not null and exists (
    select from mining_chunks e left join mining_corrections earlier on earlier.payout_id = e.correction_id
     where e.first_customer_id = p_chunk.first_customer_id and e.set_apart_at is not null and e.posted_at is null and e.id <> p_chunk.id
       and case when p_chunk.correction_id is null then e.correction_id is null and e.day < p_chunk.day
                else e.day = p_chunk.day and (e.correction_id is null or earlier.number < (
                  select number from mining_corrections where payout_id = p_chunk.correction_id)) end)
$$;

-- What a customer's contracts get and owe for a day, or get more by a correction of it, as the chunk's own posting works it out.
create function mining_share_of(p_chunk mining_chunks, out credit numeric, out fees numeric, out btc numeric, out eth numeric, out usdt numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(case when fix.payout_id is null then div(run.distributable_sats * c.ghs, run.shared_ghs)
           else div(fix.distributable_sats * c.ghs, fix.shared_ghs)
                - div(coalesce(earlier.distributable_sats, run.distributable_sats) * c.ghs, coalesce(earlier.shared_ghs, run.shared_ghs)) end), 0),
         coalesce(sum(div(c.ghs * 10000000 * plan.maintenance_usd_micros, run.btc_usd_e8)), 0),
         coalesce(sum(w.earned) filter (where c.coin = 'BTC'), 0),
         coalesce(sum(w.earned) filter (where c.coin = 'ETH'), 0),
         coalesce(sum(w.earned) filter (where c.coin = 'USDT'), 0)
    from mining_runs run
    left join mining_corrections fix on fix.payout_id = p_chunk.correction_id
    left join mining_corrections earlier on earlier.day = fix.day and earlier.number = fix.number - 1
    join contracts c on c.customer_id = p_chunk.first_customer_id and c.starts_on <= run.day and (c.last_day is null or c.last_day >= run.day)
    join mining_run_plans plan on plan.day = run.day and plan.plan_version_id = c.plan_version_id
    left join mining_runs before on before.day = c.starts_on - 1
   cross join lateral (
     select least(c.term_days, (run.cumulative_served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000) as served,
            least(c.term_days, (run.cumulative_served_ppm - run.served_ppm - coalesce(before.cumulative_served_ppm, 0)) / 1000000)
              as served_before) s
   cross join lateral (select div(c.units * s.served, c.term_days) - div(c.units * s.served_before, c.term_days) as earned) w
   where run.day = p_chunk.day
$$;

-- Keeps one customer's chunk apart, with the error and the share that is reserved.
create function mining_keep_apart(p_chunk bigint, p_error text, p_retry_at timestamptz, p_at timestamptz) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  update mining_chunks c set set_apart_at = coalesce(c.set_apart_at, p_at), error = left(p_error, 1000), retry_at = p_retry_at,
         reserved_sats = share.credit, fees_due_sats = share.fees,
         earned_btc_units = share.btc, earned_eth_units = share.eth, earned_usdt_units = share.usdt
    from mining_chunks same cross join mining_share_of(same) share
   where c.id = p_chunk and same.id = p_chunk
$$;

-- What is left to do after a chunk failed: of several customers each half is a chunk, down to the one that fails, who is set apart.
-- False: it is not one customer's fault, and the error is to be raised.
create function mining_set_apart(p_chunk bigint, p_sqlstate text, p_error text, p_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  chunk mining_chunks;
  owners uuid[];
  half integer;
begin
  if concerns_everybody(p_sqlstate) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('mining chunks', 0));
  select * into strict chunk from mining_chunks where id = p_chunk;
  owners := mining_customers_of(chunk);
  half := cardinality(owners) / 2;
  if half > 0 then
    insert into mining_chunks (day, correction_id, number, first_customer_id, last_customer_id)
    select chunk.day, chunk.correction_id, max(number) + 1, owners[half + 1], chunk.last_customer_id from mining_chunks
     where day = chunk.day and correction_id is not distinct from chunk.correction_id;
    update mining_chunks set last_customer_id = owners[half] where id = p_chunk;
    return true;
  end if;
  -- Posted before, or everybody fails: no customer is the cause.
  if owners is null
     or chunk.correction_id is null and exists (select from mining_customer_days where customer_id = owners[1] and day = chunk.day)
     or chunk.correction_id is not null
        and exists (select from mining_customer_corrections where customer_id = owners[1] and payout_id = chunk.correction_id)
     or chunk.set_apart_at is null and (
        select count(*) >= 100 and count(posted_at) = 0 from mining_chunks
         where day = chunk.day and correction_id is not distinct from chunk.correction_id
           and (set_apart_at is not null or posted_at is not null)) then
    return false;
  end if;
  update mining_chunks set tries = tries + 1, first_customer_id = owners[1], last_customer_id = owners[1] where id = p_chunk;
  perform mining_keep_apart(p_chunk, p_error, retry_after(p_at, chunk.tries + 1), p_at);
  return true;
end
$$;

-- Customers who cannot be posted for a day, or its correction, before something earlier of theirs is.
create function mining_set_apart_before(p_day date, p_correction uuid) returns table (customer_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select distinct e.first_customer_id from mining_chunks e
   where e.set_apart_at is not null and e.posted_at is null
     and case when p_correction is null then e.correction_id is null and e.day < p_day
              else e.day = p_day and e.correction_id is distinct from p_correction end
   order by 1
$$;

-- Takes a customer out of the chunk that a new day, or correction, was laid out with.
create function mining_cut_out(p_day date, p_correction uuid, p_customer uuid, p_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  chunk mining_chunks;
  owners uuid[];
  last_number integer;
begin
  select * into chunk from mining_chunks
   where day = p_day and correction_id is not distinct from p_correction and p_customer between first_customer_id and last_customer_id;
  owners := mining_customers_of(chunk);
  if owners is null or p_customer <> all (owners) then
    return;
  end if;
  last_number := (select max(number) from mining_chunks where day = p_day and correction_id is not distinct from p_correction);
  insert into mining_chunks (day, correction_id, number, first_customer_id, last_customer_id)
  select p_day, p_correction, last_number + row_number() over (), side[1], side[cardinality(side)]
    from (select array_agg(each order by each) as side from unnest(owners) each where each <> p_customer group by each < p_customer) sides;
  update mining_chunks set first_customer_id = p_customer, last_customer_id = p_customer where id = chunk.id;
  perform mining_keep_apart(chunk.id, 'Waits for an earlier day.', '-infinity', p_at);
end
$$;

-- For how long a customer's clocks have stood still because a day of theirs was set apart, since a moment. Seconds, as clocks_stood.
create function clocks_apart(p_customer uuid, p_since timestamptz) returns interval
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select make_interval(secs => coalesce(sum(greatest(extract(epoch from
           posted_at - greatest(set_apart_at, before, p_since)), 0)), 0)::double precision)
    from (select posted_at, set_apart_at, max(posted_at) over (order by day rows between unbounded preceding and 1 preceding) as before
            from mining_chunks
           where first_customer_id = p_customer and set_apart_at is not null and posted_at is not null and correction_id is null) each
   where posted_at > p_since
$$;

-- A customer who was set apart is posted: clocks move, and the run has the fees.
create function mining_came_back(p_chunk bigint, p_at timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  chunk mining_chunks;
begin
  select * into strict chunk from mining_chunks where id = p_chunk;
  update mining_runs set fees_paid_sats = fees_paid_sats + chunk.fees_paid_sats where day = chunk.day and state = 'posted';
  perform pg_advisory_xact_lock_shared(hashtextextended('maintenance clocks', 0));
  update maintenance_clocks k set stood = begun.stood, expires_at = k.started_at + interval '72 hours' + begun.stood
    from (select id, clocks_stood(started_at) + clocks_apart(customer_id, started_at) as stood
            from maintenance_clocks where customer_id = chunk.first_customer_id and state = 'running') begun
   where k.id = begun.id and k.stood <> begun.stood;
  perform mining_note_results((
    select array_agg(e.contract_id) from contract_endings e join contracts c on c.id = e.contract_id
     where e.customer_id = chunk.first_customer_id and e.settled_at is not null and c.last_day >= chunk.day));
end
$$;

-- Days and corrections of which somebody who is set apart is to be tried again, oldest first.
create function mining_chunks_to_retry(p_at timestamptz) returns table (day date, correction_id uuid)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.day, c.correction_id from mining_chunks c left join mining_corrections f on f.payout_id = c.correction_id
   where c.set_apart_at is not null and c.posted_at is null and c.retry_at <= p_at and not mining_waits(c)
   group by c.day, c.correction_id, f.number order by c.day, f.number nulls first
$$;

-- What else is done for many customers at once --------------------------------------------------------------------

-- Work for a customer that failed, and is left out until it is tried again. The row goes when it succeeds.
create table mining_failures (
  customer_id uuid not null references customers,
  work text not null constraint failing_work_is_listed check (work in ('arrears', 'clocks', 'endings', 'inactivity')),
  error text not null,
  failed_at timestamptz not null,
  tries integer not null,
  retry_at timestamptz not null,
  told_at timestamptz,
  primary key (customer_id, work)
);

-- False: the error concerns everybody, and is to be raised.
create function mining_note_failure(p_customer uuid, p_work text, p_sqlstate text, p_error text, p_at timestamptz) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if concerns_everybody(p_sqlstate) then
    return false;
  end if;
  insert into mining_failures (customer_id, work, error, failed_at, tries, retry_at)
  values (p_customer, p_work, left(p_error, 1000), p_at, 1, retry_after(p_at, 1))
      on conflict (customer_id, work) do update
     set error = excluded.error, tries = mining_failures.tries + 1, retry_at = retry_after(p_at, mining_failures.tries + 1);
  return true;
end
$$;

-- Does one of the works below for all of these customers at once; if that fails, for each alone. Returns how many it was done for.
create function mining_do_for(p_work text, p_customers uuid[], p_day date, p_at timestamptz) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  done integer := 0;
  each uuid;
begin
  begin
    done := mining_do(p_work, p_customers, p_day, p_at);
    delete from mining_failures where work = p_work and customer_id = any (p_customers);
    return done;
  exception when others or assert_failure then
    if concerns_everybody(sqlstate) then
      raise;
    end if;
  end;
  foreach each in array p_customers loop
    begin
      done := done + mining_do(p_work, array[each], p_day, p_at);
      delete from mining_failures where work = p_work and customer_id = each;
    exception when others or assert_failure then
      if not mining_note_failure(each, p_work, sqlstate, sqlerrm, p_at) then
        raise;
      end if;
    end;
  end loop;
  return done;
end
$$;

create function mining_do(p_work text, p_customers uuid[], p_day date, p_at timestamptz) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform ledger_lock_customers(p_customers);
  case p_work
    when 'arrears' then return mining_collect_from(p_customers, p_at);
    when 'clocks' then return mining_expire_for(p_customers, p_at);
    when 'endings' then return mining_settle_for(p_customers, p_at);
    when 'inactivity' then return mining_charge_for(p_customers, p_day, p_at);
  end case;
end
$$;

-- By people ------------------------------------------------------------------------------------------------------

-- Everything that failed for one customer, for the console and for the mail to staff.
create view mining_customers_apart as
  select first_customer_id as customer_id, case when correction_id is null then 'day' else 'correction' end as work, day, error,
         set_apart_at as failed_at, tries, retry_at, reserved_sats, told_at
    from mining_chunks where set_apart_at is not null and posted_at is null
  union all
  select customer_id, work, null, error, failed_at, tries, retry_at, null, told_at from mining_failures;

-- Has everything that failed for a customer tried at once, by an act of staff.
create function mining_retry_now(p_customer uuid, p_action uuid, p_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform p_at::ledger_time;
  if not staff_did(p_action, 'mining/retry-customer', 'customer:' || p_customer) then
    raise exception 'What is set apart is tried again by an act of staff.'
      using errcode = 'check_violation', constraint = 'retries_are_staff_acts';
  end if;
  update mining_chunks set retry_at = p_at
   where first_customer_id = p_customer and set_apart_at is not null and posted_at is null and retry_at > p_at;
  update mining_failures set retry_at = p_at where customer_id = p_customer and retry_at > p_at;
end
$$;

-- Staff were told of these.
create function mining_note_told(p_customers uuid[], p_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform p_at::ledger_time;
  update mining_chunks set told_at = p_at
   where first_customer_id = any (p_customers) and set_apart_at is not null and posted_at is null and told_at is null;
  update mining_failures set told_at = p_at where customer_id = any (p_customers) and told_at is null;
end
$$;

revoke execute on function concerns_everybody, retry_after, is_set_apart, mining_customers_of, mining_waits, mining_share_of,
  mining_keep_apart, mining_set_apart, mining_set_apart_before, mining_cut_out, clocks_apart, mining_came_back,
  mining_chunks_to_retry, mining_note_failure, mining_do_for, mining_do, mining_retry_now, mining_note_told from public;
grant execute on function is_set_apart, clocks_apart, mining_waits, mining_chunks_to_retry, mining_retry_now, mining_note_told
  to assay_app;
grant select on mining_failures, mining_customers_apart to assay_app;
