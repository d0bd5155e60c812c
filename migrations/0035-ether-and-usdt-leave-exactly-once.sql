-- Ether and USDT leave as bitcoin does: asked for, confirmed, approved, paid in a batch of the day that is signed elsewhere.
-- One payment is one transaction, and what a coin is to a batch of Bitcoin, a nonce is to a payment: every version takes
-- it, so the chain takes one of them. docs/decisions/0031-a-payment-on-ethereum-is-known-by-its-nonce.md says why.

alter table withdrawal_addresses
  drop constraint addresses_are_of_a_coin_that_leaves,
  add constraint addresses_are_of_a_coin_that_leaves check (asset in ('BTC', 'ETH', 'USDT')),
  add constraint ethereum_addresses_are_whole check (asset = 'BTC' or address ~ '^0x[0-9a-fA-F]{40}$');

alter table withdrawals
  drop constraint withdrawals_are_of_a_coin_that_leaves,
  add constraint withdrawals_are_of_a_coin_that_leaves check (asset in ('BTC', 'ETH', 'USDT')),
  drop constraint withdrawals_have_a_minimum,
  -- Of the other coins the operator says it: it stands in the configuration.
  add constraint withdrawals_have_a_minimum check (is_final or asset <> 'BTC' or units >= 70000),
  drop constraint no_output_is_dust,
  add constraint no_output_is_dust check (units - fee_units >= case asset when 'BTC' then 546 else 1 end);

-- Batches ------------------------------------------------------------------------------------------------------

alter table withdrawal_batches
  add column chain text not null default 'bitcoin' constraint batches_are_on_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  -- Of Ethereum: the address that pays, whose nonces are taken, on which chain (EIP-155).
  add column chain_id bigint constraint chains_have_a_number check (chain_id > 0),
  add column payer text collate "C" constraint payers_are_whole_addresses check (payer ~ '^0x[0-9a-fA-F]{40}$'),
  alter column wallet_id drop not null,
  alter column change_index drop not null,
  alter column anchor_txid drop not null,
  alter column anchor_vout drop not null,
  add constraint batches_know_what_excludes_their_versions
    check (case chain when 'bitcoin' then num_nonnulls(wallet_id, change_index, anchor_txid, anchor_vout) = 4 and num_nonnulls(chain_id, payer) = 0
                      else num_nonnulls(wallet_id, change_index, anchor_txid, anchor_vout) = 0 and num_nonnulls(chain_id, payer) = 2 end),
  drop constraint settled_batches_are_in_a_block,
  add constraint settled_batches_are_in_a_block
    check (state <> 'settled' or chain = 'ethereum' or num_nonnulls(mined_hash, mined_version_id, fee_transfer_id) = 3),
  drop constraint failed_batches_were_overtaken_in_a_block,
  add constraint failed_batches_were_overtaken_in_a_block
    check (state <> 'failed' or chain = 'ethereum' or mined_hash is not null and mined_version_id is null),
  -- What became of each payment stands with the payment.
  add constraint batches_of_ethereum_are_in_many_blocks
    check (chain = 'bitcoin' or num_nonnulls(mined_height, mined_hash, mined_version_id, fee_transfer_id) = 0);
alter table withdrawal_batches alter column chain drop default;
-- Nonces follow each other: what comes later waits for what came before.
create unique index one_batch_of_a_payer_at_a_time on withdrawal_batches (chain_id, payer) where state in ('formed', 'broadcast');

alter table withdrawal_batch_versions rename column psbt to unsigned;
alter table withdrawal_batch_versions
  alter column fee_rate drop not null,
  alter column txid drop not null,
  -- Of Ethereum, in wei; `fee_units` is then the most that the network can take, and `spends` the nonces, as payer:nonce.
  add column max_fee_per_gas numeric(38, 0),
  add column max_priority_fee_per_gas numeric(38, 0),
  add constraint versions_name_the_fee_of_their_chain
    check (case when txid is not null then fee_rate is not null and num_nonnulls(max_fee_per_gas, max_priority_fee_per_gas) = 0
                else fee_rate is null and max_fee_per_gas is not null and max_priority_fee_per_gas between 0 and max_fee_per_gas end),
  drop constraint versions_pay_somebody,
  -- A version may pay nobody: on Ethereum it then takes the nonces, of Bitcoin it pays the wallet, so that nothing else spends the anchor.
  add constraint versions_pay_somebody check (txid is null or cardinality(pays) >= 1 or change_units > 0),
  drop constraint signed_versions_hold_the_transaction,
  add constraint signed_versions_hold_the_transaction
    check (num_nonnulls(signed_by, signed_by_act, signed_at) in (0, 3) and (raw is not null) = (signed_at is not null and txid is not null));

-- Payments on Ethereum -----------------------------------------------------------------------------------------

create table withdrawal_payments (
  withdrawal_id uuid primary key references withdrawals,
  batch_id uuid not null references withdrawal_batches,
  chain_id bigint not null,
  payer text collate "C" not null,
  nonce bigint not null constraint nonces_count_from_zero check (nonce >= 0),
  -- The contract through which it is paid; null: ether.
  token text collate "C",
  -- The block in which the nonce is taken, and by which transaction, as far as the node said last.
  mined_height integer,
  mined_hash text collate "C",
  mined_txid text collate "C",
  -- Reverted: ours, but it moved nothing. Voided: by ours that pays nobody. Overtaken: by a transaction that is not ours.
  outcome text constraint payments_end_in_a_known_way check (outcome in ('paid', 'reverted', 'voided', 'overtaken')),
  -- What the network took for it, in wei.
  fee_units numeric(38, 0) constraint network_fees_are_no_debt check (fee_units >= 0),
  fee_transfer_id uuid references ledger_transfers (id) constraint one_payment_per_fee_transfer unique,
  -- What is odd about it, so that a person must look; it is then neither settled nor given back.
  fault text,
  ended_at timestamptz,
  constraint blocks_of_payments_are_whole check (num_nonnulls(mined_height, mined_hash, mined_txid) in (0, 3)),
  constraint ended_payments_say_when_and_how check (num_nonnulls(outcome, ended_at) in (0, 2)),
  constraint ended_payments_are_in_a_block check (outcome is null or (outcome = 'abandoned') = (mined_hash is null)),
  constraint our_payments_cost_a_fee check (outcome is null or (outcome in ('overtaken', 'abandoned')) = (fee_units is null)),
  constraint fees_of_payments_are_posted check ((coalesce(fee_units, 0) > 0) = (fee_transfer_id is not null))
);
-- What was never taken away to be signed leaves its nonce to the next.
create unique index one_payment_per_nonce on withdrawal_payments (chain_id, payer, nonce) where outcome is distinct from 'abandoned';
create index withdrawal_payments_of_a_batch on withdrawal_payments (batch_id, nonce);

create table withdrawal_transactions (
  version_id uuid not null references withdrawal_batch_versions,
  withdrawal_id uuid not null references withdrawal_payments,
  -- False: it takes the nonce and pays nobody.
  pays boolean not null,
  gas_limit bigint not null constraint transactions_may_use_gas check (gas_limit >= 21000),
  unsigned bytea not null,
  raw bytea,
  -- Of the signed bytes.
  txid text collate "C" constraint transactions_have_a_hash check (txid ~ '^0x[0-9a-f]{64}$'),
  sent_at timestamptz,
  fault text,
  constraint one_transaction_per_payment_and_version primary key (version_id, withdrawal_id),
  constraint signed_transactions_have_a_hash check (num_nonnulls(raw, txid) in (0, 2)),
  constraint only_signed_transactions_are_sent check (sent_at is null or raw is not null)
);
create index withdrawal_transactions_of_a_payment on withdrawal_transactions (withdrawal_id);

create function guard_withdrawal_payment() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if num_nonnulls(new.mined_hash, new.outcome, new.fee_units, new.fault) > 0 or not exists (
         select from withdrawals w join withdrawal_batches b on b.id = w.batch_id
          where w.id = new.withdrawal_id and b.id = new.batch_id and b.state = 'formed' and b.chain = 'ethereum'
            and b.chain_id = new.chain_id and b.payer = new.payer and (w.asset = 'ETH') = (new.token is null)) then
      raise exception 'A payment belongs to a batch of its chain, and takes a nonce of who pays.'
        using errcode = 'check_violation', constraint = 'payments_belong_to_their_batch';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{mined_height,mined_hash,mined_txid,outcome,fee_units,fee_transfer_id,fault,ended_at}'::text[]
     <> to_jsonb(old) - '{mined_height,mined_hash,mined_txid,outcome,fee_units,fee_transfer_id,fault,ended_at}'::text[]
     or old.ended_at is not null then
    raise exception 'A payment keeps its nonce, and ends once.'
      using errcode = 'check_violation', constraint = 'payments_keep_their_nonce';
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
create trigger payments_keep_their_nonce before insert or update on withdrawal_payments
  for each row execute function guard_withdrawal_payment();
alter table withdrawal_payments enable always trigger payments_keep_their_nonce;

create function guard_withdrawal_transaction() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  version withdrawal_batch_versions;
begin
  select * into version from withdrawal_batch_versions where id = new.version_id;
  if tg_op = 'INSERT' then
    if version.signed_at is not null or new.raw is not null or new.pays <> (new.withdrawal_id = any (version.pays)) or not exists (
         select from withdrawal_payments p
          where p.withdrawal_id = new.withdrawal_id and p.batch_id = version.batch_id and p.payer || ':' || p.nonce = any (version.spends)) then
      raise exception 'A version holds a transaction for each nonce that it takes.'
        using errcode = 'check_violation', constraint = 'transactions_belong_to_their_version';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{raw,txid,sent_at,fault}'::text[] <> to_jsonb(old) - '{raw,txid,sent_at,fault}'::text[]
     or old.raw is not null and (new.raw, new.txid) is distinct from (old.raw, old.txid)
     or old.sent_at is not null and new.sent_at is distinct from old.sent_at then
    raise exception 'A transaction is signed once and never rewritten.'
      using errcode = 'check_violation', constraint = 'transactions_are_never_rewritten';
  end if;
  if new.sent_at is not null and version.ordered_at is null then
    raise exception 'What is sent was ordered.'
      using errcode = 'check_violation', constraint = 'only_ordered_transactions_are_sent';
  end if;
  return new;
end
$$;
create trigger transactions_are_never_rewritten before insert or update on withdrawal_transactions
  for each row execute function guard_withdrawal_transaction();
alter table withdrawal_transactions enable always trigger transactions_are_never_rewritten;

create trigger withdrawal_payments_are_kept before delete or truncate on withdrawal_payments
  for each statement execute function refuse_to_rewrite('withdrawal_payments_are_kept');
create trigger withdrawal_transactions_are_kept before delete or truncate on withdrawal_transactions
  for each statement execute function refuse_to_rewrite('withdrawal_transactions_are_kept');

-- What withdrawals, batches and versions ask of each other, now by chain ------------------------------------------

create or replace function guard_withdrawal() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  batch withdrawal_batches;
  payment withdrawal_payments;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'requested' or num_nonnulls(new.confirmed_at, new.approved_at, new.batch_id, new.ended_at, new.broadcast_at) > 0 then
      raise exception 'A withdrawal begins with a request.'
        using errcode = 'check_violation', constraint = 'withdrawals_begin_as_requests';
    end if;
    if not has_second_factor(new.customer_id) then
      raise exception 'Nothing leaves without a second factor.'
        using errcode = 'check_violation', constraint = 'withdrawals_need_a_second_factor';
    end if;
    perform require_money_may_leave(new.customer_id, new.requested_at);
    if not exists (select from withdrawal_addresses a
                    where a.customer_id = new.customer_id and a.asset = new.asset and a.address = new.address
                      and a.removed_at is null and a.usable_from = new.payable_from) then
      raise exception 'A withdrawal goes to an address of the book.'
        using errcode = 'check_violation', constraint = 'withdrawals_go_to_addresses_of_the_book';
    end if;
    if not is_withdrawal_transfer(new.request_transfer_id, new, 'withdrawal-request') then
      raise exception 'A withdrawal is debited when it is asked for.'
        using errcode = 'check_violation', constraint = 'withdrawals_are_debited_once';
    end if;
    if new.is_final and not (
         exists (select from account_closings where customer_id = new.customer_id and state = 'waiting')
         and coalesce((select balance from ledger_accounts
                        where owner_id = new.customer_id and account = 'available' and asset = new.asset), 0) = 0) then
      raise exception 'The final payment takes all, of an account that is being closed.'
        using errcode = 'check_violation', constraint = 'final_payments_belong_to_a_closing';
    end if;
    return new;
  end if;

  if to_jsonb(new) - '{state,confirmed_at,approved_by,approved_by_act,approved_at,batch_id,broadcast_at,ended_at,ended_by,ended_by_act,reason,end_transfer_id}'::text[]
     <> to_jsonb(old) - '{state,confirmed_at,approved_by,approved_by_act,approved_at,batch_id,broadcast_at,ended_at,ended_by,ended_by_act,reason,end_transfer_id}'::text[] then
    raise exception 'What was asked for is never rewritten.'
      using errcode = 'check_violation', constraint = 'requests_are_never_rewritten';
  end if;
  if old.approved_at is not null and (new.approved_by, new.approved_by_act, new.approved_at)
                                     is distinct from (old.approved_by, old.approved_by_act, old.approved_at) then
    raise exception 'A withdrawal is approved once.'
      using errcode = 'check_violation', constraint = 'requests_are_never_rewritten';
  end if;
  if (old.state || ' ' || new.state) not in (
       'requested confirmed', 'confirmed approved', 'approved batched', 'batched broadcast', 'batched settled', 'broadcast settled',
       'requested cancelled', 'confirmed cancelled', 'approved cancelled',
       'requested rejected', 'confirmed rejected', 'approved rejected', 'batched returned', 'broadcast returned') then
    raise exception 'A withdrawal that is % does not become %.', old.state, new.state
      using errcode = 'check_violation', constraint = 'withdrawals_move_forward';
  end if;
  if old.batch_id is not null and new.batch_id is distinct from old.batch_id then
    raise exception 'A withdrawal stays in its batch.'
      using errcode = 'check_violation', constraint = 'withdrawals_stay_in_their_batch';
  end if;
  if new.state in ('confirmed', 'approved', 'batched') then
    perform require_money_may_leave(new.customer_id, coalesce(
      case new.state when 'confirmed' then new.confirmed_at when 'approved' then new.approved_at end,
      (select formed_at from withdrawal_batches where id = new.batch_id)));
  end if;
  if new.state = 'confirmed' and new.confirmed_at > new.confirm_by then
    raise exception 'The link has expired.' using errcode = 'check_violation', constraint = 'links_work_in_their_time';
  end if;
  if new.state = 'approved' and not did_as(new.approved_by, new.approved_by_act, 'withdrawals/approve', 'withdrawal:' || new.id) then
    raise exception 'A withdrawal is approved by an act of staff.'
      using errcode = 'check_violation', constraint = 'withdrawals_are_approved_by_staff_acts';
  end if;
  if new.state = 'rejected' and not staff_did(new.ended_by_act, 'withdrawals/reject', 'withdrawal:' || new.id) then
    raise exception 'A withdrawal is rejected by an act of staff.'
      using errcode = 'check_violation', constraint = 'withdrawals_are_rejected_by_staff_acts';
  end if;
  if new.batch_id is not null then
    select * into batch from withdrawal_batches where id = new.batch_id;
  end if;
  if new.state = 'batched' then
    if (new.asset = 'BTC') <> (batch.chain = 'bitcoin') then
      raise exception 'A batch pays coins of its chain.'
        using errcode = 'check_violation', constraint = 'batches_are_of_one_chain';
    end if;
    if batch.state <> 'formed' or new.due_on > batch.day or new.payable_from > batch.formed_at
       or is_withdrawal_held(new.id, batch.formed_at) then
      raise exception 'A withdrawal is in a batch once its day has come and nothing holds it.'
        using errcode = 'check_violation', constraint = 'batches_take_what_is_due';
    end if;
  end if;
  if batch.chain = 'ethereum' then
    select * into payment from withdrawal_payments where withdrawal_id = new.id;
  end if;
  if new.state = 'broadcast' and not (case batch.chain
       when 'bitcoin' then exists (
         select from withdrawal_batch_versions v where v.batch_id = batch.id and v.sent_at is not null and new.id = any (v.pays))
       else exists (
         select from withdrawal_transactions t where t.withdrawal_id = new.id and t.pays and t.sent_at is not null) end) then
    raise exception 'A withdrawal is broadcast with its batch.'
      using errcode = 'check_violation', constraint = 'withdrawals_are_broadcast_with_their_batch';
  end if;
  if new.state = 'settled' and not (case batch.chain
       when 'bitcoin' then batch.state = 'settled' and exists (
         select from withdrawal_batch_versions v where v.id = batch.mined_version_id and new.id = any (v.pays))
       else coalesce(payment.outcome = 'paid', false) end) then
    raise exception 'A withdrawal is settled by the transaction that pays it.'
      using errcode = 'check_violation', constraint = 'withdrawals_are_settled_on_chain';
  end if;
  -- Only what can never confirm any more comes back: another transaction has spent the anchor, or taken the nonce.
  if new.state = 'returned' and not (case batch.chain
       when 'bitcoin' then batch.state = 'failed' or batch.state = 'settled' and not exists (
         select from withdrawal_batch_versions v where v.id = batch.mined_version_id and new.id = any (v.pays))
       else coalesce(payment.outcome <> 'paid', false) end) then
    raise exception 'A withdrawal comes back when no transaction can pay it any more.'
      using errcode = 'check_violation', constraint = 'withdrawals_come_back_when_they_cannot_leave';
  end if;
  if new.state in ('settled', 'cancelled', 'rejected', 'returned') and not is_withdrawal_transfer(
       new.end_transfer_id, new, case new.state when 'settled' then 'withdrawal-sent' else 'withdrawal-cancelled' end) then
    raise exception 'A withdrawal that ends is posted.'
      using errcode = 'check_violation', constraint = 'ended_withdrawals_are_posted';
  end if;
  return new;
end
$$;

create or replace function guard_withdrawal_batch() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'formed' or not did_as(new.formed_by, new.formed_by_act,
         case new.purpose when 'consolidation' then 'withdrawals/consolidate' else 'withdrawals/form-batch' end, 'withdrawal-batch:' || new.id) then
      raise exception 'A batch is formed by an act of staff.'
        using errcode = 'check_violation', constraint = 'batches_are_formed_by_staff_acts';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{state,broadcast_at,mined_height,mined_hash,mined_version_id,ended_at,fee_transfer_id,anchor_gone_height,searched_height,searched_hash,abandonment_id}'::text[]
     <> to_jsonb(old) - '{state,broadcast_at,mined_height,mined_hash,mined_version_id,ended_at,fee_transfer_id,anchor_gone_height,searched_height,searched_hash,abandonment_id}'::text[]
     or old.state in ('settled', 'failed') or old.state = 'broadcast' and new.state = 'formed' then
    raise exception 'A batch goes on and is never rewritten.'
      using errcode = 'check_violation', constraint = 'batches_move_forward';
  end if;
  if new.state = 'broadcast' and not exists (
       select from withdrawal_batch_versions v where v.batch_id = new.id and v.sent_at is not null) and not exists (
       select from withdrawal_batch_versions v join withdrawal_transactions t on t.version_id = v.id
        where v.batch_id = new.id and t.sent_at is not null) then
    raise exception 'A batch is broadcast with one of its versions.'
      using errcode = 'check_violation', constraint = 'batches_are_broadcast_as_a_version';
  end if;
  if new.chain = 'ethereum' and new.state in ('settled', 'failed') and (
       exists (select from withdrawal_payments p where p.batch_id = new.id and p.ended_at is null)
       or (new.state = 'settled') <> exists (select from withdrawal_payments p where p.batch_id = new.id and p.outcome = 'paid')) then
    raise exception 'A batch of Ethereum ends with its last payment.'
      using errcode = 'check_violation', constraint = 'batches_end_with_their_payments';
  end if;
  if new.abandonment_id is not null and not (new.state = 'failed' and new.mined_hash is null and may_be_abandoned(new)
       and exists (select from withdrawal_abandonments a where a.id = new.abandonment_id and a.batch_id = new.id and a.state = 'confirmed')) then
    raise exception 'A batch is abandoned by two people, when no version of it can be mined.'
      using errcode = 'check_violation', constraint = 'batches_are_abandoned_by_two_people';
  end if;
  if new.chain = 'bitcoin' and new.state = 'settled' and not exists (
       select from ledger_transfers t join withdrawal_batch_versions v on v.id = new.mined_version_id
        where t.id = new.fee_transfer_id and t.kind = 'network-fee' and t.key = 'network-fee:' || new.id
          and exists (select from unnest(t.legs) leg where leg.account = 'custody' and leg.asset = 'BTC' and leg.units = v.fee_units)) then
    raise exception 'A settled batch has its fee in the journal.'
      using errcode = 'check_violation', constraint = 'settled_batches_post_their_fee';
  end if;
  return new;
end
$$;

create or replace function guard_withdrawal_batch_version() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  batch withdrawal_batches;
  subject text := 'withdrawal-batch:' || new.batch_id;
begin
  select * into batch from withdrawal_batches where id = new.batch_id for update;
  if tg_op = 'INSERT' then
    if not did_as(new.made_by, new.made_by_act, case when new.number > 1 then 'withdrawals/rebuild-batch'
                       when batch.purpose = 'consolidation' then 'withdrawals/consolidate' else 'withdrawals/form-batch' end, subject)
       or num_nonnulls(new.raw, new.ordered_at, new.sent_at) > 0 then
      raise exception 'A version is built by an act of staff.'
        using errcode = 'check_violation', constraint = 'versions_are_built_by_staff_acts';
    end if;
    if batch.state not in ('formed', 'broadcast')
       or new.number <> 1 + (select count(*) from withdrawal_batch_versions where batch_id = new.batch_id) then
      raise exception 'Versions follow each other while the batch goes on.'
        using errcode = 'check_violation', constraint = 'versions_follow_each_other';
    end if;
    if batch.chain = 'bitcoin' and (not (batch.anchor_txid || ':' || batch.anchor_vout) = any (new.spends) or exists (
         select from unnest(new.spends) spent
          where not exists (select from withdrawal_batch_coins c
                             where c.batch_id = new.batch_id and c.released_at is null and c.txid || ':' || c.vout = spent)))
       or batch.chain = 'ethereum' and (cardinality(new.spends) = 0 or exists (
         select from unnest(new.spends) spent
          where not exists (select from withdrawal_payments p
                             where p.batch_id = new.batch_id and p.ended_at is null and p.payer || ':' || p.nonce = spent))) then
      raise exception 'Every version spends the anchor and coins of its batch, or takes the nonces of its payments.'
        using errcode = 'check_violation', constraint = 'versions_exclude_each_other';
    end if;
    if (new.txid is null) <> (batch.chain = 'ethereum') then
      raise exception 'A version is built for the chain of its batch.'
        using errcode = 'check_violation', constraint = 'versions_are_of_their_chain';
    end if;
    if exists (select from unnest(new.pays) paid
                where not exists (select from withdrawals w where w.id = paid and w.batch_id = new.batch_id and w.ended_at is null)) then
      raise exception 'A version pays withdrawals of its batch only.'
        using errcode = 'check_violation', constraint = 'versions_pay_their_batch';
    end if;
    if batch.chain = 'bitcoin' and (select sum(c.units) from withdrawal_batch_coins c where c.batch_id = new.batch_id and c.txid || ':' || c.vout = any (new.spends))
       <> new.fee_units + new.change_units + (select coalesce(sum(w.units - w.fee_units), 0) from withdrawals w where w.id = any (new.pays)) then
      raise exception 'What a version spends is what it pays, its change and its fee.'
        using errcode = 'check_violation', constraint = 'versions_balance';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{raw,signed_by,signed_by_act,signed_at,ordered_by,ordered_by_act,ordered_at,sent_at,fault}'::text[]
     <> to_jsonb(old) - '{raw,signed_by,signed_by_act,signed_at,ordered_by,ordered_by_act,ordered_at,sent_at,fault}'::text[]
     or old.signed_at is not null and (new.raw, new.signed_by, new.signed_by_act) is distinct from (old.raw, old.signed_by, old.signed_by_act)
     or old.ordered_at is not null and (new.ordered_by, new.ordered_by_act, new.ordered_at) is distinct from (old.ordered_by, old.ordered_by_act, old.ordered_at)
     or old.sent_at is not null and new.sent_at is distinct from old.sent_at then
    raise exception 'A version goes on and is never rewritten.'
      using errcode = 'check_violation', constraint = 'versions_move_forward';
  end if;
  if new.signed_at is not null and old.signed_at is null and not did_as(new.signed_by, new.signed_by_act, 'withdrawals/upload-signed', subject)
     or new.ordered_at is not null and old.ordered_at is null and not did_as(new.ordered_by, new.ordered_by_act, 'withdrawals/order-broadcast', subject) then
    raise exception 'Staff bring what was signed, and order its broadcast.'
      using errcode = 'check_violation', constraint = 'versions_go_on_by_staff_acts';
  end if;
  if batch.chain = 'ethereum' and new.signed_at is not null and (
       select count(*) filter (where t.raw is not null) from withdrawal_transactions t where t.version_id = new.id)
       <> cardinality(new.spends) then
    raise exception 'A version is signed when each of its transactions is.'
      using errcode = 'check_violation', constraint = 'versions_are_signed_as_a_whole';
  end if;
  if new.ordered_at is not null and old.ordered_at is null and batch.needs_two and new.ordered_by in (batch.formed_by, new.made_by) then
    raise exception 'Above the limit somebody else orders the broadcast.'
      using errcode = 'check_violation', constraint = 'large_batches_need_two_people';
  end if;
  return new;
end
$$;

-- As in 0033, and a payment on Ethereum has its own fee.
create or replace function require_settled_batch(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if not (cardinality(transfer.legs) = 2
       and (exists (select from withdrawal_batches b where b.fee_transfer_id = transfer.id and b.state = 'settled')
            or exists (select from withdrawal_payments p where p.fee_transfer_id = transfer.id and p.ended_at is not null))) then
    raise exception 'A fee of the network is that of a batch that was mined.'
      using errcode = 'check_violation', constraint = 'only_batches_pay_the_network';
  end if;
end
$$;

revoke execute on function guard_withdrawal_payment, guard_withdrawal_transaction from public;
grant select, insert on withdrawal_payments, withdrawal_transactions to assay_app;
grant update (mined_height, mined_hash, mined_txid, outcome, fee_units, fee_transfer_id, fault, ended_at) on withdrawal_payments to assay_app;
grant update (raw, txid, sent_at, fault) on withdrawal_transactions to assay_app;
