-- What staff noted wrongly can be put right. Why: docs/decisions/0043.

-- Outages --------------------------------------------------------------------------------------------------
-- An outage that was noted wrongly is replaced by another row that names it, or taken back. What was said first stays, and so
-- does every word in between: receipts say what was known when they were posted.

alter table outages
  add column corrects uuid constraint one_correction_per_outage unique references outages
    constraint outages_do_not_correct_themselves check (corrects <> id),
  add column correction_reason text
    constraint corrections_of_outages_have_a_reason check (length(trim(correction_reason)) between 1 and 300),
  add column withdrawn_at timestamptz,
  add column withdrawal_reason text
    constraint withdrawals_of_outages_have_a_reason check (length(trim(withdrawal_reason)) between 1 and 300),
  add column withdrawal_action_id uuid references audit_log,
  add constraint corrections_of_outages_say_why check ((corrects is null) = (correction_reason is null)),
  add constraint withdrawals_of_outages_say_why check (num_nonnulls(withdrawn_at, withdrawal_reason, withdrawal_action_id) in (0, 3));

-- Who corrects, ends or takes back an outage waits for the others: only what stands can be changed.
create function check_outage_correction() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
declare
  wrong outages;
begin
  select * into wrong from outages where id = new.corrects for update;
  if wrong.withdrawn_at is not null then
    raise exception 'Outage % was taken back.', new.corrects using errcode = 'check_violation', constraint = 'only_standing_outages_change';
  end if;
  if not staff_did(new.action_id, 'fleet/correct-outage', 'outage:' || new.corrects) then
    raise exception 'An outage is corrected by an act of staff on it.'
      using errcode = 'check_violation', constraint = 'outages_are_corrected_by_staff_acts';
  end if;
  return new;
end
$$;
create trigger outages_are_corrected_by_staff_acts before insert on outages
  for each row when (new.corrects is not null) execute function check_outage_correction();

create or replace function check_changed_outage() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
declare
  ended constant boolean := new.ended_at is distinct from old.ended_at;
  may_change constant text[] := case when ended then '{ended_at,end_action_id}' else '{withdrawn_at,withdrawal_reason,withdrawal_action_id}' end;
begin
  if (to_jsonb(new) - may_change) is distinct from (to_jsonb(old) - may_change)
     or (ended and old.ended_at is not null) or (not ended and old.withdrawn_at is not null) then
    raise exception 'An outage is noted once, ended once, and taken back once.'
      using errcode = 'check_violation', constraint = 'outages_end_once';
  end if;
  if old.withdrawn_at is not null or exists (select from outages c where c.corrects = old.id) then
    raise exception 'Outage % does not stand any more.', old.id
      using errcode = 'check_violation', constraint = 'only_standing_outages_change';
  end if;
  if not ended and not staff_did(new.withdrawal_action_id, 'fleet/withdraw-outage', 'outage:' || new.id) then
    raise exception 'An outage is taken back by an act of staff on it.'
      using errcode = 'check_violation', constraint = 'outages_are_withdrawn_by_staff_acts';
  end if;
  return new;
end
$$;

revoke execute on function check_outage_correction from public;
grant update (withdrawn_at, withdrawal_reason, withdrawal_action_id) on outages to assay_app;

-- Payouts --------------------------------------------------------------------------------------------------
-- A payout under the wrong transaction, or of the wrong pool, kept that transaction for good, corrected or not: the customer or the
-- pool whose it was could not be credited with it.

-- Whether a payout's coins are counted under its transaction, or are about to be.
create function payout_counts(p pool_payouts) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p.units > 0 and p.state <> 'refused'
     and not exists (select from pool_payouts c where c.corrects = p.id and c.state = 'recorded')
$$;

-- As in 0019, but what is corrected keeps no transaction from another pool.
create or replace function check_pool_payout() returns trigger language plpgsql as $$
declare
  proposer uuid;
  decider uuid;
  needs_two boolean;
begin
  if tg_op = 'UPDATE' and (old.state <> 'proposed'
     or (to_jsonb(new) - '{state,decided_at,decision_action_id,refusal_reason,transfer_id,proposal_action_id}'::text[])
        is distinct from (to_jsonb(old) - '{state,decided_at,decision_action_id,refusal_reason,transfer_id,proposal_action_id}'::text[])
     or old.proposal_action_id is not null and new.proposal_action_id is distinct from old.proposal_action_id) then
    raise exception 'A payout is decided once, and corrected by another.'
      using errcode = 'check_violation', constraint = 'payouts_are_never_rewritten';
  end if;
  if new.corrects is not null and not exists (
       select from public.pool_payouts o where o.id = new.corrects and o.pool_id = new.pool_id and o.day = new.day and o.state = 'recorded') then
    raise exception 'A correction corrects what is recorded for the same pool and day.'
      using errcode = 'check_violation', constraint = 'corrections_are_of_recorded_payouts';
  end if;
  if tg_op = 'INSERT' and not exists (
       select from public.pools p where p.id = new.pool_id and new.day between p.counts_from and coalesce(p.counts_until, 'infinity')) then
    raise exception 'A pool pays for days on which it counts.'
      using errcode = 'check_violation', constraint = 'pools_pay_for_days_that_count';
  end if;
  -- One transaction may pay for several days of a pool, never for two pools.
  if tg_op = 'INSERT' and new.txid is not null then
    perform lock_fact(new.txid);
    if new.units > 0 and exists (select from public.pool_payouts p where p.txid = new.txid and p.pool_id <> new.pool_id and public.payout_counts(p)) then
      raise exception 'This transaction is another pool''s payout.'
        using errcode = 'unique_violation', constraint = 'transactions_pay_for_one_pool';
    end if;
  end if;
  if new.proposal_action_id is null and not exists (
       select from public.pool_statements s where s.id = new.statement_id and s.source = 'api') then
    raise exception 'What nobody entered was read from the pool itself.'
      using errcode = 'check_violation', constraint = 'payouts_have_a_source';
  end if;
  -- Whoever decided did so in the act that says so, not at a time beside it.
  if new.state <> 'proposed' and new.decided_at is distinct from (
       select a.occurred_at from public.audit_log a where a.id = coalesce(new.decision_action_id, new.proposal_action_id))
     and coalesce(new.decision_action_id, new.proposal_action_id) is not null then
    raise exception 'A payout is decided at the time of the act that decides it.'
      using errcode = 'check_violation', constraint = 'payouts_are_decided_by_their_act';
  end if;
  new.recorded_at := null;
  if new.state <> 'recorded' then
    if new.state = 'refused' and not public.staff_did(new.decision_action_id, 'payouts/refuse', 'payout:' || new.id) then
      raise exception 'Payouts are refused by staff acts on them.'
        using errcode = 'check_violation', constraint = 'payouts_are_refused_by_staff_acts';
    end if;
    return new;
  end if;
  -- One person records alone what is below both limits, and whose hashrate fits what was paid; whoever confirms is another one,
  -- whatever the amount.
  if coalesce(new.decision_action_id, new.proposal_action_id) = new.proposal_action_id then
    proposer := public.who_proposed_payout(new);
    perform public.lock_fact('payouts.alone:' || proposer);
    needs_two := new.units > public.payout_left_for_one(proposer);
  end if;
  -- By the clock, whatever the caller says, and once nobody else has to be waited for: what one person records alone is counted by it.
  new.recorded_at := clock_timestamp();
  needs_two := coalesce(needs_two, false)
    or new.decision_action_id is not distinct from new.proposal_action_id
       and public.payout_hashrate_needs_two(public.who_proposed_payout(new), new.units, new.delivered_ghs, new.day);
  if needs_two or public.payout_needs_two_people(new.units) or new.corrects is not null
     or new.decision_action_id is distinct from new.proposal_action_id and new.decision_action_id is not null then
    proposer := public.who_proposed_payout(new);
    select operator_id into decider from public.audit_log
     where id = new.decision_action_id and act = 'payouts/confirm' and subject = 'payout:' || new.id;
    if proposer is null or decider is null or proposer = decider then
      raise exception 'Two people stand for this payout.'
        using errcode = 'check_violation', constraint = 'large_payouts_need_two_people';
    end if;
    perform public.require_proposer_is_staff(proposer);
  end if;
  if new.units > 0 and not exists (
       select from public.ledger_transfers t
        where t.id = new.transfer_id and t.key = 'pool-payout:' || new.id and t.kind = 'pool-payout'
          and exists (select from unnest(t.legs) leg
                       where leg.account = 'pool_receivable' and leg.asset = 'BTC' and leg.units = new.units)) then
    raise exception 'A recorded payout is in the journal, to the satoshi.'
      using errcode = 'check_violation', constraint = 'payouts_are_posted';
  end if;
  return new;
end
$$;

-- As in 0045, and the same.
create or replace function refuse_payout_as_deposit() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('deposits.txid:' || new.txid, 0));
  if new.payment_id is null and is_in_chain(new) is null
     and exists (select from pool_payouts p where p.txid = new.txid and payout_counts(p)) then
    raise exception 'Transaction % is the payout of a pool.', new.txid
      using errcode = 'unique_violation', constraint = 'one_deposit_per_payment';
  end if;
  return new;
end
$$;

create or replace function refuse_payout_as_own_money() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('deposits.txid:' || new.txid, 0));
  if exists (select from pool_payouts p where p.txid = new.txid and payout_counts(p)) then
    raise exception 'Transaction % is the payout of a pool.', new.txid
      using errcode = 'unique_violation', constraint = 'one_payment_is_counted_once';
  end if;
  return new;
end
$$;
