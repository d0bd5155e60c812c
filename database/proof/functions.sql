-- SHA-256 of a text: the fields, each written with its length. docs/proof.md has the same in words, with examples.
create or replace function proof_digest(d proof_days) returns bytea language sql stable as $$
  select sha256(convert_to(string_agg(field_to_hash(field), '' order by place), 'UTF8'))
    from unnest(array['assay day 1', iso_day(d.day), encode(d.previous_digest, 'hex'), d.seal_number::text, encode(d.seal_hash, 'hex'),
                      d.audit_link::text, encode(d.audit_hash, 'hex'), encode(d.root, 'hex'), d.leaves::text, d.owed_btc::text,
                      d.owed_eth::text, d.owed_usdt::text, d.block_height::text, d.block_hash]) with ordinality f (field, place)
$$;

-- SHA-256 of a node over two others: one byte, which tells it from a leaf, and fields that have no comma in them.
create or replace function proof_node(l proof_nodes, r proof_nodes) returns bytea language sql stable as $$
  select sha256('\x01'::bytea || convert_to(
    concat_ws(',', encode(l.hash, 'hex'), l.btc, l.eth, l.usdt, encode(r.hash, 'hex'), r.btc, r.eth, r.usdt), 'UTF8'))
$$;

-- The leaves of a day: what each customer has, and one of the house for what pools paid and no customer got yet. One statement, so
-- that all of it is of one moment. The shares of contracts are what the ledger says is prepaid, to the atom, or nothing is written.
create or replace function proof_take_leaves(p_day date) returns void
language plpgsql set plan_cache_mode = force_custom_plan set work_mem = '64MB' as $$
declare wrong text;
begin
  with shares as materialized (
    select customer_id, coin, sum(units) as units from unserved_shares() where units <> 0 group by customer_id, coin
  ), house as materialized (
    select account, asset, units from house_balances() where account in ('contract_prepaid', 'pool_receivable', 'rounding')
  ), owed as (
    select owner_id as customer_id, account, asset::text as coin, balance::numeric as balance, 0 as prepaid, entry_count as entries
      from ledger_accounts where entry_count > 0
    union all
    select customer_id, null, coin, 0, units, null from shares
    union all
    -- Below zero until a correction is posted: then customers have had more than pools paid, and are owed no less for it.
    select '00000000-0000-0000-0000-000000000000', null, asset, greatest(sum(units), 0), 0, null
      from house where account <> 'contract_prepaid' group by asset
  ), taken as (
    select customer_id, gen_random_uuid() as nonce,
           coalesce(sum(balance) filter (where coin = 'BTC'), 0) as btc_balance, coalesce(sum(prepaid) filter (where coin = 'BTC'), 0) as btc_prepaid,
           coalesce(sum(balance) filter (where coin = 'ETH'), 0) as eth_balance, coalesce(sum(prepaid) filter (where coin = 'ETH'), 0) as eth_prepaid,
           coalesce(sum(balance) filter (where coin = 'USDT'), 0) as usdt_balance, coalesce(sum(prepaid) filter (where coin = 'USDT'), 0) as usdt_prepaid,
           coalesce(jsonb_object_agg(account || ' ' || coin, entries) filter (where entries is not null), '{}') as entry_counts
      from owed group by customer_id
    having sum(balance) + sum(prepaid) <> 0 or not exists (select from customers c where c.id = customer_id and c.erased_at is not null)
  ), hashed as materialized (
    select *, sha256('\x00'::bytea || convert_to(concat_ws(',', iso_day(p_day), customer_id, nonce,
                btc_balance, btc_prepaid, eth_balance, eth_prepaid, usdt_balance, usdt_prepaid), 'UTF8')) as hash from taken
  ), placed as materialized (
    select *, row_number() over (order by hash) - 1 as place from hashed
  ), leaves as (
    insert into proof_leaves
    select p_day, customer_id, place, nonce, btc_balance, btc_prepaid, eth_balance, eth_prepaid, usdt_balance, usdt_prepaid, entry_counts
      from placed
  ), nodes as (
    insert into proof_nodes
    select p_day, 0, place, hash, btc_balance + btc_prepaid, eth_balance + eth_prepaid, usdt_balance + usdt_prepaid from placed
  )
  select string_agg(format('%s %s of contracts, %s in the ledger', coin, coalesce(s.units, 0), coalesce(p.units, 0)), '; ') into wrong
    from (select coin, sum(units) as units from shares group by coin) s
    full join (select asset as coin, units from house where account = 'contract_prepaid') p using (coin)
   where coalesce(s.units, 0) <> coalesce(p.units, 0);
  perform demand('contracts_shares_are_what_is_prepaid', wrong is null,
    says => 'What contracts have not served is not what the ledger says is prepaid: ' || wrong);
end $$;

-- The nodes above the leaves of a day, height by height. One without another beside it goes up as it is, as in RFC 9162.
create or replace function proof_grow(p_day date) returns proof_nodes language plpgsql set plan_cache_mode = force_custom_plan as $$
declare above smallint := 0; pairs integer; root proof_nodes;
begin
  loop
    insert into proof_nodes
    select p_day, above + 1, (l).place / 2, case when r is null then (l).hash else proof_node(l, r) end,
           (l).btc + coalesce((r).btc, 0), (l).eth + coalesce((r).eth, 0), (l).usdt + coalesce((r).usdt, 0)
      from (select n as l, lead(n) over (order by place) as r from proof_nodes n where day = p_day and height = above) each
     where (l).place % 2 = 0;
    get diagnostics pairs = row_count;
    above := above + 1;
    exit when pairs = 1;
  end loop;
  select * into root from proof_nodes where day = p_day and height = above;
  return root;
end $$;

-- Whoever writes a day: the first stands on 32 zero bytes, each other one on the day before, on a seal and a link that are here, on
-- none that is older than the day before has, and on a tree that is here.
call write_once('{proof_days}', 'digests_are_never_rewritten');
call check_rows('proof_days', 'before insert', 'days_have_their_digest_in_turn',
  'wait for', $$'proof days'$$,
  'days_have_their_digest_in_turn', $$(new.day, new.previous_digest) = (
    select coalesce(max(day) + 1, new.day), coalesce((select digest from proof_days order by day desc limit 1), decode(repeat('00', 32), 'hex'))
      from proof_days)$$,
  'digests_are_of_days_that_are_over', $$new.day < (now() at time zone 'UTC')::date$$,
  'digests_stand_on_what_is_here', $$(new.seal_hash, new.audit_hash) is not distinct from (
    (select hash from ledger_seals where number = new.seal_number), (select hash from audit_chain where link = new.audit_link))
    and not exists (select from proof_days where day = new.day - 1
                       and (seal_number > coalesce(new.seal_number, 0) or audit_link > coalesce(new.audit_link, 0)))$$,
  'roots_are_of_a_tree_that_is_here', $$new.root is null or new.leaves = (select count(*) from proof_nodes where day = new.day and height = 0)
    and 1 = (select count(*) from proof_nodes where day = new.day and height = (select max(height) from proof_nodes where day = new.day))
    and exists (select from proof_nodes where day = new.day and height = (select max(height) from proof_nodes where day = new.day)
                   and (hash, btc, eth, usdt) = (new.root, new.owed_btc, new.owed_eth, new.owed_usdt))$$,
  'digests_stand_on_what_is_here', 'new.digest = proof_digest(new)');

-- Publishes the digest of each day that is over and has none, the oldest first, at most so many, and returns how many. The first one
-- is of the last day that is over. Days that were missed stand on what is here now, and have no tree: the last day has it. By
-- PostgreSQL's clock: nobody brings another. While a day is being posted it waits: what a customer has is half of it. Batches, which
-- carry the newest digest, wait for the last lines of this alone.
create or replace function publish_proof_days(p_limit integer default 400) returns integer
language plpgsql security definer set jit = off as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  due proof_days; tree proof_nodes; published integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('proof tree', 0)) then return 0; end if; -- Another one publishes.
  select coalesce(max(day) + 1, today - 1) into due.day from proof_days;
  if due.day >= today or exists (select from mining_runs where state = 'posting') then return 0; end if;
  due.published_at := clock_timestamp(); -- When what is owed was taken.
  if due.day + p_limit >= today then
    delete from proof_nodes where day < today - 31;
    delete from proof_leaves where day < today - 31;
    perform proof_take_leaves(today - 1);
    tree := proof_grow(today - 1);
  end if;
  perform lock_fact('proof days');
  due.previous_digest := coalesce((select digest from proof_days order by day desc limit 1), decode(repeat('00', 32), 'hex'));
  select number, hash into due.seal_number, due.seal_hash from ledger_seals order by number desc limit 1;
  select link, hash into due.audit_link, due.audit_hash from audit_chain order by link desc limit 1;
  select height, hash into due.block_height, due.block_hash from chain_positions where chain = 'bitcoin';
  while due.day < today and published < p_limit loop
    if due.day = tree.day then
      select tree.hash, tree.btc, tree.eth, tree.usdt, count(*) into due.root, due.owed_btc, due.owed_eth, due.owed_usdt, due.leaves
        from proof_nodes where day = due.day and height = 0;
    end if;
    due.digest := proof_digest(due);
    insert into proof_days select due.*;
    due.previous_digest := due.digest;
    due.day := due.day + 1;
    published := published + 1;
  end loop;
  return published;
end $$;
grant execute on function publish_proof_days to assay_app;

-- The newest digest; null: there is none yet. No newer one is published until who asks has committed.
create or replace function newest_digest() returns bytea language plpgsql security definer as $$
begin
  perform lock_fact('proof days');
  return (select digest from proof_days order by day desc limit 1);
end $$;
grant execute on function newest_digest to assay_app;

-- Forgets whose leaves somebody's were whose account is closed.
create or replace function forget_leaves(p_customer uuid) returns void language sql security definer as $$
  select demand('leaves_are_forgotten_with_their_customer', exists (select from customers where id = p_customer and closed_at is not null));
  delete from proof_leaves where customer_id = p_customer;
$$;
grant execute on function forget_leaves to assay_app;
