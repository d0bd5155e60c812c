-- A payment on Ethereum whose transaction succeeded while the token's own announcement says something else ends by two people who
-- looked at it: as paid, or as not delivered. docs/decisions/0033-an-odd-payment-is-ruled-on-by-two-people.md says why.

create table withdrawal_rulings (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawal_payments,
  -- The transaction that was looked at: should another one take the nonce after all, nothing was said of it.
  txid text collate "C" not null,
  says text not null constraint rulings_say_one_of_two_things check (says in ('paid', 'undelivered')),
  reason text not null constraint rulings_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open' constraint rulings_are_in_a_known_state check (state in ('open', 'confirmed', 'declined')),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null references audit_log,
  proposed_at timestamptz not null,
  decided_by uuid references operators,
  decided_by_act uuid references audit_log,
  decided_at timestamptz,
  constraint decided_rulings_say_by_whom check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint rulings_need_two_people check (state <> 'confirmed' or decided_by <> proposed_by)
);
create unique index one_ruling_per_payment on withdrawal_rulings (withdrawal_id, txid) where state <> 'declined';

alter table withdrawal_payments
  add column ruling_id uuid references withdrawal_rulings constraint one_payment_per_ruling unique,
  drop constraint payments_end_in_a_known_way,
  -- Undelivered: ours, and it moved something else than it was told.
  add constraint payments_end_in_a_known_way check (outcome in ('paid', 'undelivered', 'reverted', 'voided', 'overtaken', 'abandoned')),
  add constraint undelivered_payments_were_ruled_on check (outcome <> 'undelivered' or ruling_id is not null);

create function did_as(p_operator uuid, p_action uuid, p_act text, p_subject text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select staff_did(p_action, p_act, p_subject) and exists (select from audit_log where id = p_action and operator_id = p_operator)
$$;

create function guard_withdrawal_ruling() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  subject text := 'withdrawal:' || new.withdrawal_id;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'open' or not did_as(new.proposed_by, new.proposed_by_act, 'withdrawals/propose-ruling', subject) then
      raise exception 'A ruling begins with somebody who proposes it.'
        using errcode = 'check_violation', constraint = 'rulings_begin_as_proposals';
    end if;
    if not exists (select from withdrawal_payments p
                    where p.withdrawal_id = new.withdrawal_id and p.ended_at is null and p.fault is not null and p.mined_txid = new.txid) then
      raise exception 'People rule on what is odd about a payment, and on nothing else.'
        using errcode = 'check_violation', constraint = 'rulings_are_about_odd_payments';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{state,decided_by,decided_by_act,decided_at}'::text[] <> to_jsonb(old) - '{state,decided_by,decided_by_act,decided_at}'::text[]
     or old.state <> 'open' then
    raise exception 'A ruling is decided once and never rewritten.'
      using errcode = 'check_violation', constraint = 'rulings_are_decided_once';
  end if;
  if new.state = 'confirmed' and not did_as(new.decided_by, new.decided_by_act, 'withdrawals/confirm-ruling', subject)
     or new.state = 'declined' and not did_as(new.decided_by, new.decided_by_act, 'withdrawals/decline-ruling', subject) then
    raise exception 'A ruling is decided by an act of staff.'
      using errcode = 'check_violation', constraint = 'rulings_are_decided_by_staff_acts';
  end if;
  if new.state = 'confirmed' then
    perform require_proposer_is_staff(new.proposed_by);
  end if;
  return new;
end
$$;
create trigger rulings_are_decided_once before insert or update on withdrawal_rulings
  for each row execute function guard_withdrawal_ruling();
create trigger withdrawal_rulings_are_kept before delete or truncate on withdrawal_rulings
  for each statement execute function refuse_to_rewrite('withdrawal_rulings_are_kept');
alter table withdrawal_rulings enable always trigger rulings_are_decided_once;
alter table withdrawal_rulings enable always trigger withdrawal_rulings_are_kept;

-- As in 0035, and what is odd ends by a ruling on the transaction that has taken its nonce.
create or replace function guard_withdrawal_payment() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if num_nonnulls(new.mined_hash, new.outcome, new.fee_units, new.fault, new.ruling_id) > 0 or not exists (
         select from withdrawals w join withdrawal_batches b on b.id = w.batch_id
          where w.id = new.withdrawal_id and b.id = new.batch_id and b.state = 'formed' and b.chain = 'ethereum'
            and b.chain_id = new.chain_id and b.payer = new.payer and (w.asset = 'ETH') = (new.token is null)) then
      raise exception 'A payment belongs to a batch of its chain, and takes a nonce of who pays.'
        using errcode = 'check_violation', constraint = 'payments_belong_to_their_batch';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{mined_height,mined_hash,mined_txid,outcome,fee_units,fee_transfer_id,fault,ruling_id,ended_at}'::text[]
     <> to_jsonb(old) - '{mined_height,mined_hash,mined_txid,outcome,fee_units,fee_transfer_id,fault,ruling_id,ended_at}'::text[]
     or old.ended_at is not null then
    raise exception 'A payment keeps its nonce, and ends once.'
      using errcode = 'check_violation', constraint = 'payments_keep_their_nonce';
  end if;
  if (new.ruling_id is not null or new.outcome is not null and old.fault is not null) and not exists (
       select from withdrawal_rulings r
        where r.id = new.ruling_id and r.withdrawal_id = new.withdrawal_id and r.state = 'confirmed'
          and r.says = new.outcome and r.txid = new.mined_txid and old.fault is not null) then
    raise exception 'An odd payment ends as two people said of its transaction.'
      using errcode = 'check_violation', constraint = 'odd_payments_end_by_two_people';
  end if;
  if new.outcome = 'abandoned' and not exists (
       select from withdrawal_abandonments a join withdrawal_batches b on b.id = a.batch_id
        where a.batch_id = new.batch_id and a.state = 'confirmed' and may_be_abandoned(b)) then
    raise exception 'A payment is abandoned with its batch, by two people.'
      using errcode = 'check_violation', constraint = 'payments_are_abandoned_with_their_batch';
  end if;
  if new.fee_transfer_id is not null and not exists (
       select from ledger_transfers t
        where t.id = new.fee_transfer_id and t.kind = 'network-fee' and t.key = 'network-fee:' || new.withdrawal_id
          and exists (select from unnest(t.legs) leg where leg.account = 'custody' and leg.asset = 'ETH' and leg.units = new.fee_units)) then
    raise exception 'What the network took stands in the journal.'
      using errcode = 'check_violation', constraint = 'ended_payments_post_their_fee';
  end if;
  return new;
end
$$;

revoke execute on function guard_withdrawal_ruling, did_as from public;
grant select, insert on withdrawal_rulings to assay_app;
grant update (state, decided_by, decided_by_act, decided_at) on withdrawal_rulings to assay_app;
grant update (ruling_id) on withdrawal_payments to assay_app;

-- What is not worth sending ---------------------------------------------------------------------------------------------
-- The final payment of an account costs its owner nothing and the house what the network takes. Ether and USDT that come to no more
-- than a withdrawal costs may be left instead, so that nobody needs a second factor and an address for ten cents. Bitcoin is left
-- as before: what no transaction can carry.

alter table left_remainders
  drop constraint remainders_are_of_bitcoin,
  add constraint remainders_are_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  -- What a withdrawal of the coin cost at the time, in its smallest unit, as far as it counts; null: bitcoin.
  add column withdrawal_fee_units numeric(38, 0),
  drop constraint only_what_cannot_be_sent_is_left,
  add constraint only_what_cannot_be_sent_is_left check (asset <> 'BTC' or units between 1 and 545),
  add constraint only_what_a_withdrawal_costs_is_left
    check (case asset when 'BTC' then withdrawal_fee_units is null
                      else withdrawal_fee_units is not null and units between 1 and withdrawal_fee_units
                           -- Whatever is configured: 0.01 ETH, 50 USDT.
                           and withdrawal_fee_units <= case asset when 'ETH' then 10000000000000000 else 50000000 end end);
