/**
 * Functions for tests that plant what is false, as somebody could who owns the tables: each leaves a ledger in which every
 * transfer balances and every balance follows from its entries.
 */
export const plantingFunctions = `
  create function plant(p_key text, p_kind text, p_owner uuid, p_legs ledger_leg[], p_source text, p_at timestamptz,
                        p_day date default null, p_reverses uuid default null) returns uuid language plpgsql as $$
  declare
    t ledger_transfers;
    leg ledger_leg;
    place bigint;
    after numeric;
  begin
    insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
    values (gen_random_uuid(), p_key, p_kind, p_owner, coalesce(p_day, (p_at at time zone 'UTC')::date), p_at, p_source, '', p_reverses, p_legs)
    returning * into t;
    insert into ledger_keys (number, id, key, kind, reverses) values (t.number, t.id, t.key, t.kind, t.reverses);
    foreach leg in array p_legs loop
      place := null;
      after := null;
      if leg.account in ('available', 'held') then
        insert into ledger_accounts values (p_owner, leg.account, leg.asset, 0, 0) on conflict do nothing;
        update ledger_accounts set balance = balance + leg.units, entry_count = entry_count + 1
         where owner_id = p_owner and account = leg.account and asset = leg.asset returning entry_count, balance into place, after;
      end if;
      insert into ledger_entries values (p_owner, t.number, leg.account, leg.asset, leg.units, place, after);
    end loop;
    return t.id;
  end $$;

  create function vanish(p_key text) returns ledger_transfers language plpgsql as $$
  declare
    t ledger_transfers;
    e ledger_entries;
  begin
    delete from ledger_transfers where key = p_key returning * into strict t;
    delete from ledger_keys where number = t.number;
    for e in delete from ledger_entries where transfer_number = t.number returning * loop
      continue when e.sequence is null;
      update ledger_entries set sequence = sequence - 1, balance_after = balance_after - e.units
       where owner_id = e.owner_id and account = e.account and asset = e.asset and sequence > e.sequence;
      update ledger_accounts set balance = balance - e.units, entry_count = entry_count - 1
       where owner_id = e.owner_id and account = e.account and asset = e.asset;
    end loop;
    return t;
  end $$;

  -- Another amount of the same transfer, and all that follows from it.
  create function rescale(p_key text, p_legs ledger_leg[]) returns void language plpgsql as $$
  declare
    t ledger_transfers;
    leg ledger_leg;
    e ledger_entries;
  begin
    update ledger_transfers set legs = p_legs where key = p_key returning * into strict t;
    foreach leg in array p_legs loop
      select * into strict e from ledger_entries
       where transfer_number = t.number and account = leg.account and asset = leg.asset;
      update ledger_entries set units = leg.units where transfer_number = t.number and account = leg.account and asset = leg.asset;
      continue when e.sequence is null;
      update ledger_entries set balance_after = balance_after + leg.units - e.units
       where owner_id = e.owner_id and account = e.account and asset = e.asset and sequence >= e.sequence;
      update ledger_accounts set balance = balance + leg.units - e.units
       where owner_id = e.owner_id and account = e.account and asset = e.asset;
    end loop;
  end $$;

  create function times(p_legs ledger_leg[], p_factor numeric) returns ledger_leg[] language sql as $$
    select array_agg((leg.account, leg.asset, leg.units * p_factor)::ledger_leg order by place)
      from unnest(p_legs) with ordinality leg (account, asset, units, place) $$;

  create function give_to(p_key text, p_owner uuid) returns uuid language plpgsql as $$
  declare
    t ledger_transfers := vanish(p_key);
  begin
    return plant(t.key, t.kind, p_owner, t.legs, t.source, t.occurred_at, t.day, t.reverses);
  end $$;

  -- The first transfer of a kind.
  create function a(p_kind text) returns ledger_transfers language sql as $$
    select * from ledger_transfers where kind = p_kind order by number limit 1 $$;
  create function somebody_else(p_owner uuid) returns uuid language sql as $$
    select owner_id from ledger_accounts where account = 'available' and asset = 'BTC' and owner_id <> p_owner order by balance desc limit 1 $$;
  create function unseal() returns void language sql as $$
    delete from ledger_house_snapshots; delete from ledger_seals $$;
`;
