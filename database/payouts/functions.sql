call change_only('pools', 'pools_are_never_rewritten', once => 'counts_until stopped_action_id');
-- One that was added by mistake never counts, if who added it says so within a day.
create or replace function is_mistaken_pool(p pools, at timestamptz) returns boolean language sql stable as $$
  select p.counts_until = p.counts_from - 1 and at < p.created_at + interval '24 hours'
     and not exists (select from pool_payouts where pool_id = p.id)
     and exists (select from audit_log added join audit_log stopped on stopped.operator_id is not distinct from added.operator_id
                  where added.id = p.action_id and stopped.id = p.stopped_action_id)
$$;
call check_rows('pools', 'before update', 'pools_stop_once',
  'pools_stop_once', $$old.counts_until is null
  and staff_did(new.stopped_action_id, 'payouts/stop-pool', 'pool:' || new.id)
  and not exists (select from pool_payouts p where p.pool_id = new.id and p.day > new.counts_until and p.state <> 'refused')$$,
  'pools_end_within_a_month', $$exists (
    select from audit_log a where a.id = new.stopped_action_id and new.counts_until <= (a.occurred_at at time zone 'UTC')::date + 31)$$,
  -- Of days before an end a payout may be on its way, or have been refused. That the pool paid nothing for one is entered, which takes two.
  'days_that_are_over_count', $$not exists (
    select from audit_log a where a.id = new.stopped_action_id and new.counts_until < (a.occurred_at at time zone 'UTC')::date
       and another_person_decides(a.operator_id) and not is_mistaken_pool(new, a.occurred_at))$$,
  -- What it paid after its end would be nobody's. Colleagues have a week to see it, unless the pool or two people said of yesterday or the day
  -- before that it paid and saw nothing, and nobody has said more since.
  'pools_that_pay_go_on_for_a_week', $$not exists (
    select from audit_log a, lateral (select (a.occurred_at at time zone 'UTC')::date as day) act
     where a.id = new.stopped_action_id and new.counts_until < act.day + 7
       and another_person_decides(a.operator_id) and not is_mistaken_pool(new, a.occurred_at)
       and not exists (
         select from pool_payouts p
          where p.pool_id = new.id and p.state = 'recorded' and p.day >= act.day - 2 and (p.units, p.delivered_ghs) = (0, 0)
            and (p.proposal_action_id is null or p.decision_action_id <> p.proposal_action_id)
            and not exists (select from pool_payouts l
                             where l.pool_id = new.id and (l.day > p.day and (l.units, l.delivered_ghs) <> (0, 0)
                                   or l.corrects = p.id and l.state <> 'refused'))))$$);

-- How many blocks have to hold a coin before it counts. New ones of a block cannot be spent before a hundred.
create or replace function blocks_to_count(p_coinbase boolean) returns integer language sql immutable as $$
  select case when p_coinbase then 100 else 6 end
$$;

-- What a pool paid at its addresses: coins from outside of 10,000 satoshis at least (dust that others send would cost readers time), deep
-- enough, of which two people did not say that they were something else. In the order in which they count, each with the sum up to it.
create or replace function pool_coins(p_pool uuid) returns table (
  payment_id uuid, txid text, output_index integer, units numeric, block_height integer, block_hash text, seen_at timestamptz, upto numeric)
language sql stable as $$
  select p.id, p.txid, p.output_index, p.units, p.block_height, p.block_hash, p.seen_at,
         sum(p.units) over (order by p.block_height, p.txid, p.output_index)
    from pool_addresses a
    -- By the address, whatever the planner believes of a table that has just grown.
   cross join lateral (select * from chain_payments where address = a.address and state = 'mined' offset 0) p
    join chain_positions c on c.chain = p.chain
   where a.pool_id = p_pool and not p.from_own and p.resolved_as is null and p.units >= 10000
     and c.height - p.block_height + 1 >= blocks_to_count(p.coinbase)
$$;

-- Whether a transaction pays a pool's address from outside: such a coin is nobody else's.
create or replace function pays_a_pool(p_txid text) returns boolean language sql stable as $$
  select exists (select from chain_payments p join pool_addresses a on a.address = p.address
                  where p.chain = 'bitcoin' and p.txid = p_txid and p.state in ('seen', 'mined') and not p.from_own and p.resolved_as is null)
$$;

-- The payouts that a pool's coins cover, by day, each with the sum up to it: the last one of each day that they cover, also where it was
-- corrected to what was not seen. That frees no coins.
create or replace function covered_payouts(p_pool uuid) returns table (payout_id uuid, day date, units numeric, upto numeric)
language sql stable as $$
  select p.id, p.day, p.units, sum(p.units) over (order by p.day)
    from (select distinct on (day) * from pool_payouts
           where pool_id = p_pool and state = 'recorded' and unseen_reason is null order by day, recorded_at desc) p
   where p.covered
$$;

-- The coins that cover a payout: those whose part of the sum meets its own. Null: it is not covered, was corrected, or coins have left
-- the chain since, so that they do not reach so far any more.
create or replace function coins_of_payout(p pool_payouts) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('txid', c.txid, 'output', c.output_index, 'height', c.block_height, 'blockHash', c.block_hash,
                                      'units', c.units) order by c.upto)
    from covered_payouts(p.pool_id) due join pool_coins(p.pool_id) c on c.upto > due.upto - due.units and c.upto - c.units < due.upto
   where due.payout_id = p.id
  having max(c.upto) >= max(due.upto)
$$;

-- How many satoshis a pool's coins lack for what they cover; below zero: so many are over.
create or replace function pool_lacks(p_pool uuid) returns numeric language sql stable as $$
  select coalesce((select sum(c.units) from covered_payouts(p_pool) c), 0) - coalesce((select sum(c.units) from pool_coins(p_pool) c), 0)
$$;

-- Notes the pools of which coins are missing, and those that go on of which more than dust is over, since when: *Today* asks often.
-- Nothing while the chain's source cannot be used: coins are not missing then, but not looked for.
create or replace function note_coins_amiss(p_at ledger_time) returns void language plpgsql security definer as $$
begin
  perform lock_fact('payouts.amiss');
  if not exists (select from chain_sources where chain = 'bitcoin' and health = 'following') then return; end if;
  with amiss as materialized (
    select p.id, lacks from pools p cross join lateral pool_lacks(p.id) lacks
     where exists (select from pool_addresses where pool_id = p.id) and (lacks > 0 or lacks <= -10000 and p.counts_until is null)
  ), settled as (
    delete from coins_amiss where pool_id not in (select id from amiss)
  )
  insert into coins_amiss as known (pool_id, unexplained_since) select id, case when lacks < 0 then p_at end from amiss
      on conflict (pool_id) do update set unexplained_since =
         case when excluded.unexplained_since is not null then coalesce(known.unexplained_since, excluded.unexplained_since) end;
end $$;

-- How many they would lack with one more payout. A correction frees what covers its day until then. Null: no coins are asked
-- for, since nothing was paid, or the pool has no address and the site is on a test network.
create or replace function payout_lacks(p_pool uuid, p_units numeric, p_corrects uuid default null) returns numeric
language sql stable as $$
  select pool_lacks(p_pool) + p_units - coalesce((
           select sum(c.units) from covered_payouts(p_pool) c where c.day = (select o.day from pool_payouts o where o.id = p_corrects)), 0)
   where p_units > 0 and (exists (select from pool_addresses where pool_id = p_pool)
                          or exists (select from installation where network = 'mainnet'))
$$;
-- Whether they cover what lacks so much. While the chain's source cannot be used, they cover nothing.
create or replace function coins_suffice(p_lack numeric) returns boolean language sql stable as $$
  select p_lack <= 0 and (p_lack is null or exists (select from chain_sources where chain = 'bitcoin' and health = 'following'))
$$;
create or replace function coins_cover(p_pool uuid, p_units numeric, p_corrects uuid default null) returns boolean
language sql stable as $$
  select coins_suffice(lack) from (select payout_lacks(p_pool, p_units, p_corrects) as lack offset 0) once
$$;

-- Nothing that was there before becomes a pool's income.
call check_rows('pool_addresses', 'before insert', 'pools_are_paid_where_nothing_was_seen',
  'stopped_pools_get_no_address', '(select counts_until is null from pools where id = new.pool_id for share)',
  'pools_are_paid_where_nothing_was_seen', $$exists (
    select from wallet_addresses w join wallets of_it on of_it.id = w.wallet_id
     where w.address = new.address and w.purpose = 'own' and of_it.chain = 'bitcoin' and w.seen_at is null for update of w)$$);

-- A payout is recorded once with its evidence. What is corrected keeps no transaction from another pool.
create or replace function guard_payout() returns trigger language plpgsql as $$
declare
  proposer uuid := who_proposed_payout(new);
  is_alone boolean := coalesce(new.decision_action_id, new.proposal_action_id) is not distinct from new.proposal_action_id;
  covers boolean;
begin
  perform demand('payouts_are_never_rewritten', tg_op = 'INSERT' or old.state = 'proposed');
  perform demand('corrections_are_of_recorded_payouts', new.corrects is null or exists (
    select from pool_payouts o where o.id = new.corrects and o.pool_id = new.pool_id and o.day = new.day and o.state = 'recorded'));
  if tg_op = 'INSERT' then
    perform demand('pools_pay_for_days_that_count', exists ( -- Who stops the pool waits for this payout, or this for them.
      select from pools p where p.id = new.pool_id and new.day between p.counts_from and coalesce(p.counts_until, 'infinity') for share));
    -- One transaction may pay for several days of a pool, never for two pools.
    perform lock_fact(new.txid);
    perform demand('transactions_pay_for_one_pool', new.units = 0 or not exists (
      select from pool_payouts p where p.txid = new.txid and p.pool_id <> new.pool_id and payout_counts(p)), 'unique_violation');
  end if;
  -- What nobody entered was read from the pool itself.
  perform demand('payouts_have_a_source',
    new.proposal_action_id is not null or exists (select from pool_statements where id = new.statement_id and source = 'api'));
  new.covered := false;
  if new.state = 'recorded' then
    perform lock_fact('payouts.coins:' || new.pool_id);
    covers := coins_cover(new.pool_id, new.units, new.corrects);
    new.covered := covers is true;
    new.unseen_reason := case when covers is false then new.unseen_reason end;
    perform demand('payouts_are_seen_or_say_why', covers is distinct from false or new.unseen_reason is not null);
    if new.decision_action_id is null and proposer is not null then perform require_proposer_is_staff(proposer); end if;
  end if;
  -- What coins cover is recorded without a decision.
  perform demand('payouts_are_decided_by_their_act', new.state = 'proposed' or new.covered and new.decision_action_id is null or
    new.decided_at = (select occurred_at from audit_log where id = coalesce(new.decision_action_id, new.proposal_action_id)));
  perform demand('payouts_are_refused_by_staff_acts',
    new.state <> 'refused' or staff_did(new.decision_action_id, 'payouts/refuse', 'payout:' || new.id));
  new.recorded_at := null;
  if new.state = 'recorded' then
    perform lock_fact('payouts.alone:' || proposer) where is_alone;
    -- By PostgreSQL's clock, and after the lock: what one person records alone within a day is counted by it.
    new.recorded_at := clock_timestamp();
    -- One person records alone what coins cover, or what is below both limits, and whose hashrate fits what was paid; a second one
    -- confirms any amount, and what was not seen.
    if not is_alone or new.corrects is not null or new.unseen_reason is not null
       or not new.covered and new.units > least(payout_left_for_one(proposer),
            coalesce((select second_person_above_sats from payout_limits order by number desc limit 1), 100000000))
       or payout_hashrate_needs_two(proposer, new.units, new.delivered_ghs, new.day) then
      perform demand('large_payouts_need_two_people', exists (
        select from audit_log where id = new.decision_action_id and act = 'payouts/confirm' and subject = 'payout:' || new.id
                                and operator_id <> proposer));
      perform require_proposer_is_staff(proposer);
    end if;
    perform demand('payouts_are_posted', new.units = 0 or exists (
      select from ledger_transfer(new.transfer_id) t where t.key = 'pool-payout:' || new.id and t.kind = 'pool-payout'
         and t.owner_id = '00000000-0000-0000-0000-000000000000'
         and t.legs = array[('custody', 'BTC', -new.units), ('pool_receivable', 'BTC', new.units)]::ledger_leg[]));
  end if;
  perform demand('acts_are_what_they_are_named_for', (new.proposal_action_id is null or proposer is not null)
    and (new.state = 'refused' or new.decision_action_id is null or new.decision_action_id = new.proposal_action_id
         or staff_did(new.decision_action_id, 'payouts/confirm', 'payout:' || new.id)));
  return new;
end $$;
call change_only('pool_payouts', 'payouts_are_never_rewritten',
  'state decided_at decision_action_id refusal_reason transfer_id covered unseen_reason', once => 'proposal_action_id');
create or replace trigger payouts_are_what_they_say before insert or update on pool_payouts for each row execute function guard_payout();
call check_rows('pool_payouts', 'at commit insert or update when (new.corrects is not null and new.state = ''recorded'')',
  'corrections_take_back_what_they_correct', $$
  not exists (select from pool_payouts p where p.id = new.corrects and p.transfer_id is not null
                 and not exists (select from ledger_keys k where k.reverses = p.transfer_id))$$);

-- The payouts in force for a day: the last of each chain of corrections.
create or replace function current_payouts(p_day date) returns setof pool_payouts language sql stable as $$
  select p.* from pool_payouts p where p.day = p_day and p.state = 'recorded'
     and not exists (select from pool_payouts n where n.corrects = p.id and n.state = 'recorded')
$$;

-- What the pools saw of the machines on a day, and what is for sale by that and the six posted days before it. A day on which nobody asked
-- the network counts as one that paid nothing, and of a pool only days count on which it was there: none is made up afterwards.
create or replace function capacity_seen(p_day date) returns capacity_evidence language sql stable as $$
  select p_day, sum(ghs) filter (where day = p_day), trunc(implied),
         case when count(*) = 7 then least(percentile_disc(0.5) within group (order by ghs), coalesce(trunc(implied * 1.25), 0)) end
    from (select each.day, paid.*,
                 least(sum(sats) filter (where a_ghs is not null) over () / nullif(avg(a_ghs) over () * count(*) over (), 0), 1e15) as implied
            from (select p_day as day union select day from capacity_evidence where day between p_day - 6 and p_day) each
           cross join lateral (select coalesce(sum(delivered_ghs), 0) as ghs, coalesce(sum(units), 0) as sats
                                 from current_payouts(each.day) c
                                 join pools o on o.id = c.pool_id and each.day >= (o.created_at at time zone 'UTC')::date) paid
           cross join lateral sats_of_a_ghs(each.day) a_ghs) days
   group by implied
$$;

-- Notes it as a day is posted, and again with each correction of what rests on it.
create or replace function note_capacity(p_day date) returns void language sql security definer as $$
  insert into capacity_evidence select seen.* from capacity_seen(p_day) seen
      on conflict (day) do update set (reported_ghs, implied_ghs, sellable_ghs) =
         (excluded.reported_ghs, excluded.implied_ghs, excluded.sellable_ghs)
$$;
create or replace function note_corrected_capacity() returns trigger language plpgsql security definer as $$
begin
  perform lock_fact('mining evidence');
  perform note_capacity(day) from capacity_evidence where day between new.day and new.day + 6 order by day;
  return null;
end $$;
create or replace trigger corrections_change_what_was_seen after insert or update on pool_payouts
  for each row when (new.state = 'recorded') execute function note_corrected_capacity();

create or replace function missing_pools(p_day date) returns setof pools language sql stable as $$
  select o.* from pools o where p_day between o.counts_from and coalesce(o.counts_until, 'infinity')
     and not exists (select from current_payouts(p_day) p where p.pool_id = o.id)
$$;

-- A pool may pay several days in one transaction. Only its own statement says how much of it is for which day; where a day was
-- entered by hand, nothing but a second look keeps the same coins from standing for both.
create or replace function payout_shares_its_transaction(p_pool uuid, p_day date, p_txid text, p_statement uuid)
returns boolean language sql stable as $$
  select exists (
    select from pool_payouts p where p.txid = p_txid and p.pool_id = p_pool and p.day <> p_day and p.state <> 'refused'
       and (p_statement is null or p.statement_id is null)
       and not exists (select from pool_payouts c where c.corrects = p.id and c.state = 'recorded'))
$$;

-- Whether a payout's coins are counted under its transaction, or are about to be.
create or replace function payout_counts(p pool_payouts) returns boolean language sql stable as $$
  select p.units > 0 and p.state <> 'refused'
     and not exists (select from pool_payouts c where c.corrects = p.id and c.state = 'recorded')
$$;

-- The first of two people for a payout: by an act on this payout or on the file that it comes from, and by no other.
create or replace function who_proposed_payout(p pool_payouts) returns uuid language sql stable as $$
  select a.operator_id from audit_log a where a.id = p.proposal_action_id
     and (a.act in ('payouts/enter', 'payouts/correct', 'payouts/vouch') and a.subject = 'payout:' || p.id
          or a.act = 'payouts/import' and a.subject = 'statement:' || p.statement_id)
$$;

-- What one person may still record alone where another one could look, within 24 hours of PostgreSQL's clock, as times
-- that are given could be spread as one likes. Null: no other person decides, and only the limit applies.
create or replace function payout_left_for_one(p_person uuid) returns numeric language sql stable as $$
  select greatest(0, bound('recordedAlone', 'BTC') - coalesce(sum(p.units), 0))
    from pool_payouts p join audit_log a on a.id = p.proposal_action_id
   where p.state = 'recorded' and not p.covered and coalesce(p.decision_action_id, p.proposal_action_id) = p.proposal_action_id
     and a.operator_id = p_person and p.recorded_at > clock_timestamp() - interval '24 hours'
  having another_person_decides(p_person)
$$;

-- Whether a second person looks at a payout because of its hashrate: where there are two, one by a person that is of nothing, or
-- that does not fit; one that the worker read if it does not fit and there are two people for it.
create or replace function payout_hashrate_needs_two(p_person uuid, p_units numeric, p_ghs numeric, p_day date) returns boolean
language sql stable security definer as $$
  select case when p_person is not null
              then another_person_decides(p_person) and (p_units = 0 or not payout_fits_hashrate(p_units, p_ghs, p_day))
              else not payout_fits_hashrate(p_units, p_ghs, p_day) and exists (
                     select from operators o join credentials c on c.user_id = o.id
                      where o.state = 'active' and o.role in ('treasurer', 'owner') and c.password is not null
                        and another_person_decides(o.id)) end
$$;

-- What must explain the transfer of a payout, and its reversal.
create or replace function require_payout(transfer ledger_transfers) returns void language sql as $$
  select demand('only_evidence_funds_pool_receivable',
    transfer.reverses is not null or exists (select from pool_payouts where transfer_id = transfer.id and state = 'recorded'));
  select demand('payouts_are_reversed_by_corrections', transfer.reverses is null or exists (
    select from pool_payouts p join pool_payouts c on c.corrects = p.id
     where p.transfer_id = transfer.reverses and c.state = 'recorded'));
$$;
insert into ledger_document_checks (kind, of_reversal, place, check_function) values
  ('pool-payout', false, 1, 'require_payout'), ('pool-payout', true, 1, 'require_payout');

call keep_rows('{pools}');
call keep_rows('{pool_payouts}', 'payouts_are_kept');
call write_once('{payout_limits,pool_addresses,pool_watch_urls}');
call write_once('{pool_statements}', 'statements_are_written_once');
call name_act('pools', 'action_id', 'payouts/add-pool', 'pool:', 'id');
call name_act('pool_watch_urls', 'action_id', 'payouts/set-watch-url', 'pool:', 'pool_id');
call name_act('pool_addresses', 'action_id', 'payouts/name-address', 'pool:', 'pool_id');
call name_act('pool_statements', 'action_id', 'payouts/keep-statement', 'statement:', 'id');
call name_act('payout_limits', 'action_id', 'payouts/set-limit', 'payouts', '');

grant execute on function payout_hashrate_needs_two, note_coins_amiss to assay_app;
