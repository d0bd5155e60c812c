-- The house's balances: its accounts keep none, they are summed from the last note of them.

-- Notes the house's balances at a seal, or at the newest one once enough transfers came under seals since the last note.
create or replace function snapshot_house_balances(p_every integer default 10000, p_seal bigint default null) returns bigint
language plpgsql security definer set plan_cache_mode = force_custom_plan as $$
declare since bigint; upto bigint;
begin
  lock table ledger_house_snapshots in share row exclusive mode;
  select coalesce(max(seal_number), 0) into since from ledger_house_snapshots where p_seal is null or seal_number <= p_seal;
  select max(number) into upto from ledger_seals
   where number > since and (p_seal is null or number <= p_seal) having sum(transfer_count) >= p_every;
  if upto is null then return null; end if;
  insert into ledger_house_snapshots (seal_number, account, asset, units)
  select upto, a.account, a.asset, coalesce(before.units, 0) + coalesce(moved.units, 0) from ledger_accounts a
    left join ledger_house_snapshots before
      on before.seal_number = since and before.account = a.account and before.asset = a.asset
    left join (select leg.account, leg.asset, sum(leg.units) as units
                 from ledger_seals s
                 cross join unnest(s.covers) block
                 join ledger_transfers t on t.number >= lower(block) and t.number < upper(block)
                 cross join unnest(t.legs) leg
                where s.number > since and s.number <= upto
                group by leg.account, leg.asset) moved
      on moved.account = a.account and moved.asset = a.asset
   where a.owner_id = '00000000-0000-0000-0000-000000000000';
  return upto;
end $$;

-- The house's balances now, or by everything that had happened at a moment: from the last snapshot before it, and what came since. What
-- lies under a seal had happened when the seal was made. Sees what the calling statement sees.
create or replace function house_balances(p_moment timestamptz default null) returns table (account text, asset text, units numeric)
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare since bigint; complete_through bigint;
begin
  select s.number, s.complete_through into since, complete_through
    from ledger_house_snapshots h join ledger_seals s on s.number = h.seal_number
   where p_moment is null or s.sealed_at <= p_moment order by h.seal_number desc limit 1;
  perform demand('sums_begin_with_what_is_here', p_moment is null or coalesce(complete_through, 0) >= ledger_begin() - 1);
  -- Written out, so that the planner knows how little lies above the number.
  return query execute format($sums$
    select a.account, a.asset::text, coalesce(before.units, 0) + coalesce(moved.units, 0)
      from ledger_accounts a
      left join ledger_house_snapshots before
        on before.seal_number = %1$s and before.account = a.account and before.asset = a.asset
      left join (select e.account, e.asset, sum(e.units) as units from ledger_entries e %2$s
                  where e.transfer_number > %3$s and e.sequence is null and not e.transfer_number <@ %4$L::int8multirange
                  group by e.account, e.asset) moved
        on moved.account = a.account and moved.asset = a.asset
     where a.owner_id = '00000000-0000-0000-0000-000000000000'
  $sums$, coalesce(since, 0),
    case when p_moment is not null then
      format('join ledger_transfers t on t.number = e.transfer_number and t.occurred_at <= %L', p_moment) end,
    coalesce(complete_through, 0), ledger_covered_after(coalesce(complete_through, 0), coalesce(since, 0)));
end $$;

create or replace function custody_at(p_moment timestamptz) returns table (asset text, units numeric)
language sql stable security definer as $$
  select asset, -units from house_balances(p_moment) where account = 'custody'
$$;

-- Nobody gives away more of the operator's own money than there is. The house's accounts keep no balance row, so
-- whoever asks waits here for who asked before, and then sums what is committed.
create or replace function require_equity() returns void language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fact('ledger.operator_equity');
  perform demand('equity_never_below_zero', not exists (
    select from house_balances() b where b.account = 'operator_equity' and b.units < 0),
    says => 'The operator''s own money does not suffice.');
end $$;

grant execute on function snapshot_house_balances, custody_at to assay_app;
