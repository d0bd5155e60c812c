-- Blocks of transfers, each under a seal that names the one before it.

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

-- The leaves of the transfers with these numbers. A leaf is a transfer's fields, its legs, and the balances that they left.
create or replace function ledger_leaves(p_covers int8multirange) returns table (number bigint, occurred_at timestamptz, hash bytea)
language sql stable as $$
  select t.number, t.occurred_at, sha256('\x00'::bytea || convert_to(
           field_to_hash('assay transfer 1') || field_to_hash(t.number::text) || field_to_hash(t.id::text) || field_to_hash(t.key)
           || field_to_hash(t.kind) || field_to_hash(t.owner_id::text) || field_to_hash(t.utc_day) || field_to_hash(t.occurred)
           || field_to_hash(t.created) || field_to_hash(t.source) || field_to_hash(t.memo) || field_to_hash(t.reverses::text)
           || legs.fields, 'UTF8'))
    -- Each text is made once, though its field also says how long it is.
    from unnest(p_covers) numbers
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
            and account = leg.account and asset = leg.asset and transfer_number = t.number limit 1) e on true) legs
$$;

-- Hashes a claimed block that nobody else is hashing, and returns its number; null when there is none.
create or replace function hash_block() returns bigint
language plpgsql security definer set plan_cache_mode = force_custom_plan set jit = off as $$
declare block ledger_blocks;
begin
  select * into block from ledger_blocks where merkle_root is null order by number limit 1 for update skip locked;
  if block.number is null then return null; end if;
  update ledger_blocks b set merkle_root = hashed.root, newest_at = hashed.newest_at from (
    select ledger_merkle_root(array_agg(leaf.hash order by leaf.number)) as root,
           max(leaf.occurred_at) filter (where leaf.occurred_at <= clock_timestamp()) as newest_at
      from ledger_leaves(block.covers) leaf) hashed
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

grant execute on function claim_block, hash_block, seal_blocks to assay_app;
