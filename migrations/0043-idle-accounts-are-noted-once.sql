-- Two processes that work at one day both come to its end: who notes an idle account second finds it noted. As in 0030
-- otherwise.
create or replace function mining_note_inactivity(p_day date, p_at timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
begin
  perform p_at::ledger_time;
  update inactivity_notices n set ended_at = p_at
   where n.ended_at is null and exists (
     select from contracts c where c.customer_id = n.customer_id and c.end_reason is distinct from 'given-back'
        and (c.last_day is null or c.last_day > n.inactive_since));
  insert into inactivity_notices (id, customer_id, inactive_since, noticed_at, first_fee_day)
  select uuidv7(), each.customer_id, each.since, p_at, greatest(each.since + 31, (p_at at time zone 'UTC')::date + 7)
    from (
      select idle.owner_id as customer_id, coalesce(had.last_day, first.day) as since
        from (
          select a.owner_id from ledger_accounts a
            join customers person on person.id = a.owner_id
           where a.account = 'available' and a.asset = 'BTC' and a.balance > 70000
             and not exists (select from contracts c where c.customer_id = a.owner_id and c.last_day is null)
             and not exists (select from inactivity_notices n where n.customer_id = a.owner_id and n.ended_at is null)
          offset 0) idle
       cross join lateral (select max(last_day) as last_day from contracts c
                            where c.customer_id = idle.owner_id and c.end_reason is distinct from 'given-back') had
        left join lateral (
          select t.day from ledger_entries e join ledger_transfers t on t.number = e.transfer_number
           where had.last_day is null and e.owner_id = idle.owner_id and e.account = 'available' and e.asset = 'BTC'
             and e.account in ('available', 'held')
           order by e.transfer_number limit 1) first on true) each
   where each.since <= p_day - 23
      on conflict (customer_id) where ended_at is null do nothing;
end
$$;
