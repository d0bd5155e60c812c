-- Old months of receipts: docs/operating/old-months.md. Of what is taken out stay each contract's last receipt and each customer's last
-- day, which have the totals, in a part of their own: mining_contract_days_until_2026_11.

create or replace function receipts_until(p_month date) returns text language sql immutable as $$
  select to_char(p_month::timestamp, '"_until_"YYYY_MM')
$$;

-- Takes the oldest month out: once its transfers are, and nothing that is still to be posted asks for its receipts.
create or replace procedure detach_mining_month(p_month date) language plpgsql as $$
declare
  above date := p_month + interval '1 month';
  former text := (select receipts_until(max(month)) from months where parent = 'mining_contract_days' and detached_at is not null);
  of record;
begin
  perform lock_fact('mining evidence');
  perform demand('months_are_worked_out_before', exists (select from mining_runs where day = above and state = 'posted')
    and not exists (select from mining_chunks where day < above and posted_at is null)
    and not exists (select from mining_corrections where day < above and state = 'posting')
    and not exists (select from corrections_to_post() where day < above));
  perform demand('receipts_go_after_their_transfers', not exists (
    select from ledger_transfers
     where kind in ('mining-credit', 'maintenance-fee') and day < above and key not like 'maintenance-arrears:%'));
  for of in values ('mining_contract_days', 'contract_id'), ('mining_customer_days', 'customer_id') loop
    execute format('create table %I (like %I including all)', of.column1 || receipts_until(p_month), of.column1);
    execute format('insert into %1$I select distinct on (%2$I) * from (table %3$I%4$s) each order by %2$I, day desc',
                   of.column1 || receipts_until(p_month), of.column2, of.column1 || to_char(p_month, '_YYYY_MM'),
                   ' union all table ' || of.column1 || former);
    call detach_part(of.column1, p_month);
    if former is not null then
      execute format('drop table %I', of.column1 || former);
    end if;
    call attach_part(of.column1, of.column1 || receipts_until(p_month), null, above::text);
  end loop;
end $$;

-- Puts back the month that was taken out last.
create or replace procedure attach_mining_month(p_month date) language plpgsql as $$
declare
  former text := (select receipts_until(max(month)) from months
                   where parent = 'mining_contract_days' and detached_at is not null and month < p_month);
  of record;
begin
  perform lock_fact('mining evidence');
  perform demand('months_are_put_back_in_turn',
    p_month = (select max(month) from months where parent = 'mining_contract_days' and detached_at is not null));
  for of in select parent, parent || receipts_until(p_month) as last
              from unnest('{mining_contract_days,mining_customer_days}'::text[]) parent loop
    execute format('alter table %I detach partition %I', of.parent, of.last);
    if former is not null then
      execute format('create table %I (like %I including all)', of.parent || former, of.parent);
      execute format('insert into %I select * from %I where day < %L', of.parent || former, of.last, p_month);
      call attach_part(of.parent, of.parent || former, null, p_month::text);
    end if;
    execute format('drop table %I', of.last);
    call attach_month(of.parent, p_month);
  end loop;
end $$;
