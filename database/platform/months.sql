-- Tables that grow for ever are kept by months, so that old ones can be taken out: docs/operating/old-months.md. The month of a row is in
-- the column by which its table is parted: a day, an id (a UUID of version 7 begins with its time), or a number that begins anew with
-- each month, at its year, its month and ten noughts.

-- The first value of a month of a table.
create or replace function month_begins(parent text, month date) returns text language sql stable as $$
  select case a.atttypid
           when 'date'::regtype then month::text
           when 'uuid'::regtype
             then lpad(to_hex((extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0') || repeat('0', 20)
           else to_char(month::timestamp, 'YYYYMM') || '0000000000' end
    from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
   where p.partrelid = parent::regclass
$$;

-- Puts a month's table among those of its parent. What is refused to whole statements of the parent is refused to it as well, once it is
-- taken out too: whoever owns the tables could else go around.
create or replace procedure attach_part(parent text, part text, lower text, upper text) language plpgsql as $$
begin
  execute format('alter table public.%I attach partition public.%I for values from (%s) to (%L)',
                 parent, part, coalesce(quote_literal(lower), 'minvalue'), upper);
  call guard_part(('public.' || part)::regclass);
end $$;

create or replace procedure guard_part(part regclass) language plpgsql as $$
declare of record;
begin
  for of in select t.tgname as name, pg_get_triggerdef(t.oid) as said from pg_trigger t join pg_inherits i on i.inhparent = t.tgrelid
             where i.inhrelid = part and t.tgtype & 1 = 0 and not t.tgisinternal loop
    execute regexp_replace(replace(of.said, 'CREATE TRIGGER', 'create or replace trigger'), ' ON \S+ ', ' on ' || part || ' ');
    execute format('alter table %s enable always trigger %I', part, of.name);
  end loop;
end $$;

-- Opens a month of a table, unless it or a later one is open. Attached, not created in place: readers of other months go on. A table with
-- a rest (a default partition) has no foreign keys: whoever opens a month would wait for writers of the other table, and they for the
-- rest. Where rows of the month are in the rest already, it stays there.
create or replace function open_month(p_parent text, p_month date) returns void language plpgsql as $$
declare part text := p_parent || to_char(p_month, '_YYYY_MM');
begin
  if exists (select from months where parent = p_parent and month >= p_month) then return; end if;
  execute format('create table public.%I (like public.%I including all excluding identity)
                    with (autovacuum_vacuum_insert_scale_factor = 1)', part, p_parent);
  call attach_part(p_parent, part, month_begins(p_parent, p_month), month_begins(p_parent, (p_month + interval '1 month')::date));
  insert into months (parent, month) values (p_parent, p_month);
exception when check_violation then
  return;
end $$;

-- Opens the month after that of a day, of a table that has a rest: never one that is written to, since a row on its way to the rest
-- would be refused. Whoever asks too early opens the one after the clock's. One table at a time, and gives way before PostgreSQL looks
-- for a deadlock: a writer may hold the rest of one table and want another's.
create or replace function open_next_month(p_parent text, p_day date) returns void
language plpgsql security definer set lock_timeout = '500ms' as $$
declare next date := date_trunc('month', least(p_day, (clock_timestamp() at time zone 'UTC')::date)::timestamp) + interval '1 month';
begin
  perform lock_fact('months');
  perform open_month(p_parent, next) from pg_partitioned_table where partrelid = p_parent::regclass and partdefid <> 0;
end $$;

-- Takes the oldest month out, a month after its end: until then much is still undone, given back and corrected. Its table stays, still
-- guarded, to be dumped and dropped. For the owner of the tables, as what follows. Gives way to readers before they deadlock.
create or replace procedure detach_part(p_parent text, p_month date) language plpgsql set lock_timeout = '500ms' as $$
declare part text := p_parent || to_char(p_month, '_YYYY_MM');
begin
  perform demand('months_are_taken_out_in_turn', p_month + interval '2 months' <= clock_timestamp() at time zone 'UTC'
    and p_month = (select min(month) from months where parent = p_parent and detached_at is null));
  execute format('alter table public.%I detach partition public.%I', p_parent, part);
  call refuse_always('insert or update', array[part]::text, 'what_is_taken_out_stays_as_it_is', null);
  update months set detached_at = clock_timestamp() where parent = p_parent and month = p_month;
end $$;

-- Of a table with a rest. Others have procedures of their own, which keep what is still needed.
create or replace procedure detach_month(p_parent text, p_month date) language plpgsql as $$
begin
  perform demand('months_of_money_have_their_own_way', exists (
    select from pg_partitioned_table where partrelid = p_parent::regclass and partdefid <> 0));
  perform demand('mails_are_sent_before_their_month_goes', p_parent <> 'mails' or not exists (
    select from mails where state = 'queued' and id < month_begins('mails', (p_month + interval '1 month')::date)::uuid));
  call detach_part(p_parent, p_month);
end $$;

-- Puts back the month that was taken out last, but for mails that were forgotten meanwhile.
create or replace procedure attach_month(p_parent text, p_month date) language plpgsql set lock_timeout = '500ms' as $$
declare part text := p_parent || to_char(p_month, '_YYYY_MM');
begin
  perform demand('months_are_put_back_in_turn',
    p_month = (select max(month) from months where parent = p_parent and detached_at is not null));
  execute format('drop trigger what_is_taken_out_stays_as_it_is on public.%I', part);
  call attach_part(p_parent, part, month_begins(p_parent, p_month), month_begins(p_parent, (p_month + interval '1 month')::date));
  if p_parent = 'mails' then
    delete from mails m where id >= month_begins('mails', p_month)::uuid and not exists (select from mail_keys k where k.id = m.id);
  end if;
  update months set detached_at = null where parent = p_parent and month = p_month;
end $$;

call keep_rows('{months}');
grant execute on function open_next_month to assay_app;
