-- Transfers and entries are kept by months, so that old ones can be taken out: docs/decisions/0072.

-- The number of a month's first transfer, and of the first one that is still here.
create or replace function ledger_first_of(p_month date) returns bigint language sql immutable as $$
  select to_char(p_month::timestamp, 'YYYYMM')::bigint * 10000000000
$$;
create or replace function ledger_begin() returns bigint language sql stable security definer as $$
  select coalesce(ledger_first_of((max(month) + interval '1 month')::date), 0) from months
   where parent = 'ledger_transfers' and detached_at is not null
$$;

-- Opens the month of a day and the next one. Numbers go on in the first once it was opened before: they do not wait for a commit. Whoever
-- asks too early opens the one of the clock.
create or replace function open_ledger_months(p_day date) returns void language plpgsql security definer set lock_timeout = '3s' as $$
declare this date := date_trunc('month', least(p_day, (clock_timestamp() at time zone 'UTC')::date));
begin
  perform lock_fact('months');
  if exists (select from months where parent = 'ledger_entries' and month = this)
     and (select last_value from ledger_transfer_numbers) < ledger_first_of(this) then
    perform setval('ledger_transfer_numbers', ledger_first_of(this));
  end if;
  perform open_month(parent, month::date)
     from unnest('{ledger_transfers,ledger_entries}'::text[]) parent, unnest(array[this, this + interval '1 month']) month;
end $$;

-- Moves what is below a number into the totals of what was taken out, or out of them again (-1).
create or replace function ledger_move_totals(p_below bigint, p_sign integer) returns void language sql as $$
  insert into ledger_opening_totals as o (owner_id, kind, asset, units, entries)
  select owner_id, kind, asset, p_sign * sum(units), p_sign * sum(entries)
    from ledger_movements where transfer_number > 0 and transfer_number < p_below group by owner_id, kind, asset
      on conflict (owner_id, kind, asset) do update set units = o.units + excluded.units, entries = o.entries + excluded.entries;
  delete from ledger_opening_totals where entries = 0
$$;

-- Takes the oldest month out of the ledger, which is under seals. The house's balances are noted at the first one that knows all of it.
create or replace procedure detach_ledger_month(p_month date) language plpgsql as $$
declare above bigint := ledger_first_of((p_month + interval '1 month')::date); seal bigint;
begin
  perform lock_fact('months');
  select min(number) into seal from ledger_seals where complete_through >= above - 1;
  perform demand('months_are_sealed_before', seal is not null and (select last_value from ledger_transfer_numbers) >= above);
  perform snapshot_house_balances(1, seal);
  update months set newest_at = (select max(occurred_at) from ledger_transfers where number < above)
   where parent = 'ledger_transfers' and month = p_month;
  insert into ledger_openings (owner_id, account, asset, balance, entry_count)
  select distinct on (owner_id, account, asset) owner_id, account, asset, balance_after, sequence
    from ledger_entries where account in ('available', 'held') and transfer_number < above
   order by owner_id, account, asset, transfer_number desc
      on conflict (owner_id, account, asset) do update set balance = excluded.balance, entry_count = excluded.entry_count;
  perform ledger_move_totals(above, 1);
  call detach_part('ledger_entries', p_month);
  call detach_part('ledger_transfers', p_month);
end $$;

-- Puts it back, and where accounts stood before it.
create or replace procedure attach_ledger_month(p_month date) language plpgsql as $$
declare above bigint := ledger_first_of((p_month + interval '1 month')::date);
begin
  perform lock_fact('months');
  call attach_month('ledger_transfers', p_month);
  call attach_month('ledger_entries', p_month);
  perform demand('months_come_back_whole', (select count(*) from ledger_transfers where number < above)
    = (select count(*) from ledger_keys where number >= ledger_first_of(p_month) and number < above));
  insert into ledger_openings (owner_id, account, asset, balance, entry_count)
  select distinct on (owner_id, account, asset) owner_id, account, asset, balance_after - units, sequence - 1
    from ledger_entries where account in ('available', 'held') and transfer_number < above
   order by owner_id, account, asset, transfer_number
      on conflict (owner_id, account, asset) do update set balance = excluded.balance, entry_count = excluded.entry_count;
  delete from ledger_openings where entry_count = 0;
  perform ledger_move_totals(above, -1);
end $$;

grant execute on function open_ledger_months, ledger_begin to assay_app;
