create or replace function ledger_mirror(legs ledger_leg[]) returns ledger_leg[] language sql immutable as $$
  select array_agg(row (leg.account, leg.asset, -leg.units)::public.ledger_leg order by place)
    from unnest(legs) with ordinality leg (account, asset, units, place)
$$;

call check_rows('ledger_accounts', 'before insert', 'accounts_are_in_the_chart',
  'accounts_start_at_zero: Accounts start at zero.', 'not (new.balance <> 0 or new.entry_count <> 0)',
  'accounts_are_in_the_chart: Customers own accounts of customers, and only these keep a running balance.', $$(
    select (k.owner = 'customer') = (new.owner_id <> '00000000-0000-0000-0000-000000000000')
           and (k.owner = 'customer') = (new.balance is not null) and (new.balance is null) = (new.entry_count is null)
      from ledger_account_kinds k where k.account = new.account) is true$$);

-- The transfer with an id, unless its month was taken out. No join: `ledger_post` forbids all but hashing, which would read the journal.
create or replace function ledger_transfer(p_id uuid) returns setof ledger_transfers language sql stable as $$
  select * from public.ledger_transfers where number = (select number from public.ledger_keys where id = p_id)
$$;

-- Whether a reversal is the exact mirror of a transfer of the same owner that is no reversal itself.
create or replace function ledger_mirrors_another(t ledger_transfers) returns boolean language sql stable as $$
  select exists (select from ledger_transfer(t.reverses) o
                  where o.owner_id = t.owner_id and o.reverses is null and t.kind = 'reversal' and t.legs = ledger_mirror(o.legs))
$$;

-- Refuses a transfer by the name of the rule that it breaks, with its words.
create or replace function ledger_refuse(rule text, of_key text) returns void language plpgsql as $$
begin
  raise exception '%', case rule
    when 'a_reversal_mirrors_its_transfer' then 'A reversal is the exact mirror of a transfer that is no reversal itself.'
    when 'legs_stand_in_order' then 'The legs of a transfer stand in the order of assets and accounts, one for each.'
    when 'keys_are_of_the_kind_they_name' then format('The key %s is for transfers of the kind that it names.', of_key)
    when 'movements_are_listed' then format('The kind of the transfer %s may not move an account in this direction.', of_key)
    when 'transfers_sum_to_zero' then 'The legs of a transfer must sum to zero per asset.'
    when 'accounts_are_in_the_chart' then 'Customers own accounts of customers.' end using errcode = 'check_violation', constraint = rule;
end $$;

-- What an inserted transfer does: it moves the customer's balances and writes the entries, or it is refused. First what a transfer may
-- be, then what follows from it: for one transfer leg by leg, with each account found by its key, and for a hundred thousand in sets.
-- The same rules twice, since one plan for both makes a single posting a third slower (docs/decisions/0087); each rule's test asks both
-- forms. Which rule is named, of several that are broken, is said by the order of the questions below.
-- In sets, accounts are found by their owners and then matched by hashing, by one plan that a connection keeps, whatever the planner
-- believes of a table that has just grown. `(select true ...) is null` and not `not exists`: that one may be worked out for all accounts.
create or replace function ledger_post() returns trigger language plpgsql
set plan_cache_mode = force_generic_plan set enable_nestloop = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  one ledger_transfers; allowed ledger_transfer_kinds; this ledger_leg; before ledger_leg; running numeric := 0;
  is_disordered boolean := false; is_unlisted boolean := false; is_unbalanced boolean := false; is_misowned boolean := false;
  after_it ledger_balance; nth bigint := 0; wrong record; posting text;
begin
  select * into one from new_transfers;
  if one.number is not null and not exists (select from new_transfers offset 1) then
    select * into allowed from public.ledger_transfer_kinds where kind = one.kind;
    foreach this in array one.legs::public.ledger_leg[] loop
      is_disordered := is_disordered or nth > 0 and ((this.asset, this.account) > (before.asset, before.account)) is not true;
      nth := nth + 1;
      is_unlisted := is_unlisted or one.reverses is null
        and (this.account = any (case when this.units > 0 then allowed.credits else allowed.debits end)) is not true;
      if this.asset <> before.asset then
        is_unbalanced := is_unbalanced or running is distinct from 0;
        running := 0;
      end if;
      running := running + this.units;
      is_misowned := is_misowned or one.owner_id = nobody and this.account in ('available', 'held');
      before := this;
    end loop;
    if one.reverses is not null and not ledger_mirrors_another(one) then
      perform ledger_refuse('a_reversal_mirrors_its_transfer', one.key);
    elsif is_disordered then
      perform ledger_refuse('legs_stand_in_order', one.key);
    elsif one.kind <> split_part(one.key, ':', 1) and exists (select from public.ledger_transfer_kinds where kind = split_part(one.key, ':', 1)) then
      perform ledger_refuse('keys_are_of_the_kind_they_name', one.key);
    elsif is_unlisted then
      perform ledger_refuse('movements_are_listed', one.key);
    elsif is_unbalanced or running is distinct from 0 then
      perform ledger_refuse('transfers_sum_to_zero', one.key);
    elsif is_misowned then
      perform ledger_refuse('accounts_are_in_the_chart', one.key);
    end if;

    insert into public.ledger_keys (number, id, key, kind, reverses) values (one.number, one.id, one.key, one.kind, one.reverses);
    posting := set_config('ledger.posting', ledger_token() || ' ' || pg_trigger_depth(), true);
    foreach this in array one.legs::public.ledger_leg[] loop
      after_it := null;
      nth := null;
      if this.account in ('available', 'held') then
        update public.ledger_accounts set balance = balance + this.units, entry_count = entry_count + 1
         where owner_id = one.owner_id and account = this.account and asset = this.asset returning balance, entry_count into after_it, nth;
        if not found then
          insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
          values (one.owner_id, this.account, this.asset, 0, 0) on conflict do nothing;
          update public.ledger_accounts set balance = balance + this.units, entry_count = entry_count + 1
           where owner_id = one.owner_id and account = this.account and asset = this.asset returning balance, entry_count into after_it, nth;
        end if;
      end if;
      insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
      values (one.owner_id, one.number, this.account, this.asset, this.units, nth, after_it);
    end loop;
    posting := set_config('ledger.posting', '', true);
    return null;
  end if;

  select min(key) filter (where not ordered) as disordered, min(key) filter (where not listed) as unlisted,
         min(key) filter (where total is distinct from 0) as unbalanced, min(key) filter (where misowned) as misowned,
         min(key) filter (where misnamed) as misnamed,
         bool_or(opens) as opens, bool_or(reverses) as reverses
    into wrong
    from (select t.key, t.reverses is not null as reverses, bool_or(named.kind <> t.kind) as misnamed,
                 bool_and((leg.place = 1 or (leg.asset, leg.account) >
                           ((t.legs[leg.place - 1]).asset, (t.legs[leg.place - 1]).account)) is true) as ordered,
                 bool_and(t.reverses is not null
                          or (leg.account = any (case when leg.units > 0 then k.credits else k.debits end)) is true) as listed,
                 case when count(*) = count(leg.units) then sum(leg.units) end as total,
                 bool_or(t.owner_id = nobody and leg.account in ('available', 'held')) as misowned,
                 bool_or(leg.account in ('available', 'held') and (
                   select true from public.ledger_accounts a
                    where a.owner_id = t.owner_id and a.account = leg.account and a.asset = leg.asset) is null) as opens
            from new_transfers t
            left join public.ledger_transfer_kinds k on k.kind = t.kind
            left join public.ledger_transfer_kinds named on named.kind = split_part(t.key, ':', 1)
           cross join unnest(t.legs) with ordinality leg (account, asset, units, place)
           group by t.number, t.key, t.reverses, leg.asset) each;
  if wrong.reverses and exists (select from new_transfers t where t.reverses is not null and not ledger_mirrors_another(t)) then
    perform ledger_refuse('a_reversal_mirrors_its_transfer', null);
  elsif wrong.disordered is not null then
    perform ledger_refuse('legs_stand_in_order', wrong.disordered);
  elsif wrong.misnamed is not null then
    perform ledger_refuse('keys_are_of_the_kind_they_name', wrong.misnamed);
  elsif wrong.unlisted is not null then
    perform ledger_refuse('movements_are_listed', wrong.unlisted);
  elsif wrong.unbalanced is not null then
    perform ledger_refuse('transfers_sum_to_zero', wrong.unbalanced);
  elsif wrong.misowned is not null then
    perform ledger_refuse('accounts_are_in_the_chart', wrong.misowned);
  end if;

  insert into public.ledger_keys (number, id, key, kind, reverses) select number, id, key, kind, reverses from new_transfers;
  posting := set_config('ledger.posting', ledger_token() || ' ' || pg_trigger_depth(), true);
  if wrong.opens then
    insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
    select distinct t.owner_id, leg.account, leg.asset, 0, 0 from new_transfers t cross join unnest(t.legs) leg
     where leg.account in ('available', 'held') order by 1, 2, 3 on conflict do nothing;
  end if;

  -- `moved` is what a leg and all later ones of its account come to: of the first one the account's whole change. The balance after a leg
  -- is the one after all of them, less `moved`, with its own units again.
  with legs as materialized (
    select t.number, t.owner_id, leg.account, leg.asset, leg.units, count(*) over later as entries, sum(leg.units) over later as moved,
           lead(true) over later is null as is_first
      from new_transfers t cross join unnest(t.legs) leg
    window later as (partition by t.owner_id, leg.account, leg.asset order by t.number desc rows unbounded preceding)
  ), moved as (
    update public.ledger_accounts a set balance = a.balance + leg.moved, entry_count = a.entry_count + leg.entries
      from legs leg
     where leg.is_first and leg.account in ('available', 'held') and a.owner_id = any (array(select owner_id from new_transfers))
       and (a.owner_id, a.account, a.asset) = (leg.owner_id, leg.account, leg.asset)
    returning a.owner_id, a.account, a.asset, a.balance, a.entry_count
  )
  insert into public.ledger_entries (owner_id, transfer_number, account, asset, units, sequence, balance_after)
  select owner_id, leg.number, account, asset, leg.units, a.entry_count - leg.entries + 1, a.balance - leg.moved + leg.units
    from legs leg left join moved a using (owner_id, account, asset);
  posting := set_config('ledger.posting', '', true);
  return null;
end $$;
create or replace trigger transfers_are_posted after insert on ledger_transfers referencing new table as new_transfers
  for each statement execute function ledger_post();

-- A customer's postings wait for each other at the account `available BTC`, which is therefore locked before a number is drawn: an
-- account's entries and their numbers have the same order. Generic plans: ten thousand owners cost more to plan for than to find.
create or replace function ledger_lock_customers(p_owners uuid[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan as $$
begin
  -- First what is missing, then the locks, each in one order: whoever waits holds nothing that comes later.
  if (select count(*) from public.ledger_accounts where owner_id = any (p_owners) and account = 'available' and asset = 'BTC')
     < (select count(distinct owner) from unnest(p_owners) owner) then
    insert into public.ledger_accounts (owner_id, account, asset, balance, entry_count)
    select distinct owner, 'available', 'BTC', 0, 0 from unnest(p_owners) owner
     where (select true from public.ledger_accounts a
             where a.owner_id = owner and a.account = 'available' and a.asset = 'BTC') is null
     order by owner
    on conflict do nothing;
  end if;
  perform from public.ledger_accounts where owner_id = any (p_owners) and account = 'available' and asset = 'BTC'
    order by owner_id for no key update;
end $$;

-- Posts the exact mirror of a transfer. It can be done once.
create or replace function reverse_transfer(
  p_id uuid, p_reverses uuid, p_key text, p_day date, p_occurred_at timestamptz, p_memo text,
  out transfer_id uuid, out posted boolean
) language plpgsql security definer as $$
declare original ledger_transfers;
begin
  select * into original from ledger_transfer(p_reverses);
  perform demand('a_reversal_needs_a_transfer', found, 'foreign_key_violation', 'There is no transfer ' || p_reverses || ' to reverse.');
  transfer_id := post_transfer(p_id, p_key, 'reversal', original.owner_id, p_day, p_occurred_at, original.source,
                               p_memo, ledger_mirror(original.legs), p_reverses);
  posted := transfer_id = p_id;
end $$;

-- Posts many transfers as one: all of them, or none. Takes the parts of each transfer at the same place
-- of every array. Returns those that had been posted before, with the place they were asked for at.
create or replace function post_transfers(
  p_ids uuid[], p_keys text[], p_kinds text[], p_owners uuid[], p_days date[], p_occurred_ats timestamptz[],
  p_sources text[], p_memos text[], p_legs text[]
) returns table (place bigint, transfer_id uuid)
language plpgsql security definer set plan_cache_mode = force_custom_plan set work_mem = '64MB' set jit = off as $$
declare posted bigint;
begin
  perform ledger_lock_customers(array_remove(p_owners, '00000000-0000-0000-0000-000000000000'));
  -- The house's postings do not wait for each other, but for one with the same key.
  perform lock_fact('ledger.key:' || key) from (
    select distinct key from unnest(p_keys, p_owners) asked (key, owner_id)
     where owner_id = '00000000-0000-0000-0000-000000000000' order by key) of_house;
  insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, legs)
  select id, key, kind, owner_id, day, occurred_at, source, memo, legs::ledger_leg[]
    from unnest(p_ids, p_keys, p_kinds, p_owners, p_days, p_occurred_ats, p_sources, p_memos, p_legs) with ordinality
      asked (id, key, kind, owner_id, day, occurred_at, source, memo, legs, place)
   where not exists (select from ledger_keys k where k.key = asked.key)
     and not exists (
       select from unnest(p_keys) with ordinality before (key, place) where before.key = asked.key and before.place < asked.place)
   order by asked.place;
  get diagnostics posted = row_count;
  if posted = cardinality(p_ids) then return; end if;

  perform from unnest(p_keys, p_kinds, p_owners, p_sources, p_memos, p_legs) asked (key, kind, owner_id, source, memo, legs)
    join ledger_keys k on k.key = asked.key
    left join ledger_transfers first on first.number = k.number
   where k.reverses is not null or (first.kind, first.owner_id, first.source, first.memo, first.legs)
      is distinct from (asked.kind, asked.owner_id, asked.source, asked.memo, asked.legs::ledger_leg[]);
  perform demand('one_transfer_per_key', not found, 'unique_violation', 'A key of these transfers belongs to another transfer.');
  return query
    select asked.place, k.id
      from unnest(p_ids, p_keys) with ordinality asked (id, key, place)
      join ledger_keys k on k.key = asked.key
     where k.id <> asked.id
     order by asked.place;
end $$;

-- The tree of RFC 9162, 2.1.1: an odd node goes up as it is.
create or replace function ledger_merkle_root(leaves bytea[]) returns bytea language plpgsql immutable as $$
declare level bytea[] := leaves;
begin
  while cardinality(level) > 1 loop
    -- Unnested, never by subscript: finding one element of an array of texts or bytes walks over all before it.
    level := (select array_agg(case nodes when 1 then joined else sha256('\x01'::bytea || joined) end order by pair)
                from (select (place - 1) / 2 as pair, count(*) as nodes, string_agg(node, ''::bytea order by place) as joined
                        from unnest(level) with ordinality each (node, place) group by (place - 1) / 2) pairs);
  end loop;
  return level[1];
end $$;

-- Sealing, in three steps, each a transaction of its own: a block is claimed, hashed beside others, and sealed after the one before it.
-- Any number of sealers do all three; where one dies, another one goes on. Postings and readers do not wait.

-- Which numbers above one number are in blocks or seals already, up to a seal if it is named: few, since nearly all below are.
create or replace function ledger_covered_after(p_number bigint, p_seal bigint default null) returns int8multirange
language sql stable as $$
  select coalesce(range_agg(covers), '{}')
    from (select number, covers from public.ledger_seals union all select number, covers from public.ledger_blocks) b
   where covers && int8range(p_number + 1, null) and (p_seal is null or number <= p_seal)
$$;

-- Claims the next block, of at most so many transfers, and returns its number; null when all are in one.
create or replace function claim_block(p_limit integer default 10000) returns bigint
language plpgsql security definer set plan_cache_mode = force_custom_plan as $$
declare
  last record;
  drawn bigint;
  own_id bigint;
  oldest_running bigint;
  ahead int8multirange;
  numbers bigint[];
  is_full boolean;
  block ledger_blocks;
  month constant bigint := 10000000000;
begin
  perform demand('blocks_are_claimed_in_a_transaction_of_their_own', pg_current_xact_id_if_assigned() is null, 'invalid_transaction_state',
                 'A block is claimed in a transaction of its own.');
  perform lock_fact('ledger.blocks');
  select number, complete_through, watched_through, watched_before into last
    from (select number, complete_through, watched_through, watched_before from ledger_seals
          union all select number, complete_through, watched_through, watched_before from ledger_blocks) b order by number desc limit 1;
  -- First the numbers drawn so far, then an id: whoever drew one of them had an id before, a lower one.
  -- (The xmax of a snapshot would not do: it is above the last id that ended, not above those that run.)
  select last_value - (not is_called)::integer into drawn from ledger_transfer_numbers;
  own_id := pg_current_xact_id()::text::bigint;
  oldest_running := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;

  block.complete_through := coalesce(last.complete_through, 0);
  ahead := ledger_covered_after(block.complete_through);
  -- Of one month alone, so that months can be taken out.
  select array_agg(unclaimed.number order by unclaimed.number), count(*) = p_limit into numbers, is_full
    from (select number from ledger_transfers
           where number > block.complete_through and not number <@ ahead order by number limit p_limit) unclaimed;
  if numbers is null then return null; end if;
  if numbers[1] / month <> numbers[cardinality(numbers)] / month then
    numbers := array(select each from unnest(numbers) each where each / month = numbers[1] / month);
    is_full := true;
  end if;

  block.number := coalesce(last.number, 0) + 1;
  block.transfer_count := cardinality(numbers);
  block.covers := (select range_agg(int8range(each, each, '[]')) from unnest(numbers) each);
  block.watched_through := drawn;
  block.watched_before := own_id;
  -- An id from the future was another cluster's, before a dump was restored: nobody from there is running here.
  if last.watched_before <= oldest_running or last.watched_before > own_id then
    block.complete_through := greatest(block.complete_through,
      least(last.watched_through, case when is_full then numbers[cardinality(numbers)] end));
  elsif last.number is not null then
    block.watched_through := last.watched_through;
    block.watched_before := last.watched_before;
  end if;
  insert into ledger_blocks select block.*;
  return block.number;
end $$;

-- Hashes a claimed block that nobody else is hashing, and returns its number; null when there is none. A leaf is a transfer's fields, its
-- legs, and the balances that they left.
create or replace function hash_block() returns bigint
language plpgsql security definer set plan_cache_mode = force_custom_plan set jit = off as $$
declare block ledger_blocks;
begin
  select * into block from ledger_blocks where merkle_root is null order by number limit 1 for update skip locked;
  if block.number is null then return null; end if;
  update ledger_blocks b set merkle_root = hashed.root, newest_at = hashed.newest_at from (
    select ledger_merkle_root(array_agg(leaf.hash order by leaf.number)) as root,
           max(leaf.occurred_at) filter (where leaf.occurred_at <= clock_timestamp()) as newest_at
      from (
        select t.number, t.occurred_at, sha256('\x00'::bytea || convert_to(
                 field_to_hash('assay transfer 1') || field_to_hash(t.number::text) || field_to_hash(t.id::text) || field_to_hash(t.key)
                 || field_to_hash(t.kind) || field_to_hash(t.owner_id::text) || field_to_hash(t.utc_day) || field_to_hash(t.occurred)
                 || field_to_hash(t.created) || field_to_hash(t.source) || field_to_hash(t.memo) || field_to_hash(t.reverses::text)
                 || legs.fields, 'UTF8')) as hash
          -- Each text is made once, though its field also says how long it is.
          from unnest(block.covers) numbers
         cross join lateral (
           select *, iso_day(day) as utc_day, moment_to_hash(occurred_at) as occurred, moment_to_hash(created_at) as created
             from ledger_transfers where number >= lower(numbers) and number < upper(numbers) offset 0) t
         cross join lateral (
           select string_agg(field_to_hash(leg.account) || field_to_hash(leg.asset) || field_to_hash(leg.units::text)
                             || field_to_hash(e.sequence::text) || field_to_hash(e.balance_after::text), '' order by leg.place) as fields
             from unnest(t.legs) with ordinality leg (account, asset, units, place)
             -- One look into the index for each customer's leg, whatever the planner believes of a table that has just grown.
             left join lateral (
               select sequence, balance_after from ledger_entries
                where leg.account in ('available', 'held') and account in ('available', 'held') and owner_id = t.owner_id
                  and account = leg.account and asset = leg.asset and transfer_number = t.number limit 1) e on true) legs) leaf) hashed
   where b.number = block.number;
  return block.number;
end $$;

-- Seals the blocks that are hashed, each after the one before it, and returns the numbers of the new seals.
create or replace function seal_blocks(p_at timestamptz) returns setof bigint
language plpgsql security definer as $$
declare last ledger_seals; block ledger_blocks; seal ledger_seals;
begin
  perform lock_fact('ledger.blocks');
  select * into last from ledger_seals order by number desc limit 1;
  loop
    delete from ledger_blocks where number = coalesce(last.number, 0) + 1 and merkle_root is not null returning * into block;
    exit when not found;
    select block.number, coalesce(last.hash, decode(repeat('00', 32), 'hex')), block.transfer_count, block.covers, block.merkle_root,
           -- Never before what it seals or the seal before it, and never of a time that has not come.
           greatest(least(p_at, clock_timestamp()), last.sealed_at, block.newest_at),
           block.complete_through, block.watched_through, block.watched_before
      into seal.number, seal.previous_hash, seal.transfer_count, seal.covers, seal.merkle_root, seal.sealed_at,
           seal.complete_through, seal.watched_through, seal.watched_before;
    seal.hash := sha256('\x02'::bytea || convert_to(
      field_to_hash('assay seal 1') || field_to_hash(seal.number::text) || field_to_hash(encode(seal.previous_hash, 'hex'))
      || field_to_hash(seal.transfer_count::text) || field_to_hash(encode(seal.merkle_root, 'hex'))
      || field_to_hash(moment_to_hash(seal.sealed_at)), 'UTF8'));
    insert into ledger_seals select seal.*;
    last := seal;
    return next seal.number;
  end loop;
end $$;

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

-- Months -----------------------------------------------------------------------------------------------------
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

-- Takes the oldest month out of the journal, which is under seals. The house's balances are noted at the first one that knows all of it.
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

-- At the commit a transfer has what must stand behind it, by whatever its room has registered for its kind: `ledger_document_checks`.
create or replace function require_document() returns trigger
language plpgsql security definer as $$
declare of_kind text := new.kind; is_asked boolean := false; room regproc;
begin
  if new.reverses is not null then
    select kind into of_kind from ledger_transfer(new.reverses);
  end if;
  for room in select c.check_function from ledger_document_checks c
               where c.kind = of_kind and c.of_reversal = (new.reverses is not null) order by c.place loop
    execute format('select %s($1)', room) using new;
    is_asked := true;
  end loop;
  -- What is mined has its own rule, as it is posted.
  perform demand('what_nothing_undoes_is_not_reversed', is_asked or not ledger_needs_document(of_kind), says =>
    format('A transfer of the kind %s is not %s.', of_kind, case when new.reverses is null then 'posted' else 'reversed' end));
  return null;
end $$;

create or replace function deposit_legs(asset text, units numeric) returns ledger_leg[]
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select array[('available', asset, units), ('custody', asset, -units)]::ledger_leg[]
$$;

create or replace function ledger_needs_document(kind text) returns boolean language plpgsql immutable as $$
begin
  return kind = any ('{deposit,pool-payout,contract-purchase,goodwill,subsidy,equity-funding,equity-drawing,wallet-transfer,'
    'withdrawal-request,withdrawal-sent,withdrawal-cancelled,network-fee,remainder-left,hold,hold-release,reversal}');
end $$;

-- Only while the posting writes, and in no trigger that its writing reaches: `ledger_token` in tables.sql says how it shows that.
create or replace function ledger_refuse_sent() returns trigger language plpgsql as $$
begin
  if current_setting('ledger.posting', true) is distinct from ledger_token() || ' ' || (pg_trigger_depth() - 1) then
    raise exception '%: % of % is refused.', tg_argv[1], tg_op, tg_table_name
      using errcode = 'restrict_violation', constraint = tg_argv[0];
  end if;
  return null;
end $$;
create or replace trigger balances_move_with_entries before update on ledger_accounts
  for each statement execute function ledger_refuse_sent('balances_move_with_entries', 'Balances move only with entries');
create or replace trigger entries_come_from_transfers before insert on ledger_entries
  for each statement execute function ledger_refuse_sent('entries_come_from_transfers', 'Entries come from transfers');

-- Posts one transfer, in one round trip. The same key with the same body returns the first transfer; with
-- another body it is refused. Clocks are not part of the body.
create or replace function post_transfer(
  p_id uuid, p_key text, p_kind text, p_owner uuid, p_day date, p_occurred_at timestamptz, p_source text,
  p_memo text, p_legs ledger_leg[], p_reverses uuid default null
) returns uuid language plpgsql security definer as $$
declare first ledger_transfers; posted_as bigint;
begin
  if p_owner = '00000000-0000-0000-0000-000000000000' then
    perform lock_fact('ledger.key:' || p_key);
  else
    perform from ledger_accounts where owner_id = p_owner and account = 'available' and asset = 'BTC' for no key update;
    if not found then
      perform ledger_lock_customers(array[p_owner]);
    end if;
  end if;

  select number into posted_as from ledger_keys where key = p_key;
  if not found then
    insert into ledger_transfers (id, key, kind, owner_id, day, occurred_at, source, memo, reverses, legs)
    values (p_id, p_key, p_kind, p_owner, p_day, p_occurred_at, p_source, p_memo, p_reverses, p_legs);
    return p_id;
  end if;

  select * into first from ledger_transfers where number = posted_as;
  perform demand('one_transfer_per_key', (first.kind, first.owner_id, first.source, first.memo, first.legs, first.reverses)
    is not distinct from (p_kind, p_owner, p_source, p_memo, p_legs, p_reverses), 'unique_violation',
    'The key ' || p_key || ' belongs to another transfer.');
  return first.id;
end $$;

-- The chart -------------------------------------------------------------------------------------------------
-- Another kind, or a wider one, could move money from nowhere: only a migration adds one, which reviewers see. It disables this
-- trigger for that, and enables it again.
call refuse_always('insert or update or delete or truncate', '{ledger_account_kinds,ledger_document_checks,ledger_transfer_kinds}',
  'the_chart_is_frozen', 'The chart changes by a migration');
call keep_rows('{ledger_accounts}', 'accounts_are_kept', 'Accounts are kept');
call write_once('{ledger_keys,ledger_transfers,ledger_entries}', 'the_journal_is_append_only', 'Correct a transfer with a reversal');
call write_once('{ledger_seals}', 'the_journal_is_append_only', 'A seal is for good');
call write_once('{ledger_house_snapshots}', 'the_journal_is_append_only', 'A snapshot is for good');
call at_commit('ledger_transfers', 'transfers_have_their_document', 'insert', 'require_document', 'ledger_needs_document(new.kind)');

-- Rooms register anew what must stand behind a kind, each time their functions are applied; guards.sql puts the trigger on again.
alter table ledger_document_checks disable trigger the_chart_is_frozen;
delete from ledger_document_checks;

grant execute on function post_transfer, post_transfers, reverse_transfer, claim_block, hash_block, seal_blocks, snapshot_house_balances,
  custody_at, open_ledger_months, ledger_begin to assay_app;
