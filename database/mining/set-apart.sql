-- One customer who fails stops nobody else: docs/decisions/0055. A chunk that failed is halved, down to the one customer who fails,
-- who is set apart with the error: the share is reserved, the day closes, and later days and corrections wait (mining_cut_out,
-- mining_waits). server/mining/days/retry-customers.ts tries again. An error of the whole database sets no customer apart.

-- A customer's days are posted in their order, since receipts carry running totals, and corrections after their day.
create or replace function mining_waits(p_chunk mining_chunks) returns boolean language sql stable as $$
  select p_chunk.set_apart_at is not null and exists (
    select from mining_chunks e left join mining_corrections earlier on earlier.payout_id = e.correction_id
     where e.first_customer_id = p_chunk.first_customer_id and e.set_apart_at is not null and e.posted_at is null and e.id <> p_chunk.id
       and case when p_chunk.correction_id is null then e.correction_id is null and e.day < p_chunk.day
                else e.day = p_chunk.day and (e.correction_id is null or earlier.number < (
                  select number from mining_corrections where payout_id = p_chunk.correction_id)) end)
$$;

-- False: it is not one customer's fault, and the error is to be raised.
create or replace function mining_set_apart(p_chunk bigint, p_sqlstate text, p_error text, p_at timestamptz) returns boolean
language plpgsql as $$
declare chunk mining_chunks; owners uuid[]; half integer;
begin
  if concerns_everybody(p_sqlstate) then return false; end if;
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
  -- Posted before, or all customers fail but for those who only wait: no customer is the cause.
  if owners = '{}'
     or exists (select from mining_customer_days where chunk.correction_id is null and customer_id = owners[1] and day = chunk.day)
     or exists (select from mining_customer_corrections where customer_id = owners[1] and payout_id = chunk.correction_id)
     or chunk.set_apart_at is null and (
        select count(*) >= 100 and count(posted_at) = 0 from mining_chunks
         where day = chunk.day and correction_id is not distinct from chunk.correction_id and (tries > 0 or posted_at is not null)) then
    return false;
  end if;
  update mining_chunks set tries = tries + 1 where id = p_chunk;
  perform mining_keep_apart(p_chunk, owners[1], p_error, retry_after(p_at, chunk.tries + 1), p_at);
  return true;
end $$;

-- Makes a chunk of one customer, with the error and the share that is reserved: as the day or the correction would give it.
create or replace function mining_keep_apart(p_chunk bigint, p_customer uuid, p_error text, p_retry_at timestamptz, p_at timestamptz)
returns void language sql as $$
  update mining_chunks c set first_customer_id = p_customer, last_customer_id = p_customer,
         set_apart_at = coalesce(c.set_apart_at, p_at), error = left(p_error, 1000), retry_at = p_retry_at,
         reserved_sats = share.credit, fees_due_sats = share.fees,
         earned_btc_units = share.btc, earned_eth_units = share.eth, earned_usdt_units = share.usdt
    from mining_chunks same join mining_runs run on run.day = same.day
    left join mining_corrections fix on fix.payout_id = same.correction_id
    left join mining_corrections earlier on earlier.day = fix.day and earlier.number = fix.number - 1
   cross join lateral (
     select coalesce(sum(case when fix.payout_id is null then w.credit else div(fix.distributable_sats * w.ghs, fix.shared_ghs)
              - div(coalesce(earlier.distributable_sats, run.distributable_sats) * w.ghs, coalesce(earlier.shared_ghs, run.shared_ghs))
              end), 0) as credit,
            coalesce(sum(w.fee), 0) as fees, coalesce(sum(w.earned) filter (where w.coin = 'BTC'), 0) as btc,
            coalesce(sum(w.earned) filter (where w.coin = 'ETH'), 0) as eth,
            coalesce(sum(w.earned) filter (where w.coin = 'USDT'), 0) as usdt
       from mining_worked(run, p_customer, p_customer) w) share
   where c.id = p_chunk and same.id = p_chunk
$$;

-- Of a day, or a correction, that was just laid out: customers who cannot be posted before something earlier of theirs is are
-- taken out of their chunks, which become one on each side of them.
create or replace function mining_cut_out(p_day date, p_correction uuid, p_at timestamptz) returns void language plpgsql as $$
declare customer uuid; chunk mining_chunks; owners uuid[]; place integer;
begin
  for customer in
    select distinct first_customer_id from mining_chunks where set_apart_at is not null and posted_at is null
       and case when p_correction is null then correction_id is null and day < p_day
                else day = p_day and correction_id is distinct from p_correction end order by 1
  loop
    select * into chunk from mining_chunks
     where day = p_day and correction_id is not distinct from p_correction and customer between first_customer_id and last_customer_id;
    owners := mining_customers_of(chunk);
    place := array_position(owners, customer);
    continue when place is null;
    insert into mining_chunks (day, correction_id, number, first_customer_id, last_customer_id)
    select p_day, p_correction, row_number() over () + (
             select max(number) from mining_chunks where day = p_day and correction_id is not distinct from p_correction),
           side[1], side[cardinality(side)] from (values (owners[:place - 1]), (owners[place + 1:])) sides (side) where side <> '{}';
    perform mining_keep_apart(chunk.id, customer, 'Waits for an earlier day.', '-infinity', p_at);
  end loop;
end $$;

-- Does a work for all of these customers at once; if that fails, for each alone, leaving out those who fail until they are tried
-- again. Returns how many it was done for.
create or replace function mining_do(p_work text, p_at timestamptz, p_customers uuid[], p_day date default null) returns integer
language plpgsql as $$
begin
  if p_customers = '{}' then return 0; end if;
  begin
    perform ledger_lock_customers(p_customers);
    delete from mining_failures where work = p_work and customer_id = any (p_customers);
    return case p_work
      when 'arrears' then mining_collect_from(p_customers, p_at)
      when 'clocks' then mining_cancel_for(p_customers, p_at)
      when 'endings' then mining_settle_for(p_customers, p_at)
      when 'inactivity' then mining_charge_for(p_customers, p_day, p_at) end;
  exception when others or assert_failure then
    if concerns_everybody(sqlstate) then raise; end if;
    if cardinality(p_customers) = 1 then
      insert into mining_failures (customer_id, work, error, failed_at, tries, retry_at)
      values (p_customers[1], p_work, left(sqlerrm, 1000), p_at, 1, retry_after(p_at, 1))
          on conflict (customer_id, work) do update
         set error = excluded.error, tries = mining_failures.tries + 1, retry_at = retry_after(p_at, mining_failures.tries + 1);
      return 0;
    end if;
  end;
  return (select sum(mining_do(p_work, p_at, array[each], p_day)) from unnest(p_customers) each);
end $$;

-- Whether a work leaves a customer out: it failed, and is not yet to be tried again. What ends contracts waits for their days as well.
create or replace function mining_leaves_out(p_customer uuid, p_work text, p_at timestamptz) returns boolean language sql stable as $$
  select exists (select from mining_customers_apart where customer_id = p_customer
                    and (work = p_work and retry_at > p_at or work = 'day' and p_work in ('clocks', 'endings')))
$$;

-- Has everything that failed for a customer tried at once, by an act of staff.
create or replace function mining_retry_now(p_customer uuid, p_action uuid, p_at ledger_time) returns void
language sql security definer as $$
  select demand('retries_are_staff_acts', staff_did(p_action, 'mining/retry-customer', 'customer:' || p_customer));
  update mining_chunks set retry_at = p_at
   where first_customer_id = p_customer and set_apart_at is not null and posted_at is null and retry_at > p_at;
  update mining_failures set retry_at = p_at where customer_id = p_customer and retry_at > p_at;
$$;

grant execute on function mining_retry_now to assay_app;
