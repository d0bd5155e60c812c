-- Coins that customers take out: an address book, requests, holds, and batches that the operator signs away from here.
-- A withdrawal is debited once when it is asked for and leaves once when the chain says so, whatever clicks, crashes and
-- nodes do: docs/decisions/0024-a-batch-is-known-by-a-coin-that-it-spends.md says why it is like this.

-- The address book ---------------------------------------------------------------------------------------------

create table withdrawal_addresses (
  id uuid primary key,
  customer_id uuid not null references customers,
  asset text not null constraint addresses_are_of_a_coin_that_leaves check (asset = 'BTC'),
  address text collate "C" not null constraint addresses_are_short check (length(address) between 14 and 100),
  label text not null constraint addresses_have_a_label
    check (length(trim(label)) between 1 and 60 and label !~ '[[:cntrl:]]'),
  added_at timestamptz not null,
  -- Nothing leaves to it before: whoever steals a session for an hour cannot use an address of his own.
  usable_from timestamptz not null
    constraint new_addresses_cool_down check (usable_from >= added_at + interval '24 hours'),
  removed_at timestamptz
);
create unique index one_address_in_the_book on withdrawal_addresses (customer_id, asset, address) where removed_at is null;

create function guard_withdrawal_address() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from customers where id = old.customer_id and closed_at is not null) then return old; end if;
    raise exception 'Addresses are deleted with their account only.'
      using errcode = 'check_violation', constraint = 'addresses_go_with_the_account';
  end if;
  if old.removed_at is not null
     or to_jsonb(new) - '{removed_at,label}'::text[] <> to_jsonb(old) - '{removed_at,label}'::text[] then
    raise exception 'An address in the book stays what it is.'
      using errcode = 'check_violation', constraint = 'addresses_in_the_book_are_never_rewritten';
  end if;
  return new;
end
$$;
create trigger addresses_in_the_book_are_never_rewritten before update or delete on withdrawal_addresses
  for each row execute function guard_withdrawal_address();
create trigger closed_accounts_add_no_address before insert on withdrawal_addresses
  for each row execute function refuse_what_is_of_the_closed('customer_id', 'closed_accounts_add_no_address');
alter table withdrawal_addresses enable always trigger addresses_in_the_book_are_never_rewritten;

-- What a wallet can spend --------------------------------------------------------------------------------------

create table coin_scans (
  id uuid primary key,
  wallet_id uuid not null references wallets,
  asked_by uuid not null references operators,
  asked_by_act uuid not null references audit_log constraint one_scan_per_act unique,
  asked_at timestamptz not null,
  finished_at timestamptz,
  height integer,
  -- Of the whole unspent set at that height: txid, vout, units, branch, index, blockHash, coinbase.
  coins jsonb,
  fault text,
  constraint finished_scans_found_coins_or_a_fault
    check (case when finished_at is null then num_nonnulls(height, coins, fault) = 0
                else (fault is null) = (coins is not null) and (coins is null) = (height is null) end)
);
create unique index one_scan_at_a_time on coin_scans (wallet_id) where finished_at is null;
create index coin_scans_of_a_wallet on coin_scans (wallet_id, asked_at desc);

-- Batches ------------------------------------------------------------------------------------------------------
-- A batch is one payment on the chain. It may be built several times (another fee, a payment left out), but every
-- version spends the batch's anchor, so that the chain itself takes one of them at most.

create table withdrawal_batches (
  id uuid primary key,
  submission_key uuid not null constraint one_batch_per_submission unique,
  wallet_id uuid not null references wallets,
  day date not null,
  -- Whether who orders the broadcast must be somebody else than who formed it: the total was above the limit.
  needs_two boolean not null,
  -- Of the wallet's branch for change.
  change_index integer not null constraint change_goes_to_a_plain_index check (change_index >= 0),
  anchor_txid text collate "C" not null,
  anchor_vout integer not null,
  -- The tip when it was formed: no version can stand in an earlier block.
  formed_height integer not null,
  formed_by uuid not null references operators,
  formed_by_act uuid not null references audit_log constraint one_withdrawal_batch_per_act unique,
  formed_at timestamptz not null,
  state text not null default 'formed'
    constraint batches_have_a_known_state check (state in ('formed', 'broadcast', 'settled', 'failed')),
  broadcast_at timestamptz,
  -- The block in which the anchor is spent, as far as the node said last.
  mined_height integer,
  mined_hash text collate "C",
  mined_version_id uuid,
  ended_at timestamptz,
  fee_transfer_id uuid references ledger_transfers (id) constraint one_batch_per_fee_transfer unique,
  constraint one_change_address_per_batch unique (wallet_id, change_index),
  constraint batches_are_of_their_day check (day = (formed_at at time zone 'UTC')::date),
  constraint broadcast_batches_say_when check (state <> 'broadcast' or broadcast_at is not null),
  constraint blocks_have_height_and_hash check ((mined_height is null) = (mined_hash is null)),
  constraint settled_batches_are_in_a_block
    check (state <> 'settled' or num_nonnulls(mined_hash, mined_version_id, fee_transfer_id) = 3),
  constraint failed_batches_were_overtaken_in_a_block
    check (state <> 'failed' or mined_hash is not null and mined_version_id is null),
  constraint ended_batches_say_when check ((state in ('settled', 'failed')) = (ended_at is not null))
);
create index withdrawal_batches_that_go_on on withdrawal_batches (formed_at) where state in ('formed', 'broadcast');
create index withdrawal_batches_by_time on withdrawal_batches (formed_at desc);

create table withdrawal_batch_coins (
  batch_id uuid not null references withdrawal_batches,
  txid text collate "C" not null constraint coins_have_a_txid check (txid ~ '^[0-9a-f]{64}$'),
  vout integer not null constraint coins_have_a_place check (vout >= 0),
  units numeric(38, 0) not null constraint coins_are_worth_something check (units > 0),
  branch integer not null constraint coins_lie_on_a_branch check (branch in (0, 1, 2)),
  derivation_index integer not null constraint coins_lie_at_a_plain_index check (derivation_index >= 0),
  block_hash text collate "C" not null,
  -- When the batch ended without spending it.
  released_at timestamptz,
  constraint one_coin_once_in_a_batch primary key (batch_id, txid, vout)
);
create unique index one_batch_per_coin on withdrawal_batch_coins (txid, vout) where released_at is null;

create table withdrawal_batch_versions (
  id uuid primary key,
  batch_id uuid not null references withdrawal_batches,
  number integer not null constraint versions_are_counted_from_one check (number >= 1),
  fee_rate integer not null constraint fee_rates_are_within_bounds check (fee_rate between 1 and 1000),
  fee_units numeric(38, 0) not null constraint versions_pay_a_fee check (fee_units > 0),
  change_units numeric(38, 0) not null constraint change_is_no_debt check (change_units >= 0),
  -- `txid:vout` of each coin that it spends, and the withdrawals that it pays, in the order of its inputs and outputs.
  spends text[] collate "C" not null,
  pays uuid[] not null constraint versions_pay_somebody check (cardinality(pays) >= 1),
  -- Known before it is signed: signatures stand in the witness.
  txid text collate "C" not null constraint one_version_per_transaction unique,
  psbt bytea not null,
  -- Why it takes the place of the one before.
  reason text,
  made_by uuid not null references operators,
  made_by_act uuid not null references audit_log constraint one_built_version_per_act unique,
  made_at timestamptz not null,
  raw bytea,
  signed_by uuid references operators,
  signed_by_act uuid references audit_log constraint one_signed_version_per_act unique,
  signed_at timestamptz,
  ordered_by uuid references operators,
  ordered_by_act uuid references audit_log constraint one_order_per_act unique,
  ordered_at timestamptz,
  sent_at timestamptz,
  fault text,
  constraint one_built_version_per_number unique (batch_id, number),
  constraint signed_versions_hold_the_transaction
    check (num_nonnulls(raw, signed_by, signed_by_act, signed_at) in (0, 4)),
  constraint orders_are_acts check (num_nonnulls(ordered_by, ordered_by_act, ordered_at) in (0, 3)),
  constraint only_signed_versions_are_ordered check (ordered_at is null or signed_at is not null),
  constraint only_ordered_versions_are_sent check (sent_at is null or ordered_at is not null),
  constraint versions_of_one_batch unique (batch_id, id)
);
alter table withdrawal_batches add constraint what_was_mined_is_a_version_of_the_batch
  foreign key (id, mined_version_id) references withdrawal_batch_versions (batch_id, id);

-- Withdrawals --------------------------------------------------------------------------------------------------

create table withdrawals (
  id uuid primary key,
  customer_id uuid not null references customers,
  -- Minted with the form: however often the same form arrives, it is one withdrawal.
  request_key uuid not null,
  asset text not null constraint withdrawals_are_of_a_coin_that_leaves check (asset = 'BTC'),
  address text collate "C" not null,
  -- What leaves the balance; the fee is part of it.
  units numeric(38, 0) not null,
  fee_units numeric(38, 0) not null constraint fees_are_no_debt check (fee_units >= 0),
  -- Whether all that was there was asked for, rather than an amount.
  takes_all boolean not null,
  -- The last payment of an account that is being closed: all that is there, without fee, minimum and limit.
  is_final boolean not null,
  usd_cents numeric(38, 0),
  price_id uuid references market_prices,
  requested_at timestamptz not null,
  -- The end of the address's cool-down.
  payable_from timestamptz not null,
  due_on date not null,
  confirm_token_sha256 bytea not null constraint one_withdrawal_per_link unique
    constraint tokens_are_known_by_their_sha256 check (length(confirm_token_sha256) = 32),
  confirm_by timestamptz not null,
  request_transfer_id uuid not null references ledger_transfers (id) constraint one_withdrawal_per_request_transfer unique,
  state text not null default 'requested' constraint withdrawals_have_a_known_state
    check (state in ('requested', 'confirmed', 'approved', 'batched', 'broadcast', 'settled', 'cancelled', 'rejected', 'returned')),
  confirmed_at timestamptz,
  approved_by uuid references operators,
  approved_by_act uuid references audit_log constraint one_approved_withdrawal_per_act unique,
  approved_at timestamptz,
  batch_id uuid references withdrawal_batches,
  broadcast_at timestamptz,
  ended_at timestamptz,
  -- Of what was cancelled, rejected or returned.
  ended_by text constraint withdrawals_are_ended_by_somebody check (ended_by in ('customer', 'mail-link', 'time', 'staff', 'chain')),
  ended_by_act uuid references audit_log constraint one_rejected_withdrawal_per_act unique,
  reason text constraint rejections_of_withdrawals_say_why check (length(trim(reason)) between 1 and 1000),
  end_transfer_id uuid references ledger_transfers (id) constraint one_withdrawal_per_end_transfer unique,
  constraint one_withdrawal_per_request unique (customer_id, request_key),
  constraint withdrawals_have_a_minimum check (is_final or units >= 70000),
  constraint no_output_is_dust check (units - fee_units >= 546),
  constraint final_payments_are_free check (not is_final or fee_units = 0 and takes_all),
  constraint values_of_withdrawals_have_their_price check ((usd_cents is null) = (price_id is null)),
  constraint requests_of_a_day_leave_on_the_next
    check (due_on = (greatest(requested_at, payable_from) at time zone 'UTC')::date + 1),
  constraint links_work_for_a_day check (confirm_by <= requested_at + interval '24 hours'),
  constraint confirmed_withdrawals_say_when
    check (state in ('requested', 'cancelled', 'rejected') or confirmed_at is not null),
  constraint nothing_leaves_without_approval
    check (state in ('requested', 'confirmed', 'cancelled', 'rejected')
           or num_nonnulls(approved_by, approved_by_act, approved_at) = 3),
  constraint withdrawals_leave_in_a_batch
    check ((state in ('batched', 'broadcast', 'settled', 'returned')) = (batch_id is not null)),
  constraint ended_withdrawals_say_when
    check ((state in ('settled', 'cancelled', 'rejected', 'returned')) = (num_nonnulls(ended_at, end_transfer_id) = 2)
           and num_nonnulls(ended_at, end_transfer_id) in (0, 2)),
  constraint only_rejected_and_returned_withdrawals_have_a_reason
    check ((state in ('rejected', 'returned')) = (reason is not null)),
  constraint rejections_are_acts check ((state = 'rejected') = (ended_by_act is not null)),
  constraint what_came_back_says_by_whom check ((state in ('cancelled', 'rejected', 'returned')) = (ended_by is not null))
);
create index withdrawals_of_a_customer on withdrawals (customer_id, requested_at desc, id desc);
create index withdrawals_that_wait on withdrawals (requested_at, id) where state in ('requested', 'confirmed', 'approved', 'batched', 'broadcast');
create index withdrawals_by_end on withdrawals (ended_at desc, id desc) where ended_at is not null;
create index withdrawals_of_a_batch on withdrawals (batch_id) where batch_id is not null;

create table withdrawal_holds (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawals,
  -- The customer reads it.
  reason text not null constraint holds_have_a_reason check (length(trim(reason)) between 1 and 1000),
  placed_by uuid not null references operators,
  placed_by_act uuid not null references audit_log constraint one_hold_per_act unique,
  placed_at timestamptz not null,
  ends_at timestamptz not null constraint holds_have_an_end check (ends_at > placed_at),
  lifted_by uuid references operators,
  lifted_by_act uuid references audit_log constraint one_lifted_hold_per_act unique,
  lifted_at timestamptz,
  constraint holds_are_lifted_by_an_act check (num_nonnulls(lifted_by, lifted_by_act, lifted_at) in (0, 3))
);
create index withdrawal_holds_of_a_withdrawal on withdrawal_holds (withdrawal_id, placed_at);

-- Whether a hold keeps a withdrawal at a moment. Holds end by themselves.
create function is_withdrawal_held(withdrawal uuid, at timestamptz) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from withdrawal_holds where withdrawal_id = withdrawal and lifted_at is null and ends_at > at)
$$;

create function guard_withdrawal_hold() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if old.lifted_at is not null or new.lifted_at is null
       or to_jsonb(new) - '{lifted_by,lifted_by_act,lifted_at}'::text[] <> to_jsonb(old) - '{lifted_by,lifted_by_act,lifted_at}'::text[] then
      raise exception 'A hold is lifted once and never rewritten.'
        using errcode = 'check_violation', constraint = 'holds_are_never_rewritten';
    end if;
    if not did_as(new.lifted_by, new.lifted_by_act, 'withdrawals/lift-hold', 'withdrawal:' || new.withdrawal_id) then
      raise exception 'A hold is lifted by an act of staff.'
        using errcode = 'check_violation', constraint = 'holds_are_staff_acts';
    end if;
    return new;
  end if;
  if new.lifted_at is not null
     or not did_as(new.placed_by, new.placed_by_act, 'withdrawals/place-hold', 'withdrawal:' || new.withdrawal_id) then
    raise exception 'A hold is placed by an act of staff.'
      using errcode = 'check_violation', constraint = 'holds_are_staff_acts';
  end if;
  perform from withdrawals where id = new.withdrawal_id for update;
  if not exists (select from withdrawals where id = new.withdrawal_id and state in ('requested', 'confirmed', 'approved')) then
    raise exception 'This withdrawal cannot be held any more.'
      using errcode = 'check_violation', constraint = 'holds_come_before_the_batch';
  end if;
  if is_withdrawal_held(new.withdrawal_id, new.placed_at) then
    raise exception 'This withdrawal is held already.'
      using errcode = 'unique_violation', constraint = 'one_hold_at_a_time';
  end if;
  if new.ends_at > (select coalesce(min(placed_at), new.placed_at) + interval '30 days'
                      from withdrawal_holds where withdrawal_id = new.withdrawal_id) then
    raise exception 'Holds on one withdrawal end 30 days after the first began.'
      using errcode = 'check_violation', constraint = 'holds_end_within_thirty_days';
  end if;
  return new;
end
$$;
create trigger holds_are_kept before insert or update on withdrawal_holds
  for each row execute function guard_withdrawal_hold();

-- Whether a transfer says of a withdrawal what it shall: so much from one of the customer's accounts to another one, or out.
create function is_withdrawal_transfer(transfer uuid, w withdrawals, wanted_kind text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from ledger_transfers t
     where t.id = transfer and t.kind = wanted_kind and t.owner_id = w.customer_id and t.key = wanted_kind || ':' || w.id
       and not exists (select from unnest(t.legs) leg where leg.asset <> w.asset)
       and exists (select from unnest(t.legs) leg where leg.account = 'held'
                      and leg.units = case wanted_kind when 'withdrawal-request' then w.units else -w.units end)
       and (wanted_kind <> 'withdrawal-sent'
            or exists (select from unnest(t.legs) leg where leg.account = 'custody' and leg.units = w.units - w.fee_units)))
$$;

create function guard_withdrawal() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  batch withdrawal_batches;
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
  if new.state = 'approved' and not staff_did(new.approved_by_act, 'withdrawals/approve', 'withdrawal:' || new.id) then
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
    if batch.state <> 'formed' or new.due_on > batch.day or new.payable_from > batch.formed_at
       or is_withdrawal_held(new.id, batch.formed_at) then
      raise exception 'A withdrawal is in a batch once its day has come and nothing holds it.'
        using errcode = 'check_violation', constraint = 'batches_take_what_is_due';
    end if;
  end if;
  if new.state = 'broadcast' and not exists (
       select from withdrawal_batch_versions v where v.batch_id = batch.id and v.sent_at is not null and new.id = any (v.pays)) then
    raise exception 'A withdrawal is broadcast with its batch.'
      using errcode = 'check_violation', constraint = 'withdrawals_are_broadcast_with_their_batch';
  end if;
  if new.state = 'settled' and not (batch.state = 'settled' and exists (
       select from withdrawal_batch_versions v where v.id = batch.mined_version_id and new.id = any (v.pays))) then
    raise exception 'A withdrawal is settled by the transaction that pays it.'
      using errcode = 'check_violation', constraint = 'withdrawals_are_settled_on_chain';
  end if;
  -- Only what can never confirm any more comes back: another transaction has spent the anchor.
  if new.state = 'returned' and not (batch.state = 'failed' or batch.state = 'settled' and not exists (
       select from withdrawal_batch_versions v where v.id = batch.mined_version_id and new.id = any (v.pays))) then
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
create trigger withdrawals_move_forward before insert or update on withdrawals
  for each row execute function guard_withdrawal();
create trigger closed_accounts_withdraw_nothing before insert on withdrawals
  for each row execute function refuse_what_is_of_the_closed('customer_id', 'closed_accounts_withdraw_nothing');
alter table withdrawals enable always trigger withdrawals_move_forward;

create function guard_withdrawal_batch() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'formed' or not staff_did(new.formed_by_act, 'withdrawals/form-batch', 'withdrawal-batch:' || new.id) then
      raise exception 'A batch is formed by an act of staff.'
        using errcode = 'check_violation', constraint = 'batches_are_formed_by_staff_acts';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{state,broadcast_at,mined_height,mined_hash,mined_version_id,ended_at,fee_transfer_id}'::text[]
     <> to_jsonb(old) - '{state,broadcast_at,mined_height,mined_hash,mined_version_id,ended_at,fee_transfer_id}'::text[]
     or old.state in ('settled', 'failed') or old.state = 'broadcast' and new.state = 'formed' then
    raise exception 'A batch goes on and is never rewritten.'
      using errcode = 'check_violation', constraint = 'batches_move_forward';
  end if;
  if new.state = 'broadcast' and not exists (
       select from withdrawal_batch_versions v where v.batch_id = new.id and v.sent_at is not null) then
    raise exception 'A batch is broadcast with one of its versions.'
      using errcode = 'check_violation', constraint = 'batches_are_broadcast_as_a_version';
  end if;
  if new.state = 'settled' and not exists (
       select from ledger_transfers t join withdrawal_batch_versions v on v.id = new.mined_version_id
        where t.id = new.fee_transfer_id and t.kind = 'network-fee' and t.key = 'network-fee:' || new.id
          and exists (select from unnest(t.legs) leg where leg.account = 'custody' and leg.asset = 'BTC' and leg.units = v.fee_units)) then
    raise exception 'A settled batch has its fee in the journal.'
      using errcode = 'check_violation', constraint = 'settled_batches_post_their_fee';
  end if;
  return new;
end
$$;
create trigger batches_move_forward before insert or update on withdrawal_batches
  for each row execute function guard_withdrawal_batch();
alter table withdrawal_batches enable always trigger batches_move_forward;

create function guard_withdrawal_batch_version() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  batch withdrawal_batches;
  subject text := 'withdrawal-batch:' || new.batch_id;
begin
  select * into batch from withdrawal_batches where id = new.batch_id for update;
  if tg_op = 'INSERT' then
    if not staff_did(new.made_by_act, case new.number when 1 then 'withdrawals/form-batch' else 'withdrawals/rebuild-batch' end, subject)
       or num_nonnulls(new.raw, new.ordered_at, new.sent_at) > 0 then
      raise exception 'A version is built by an act of staff.'
        using errcode = 'check_violation', constraint = 'versions_are_built_by_staff_acts';
    end if;
    if batch.state not in ('formed', 'broadcast')
       or new.number <> 1 + (select count(*) from withdrawal_batch_versions where batch_id = new.batch_id) then
      raise exception 'Versions follow each other while the batch goes on.'
        using errcode = 'check_violation', constraint = 'versions_follow_each_other';
    end if;
    if not (batch.anchor_txid || ':' || batch.anchor_vout) = any (new.spends) or exists (
         select from unnest(new.spends) spent
          where not exists (select from withdrawal_batch_coins c
                             where c.batch_id = new.batch_id and c.released_at is null and c.txid || ':' || c.vout = spent)) then
      raise exception 'Every version spends the anchor, and coins of its batch only.'
        using errcode = 'check_violation', constraint = 'versions_exclude_each_other';
    end if;
    if exists (select from unnest(new.pays) paid
                where not exists (select from withdrawals w where w.id = paid and w.batch_id = new.batch_id and w.ended_at is null)) then
      raise exception 'A version pays withdrawals of its batch only.'
        using errcode = 'check_violation', constraint = 'versions_pay_their_batch';
    end if;
    if (select sum(c.units) from withdrawal_batch_coins c where c.batch_id = new.batch_id and c.txid || ':' || c.vout = any (new.spends))
       <> new.fee_units + new.change_units + (select sum(w.units - w.fee_units) from withdrawals w where w.id = any (new.pays)) then
      raise exception 'What a version spends is what it pays, its change and its fee.'
        using errcode = 'check_violation', constraint = 'versions_balance';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{raw,signed_by,signed_by_act,signed_at,ordered_by,ordered_by_act,ordered_at,sent_at,fault}'::text[]
     <> to_jsonb(old) - '{raw,signed_by,signed_by_act,signed_at,ordered_by,ordered_by_act,ordered_at,sent_at,fault}'::text[]
     or old.signed_at is not null and (new.raw, new.signed_by_act) is distinct from (old.raw, old.signed_by_act)
     or old.ordered_at is not null and (new.ordered_by_act, new.ordered_at) is distinct from (old.ordered_by_act, old.ordered_at)
     or old.sent_at is not null and new.sent_at is distinct from old.sent_at then
    raise exception 'A version goes on and is never rewritten.'
      using errcode = 'check_violation', constraint = 'versions_move_forward';
  end if;
  if new.signed_at is not null and old.signed_at is null and not staff_did(new.signed_by_act, 'withdrawals/upload-signed', subject)
     or new.ordered_at is not null and old.ordered_at is null and not staff_did(new.ordered_by_act, 'withdrawals/order-broadcast', subject) then
    raise exception 'Staff bring what was signed, and order its broadcast.'
      using errcode = 'check_violation', constraint = 'versions_go_on_by_staff_acts';
  end if;
  if new.ordered_at is not null and old.ordered_at is null and batch.needs_two and new.ordered_by in (batch.formed_by, new.made_by) then
    raise exception 'Above the limit somebody else orders the broadcast.'
      using errcode = 'check_violation', constraint = 'large_batches_need_two_people';
  end if;
  return new;
end
$$;
create trigger versions_move_forward before insert or update on withdrawal_batch_versions
  for each row execute function guard_withdrawal_batch_version();
alter table withdrawal_batch_versions enable always trigger versions_move_forward;

create trigger withdrawals_are_kept before delete or truncate on withdrawals
  for each statement execute function refuse_to_rewrite('withdrawals_are_kept');
create trigger withdrawal_batches_are_kept before delete or truncate on withdrawal_batches
  for each statement execute function refuse_to_rewrite('withdrawal_batches_are_kept');
create trigger withdrawal_batch_versions_are_kept before delete or truncate on withdrawal_batch_versions
  for each statement execute function refuse_to_rewrite('withdrawal_batch_versions_are_kept');
create trigger withdrawal_holds_are_kept before delete or truncate on withdrawal_holds
  for each statement execute function refuse_to_rewrite('withdrawal_holds_are_kept');

-- The journal --------------------------------------------------------------------------------------------------
-- The other half, whoever writes into the journal: what leaves has its withdrawal behind it, asked at the commit; and
-- nothing else lets go of what is held for one.

create function guard_withdrawal_transfer() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.kind = 'withdrawal-request' and not exists (select from withdrawals where request_transfer_id = new.id)
     or new.kind = 'withdrawal-sent' and not exists (select from withdrawals where end_transfer_id = new.id and state = 'settled')
     or new.kind = 'withdrawal-cancelled' and not exists (
          select from withdrawals where end_transfer_id = new.id and state in ('cancelled', 'rejected', 'returned'))
     or new.kind = 'reversal' and exists (
          select from ledger_transfers t where t.id = new.reverses
             and t.kind in ('withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled')) then
    raise exception 'What leaves has its withdrawal behind it.'
      using errcode = 'check_violation', constraint = 'transfers_of_withdrawals_have_their_withdrawal';
  end if;
  if new.kind in ('hold-release', 'reversal') and exists (
       select from withdrawals w where w.customer_id = new.owner_id and w.ended_at is null group by w.asset
       having sum(w.units) > coalesce((select a.balance from ledger_accounts a
                                        where a.owner_id = new.owner_id and a.account = 'held' and a.asset = w.asset), 0)) then
    raise exception 'What is held for a withdrawal stays held.'
      using errcode = 'check_violation', constraint = 'what_is_held_for_withdrawals_stays';
  end if;
  return null;
end
$$;
create constraint trigger transfers_of_withdrawals_have_their_withdrawal after insert on ledger_transfers
  deferrable initially deferred for each row
  when (new.kind in ('withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled', 'hold-release', 'reversal'))
  execute function guard_withdrawal_transfer();
alter table ledger_transfers enable always trigger transfers_of_withdrawals_have_their_withdrawal;

revoke execute on function guard_withdrawal_address, guard_withdrawal_hold, guard_withdrawal, guard_withdrawal_batch,
  guard_withdrawal_batch_version, guard_withdrawal_transfer, is_withdrawal_transfer from public;
grant select, insert, delete on withdrawal_addresses to assay_app;
grant update (removed_at, label) on withdrawal_addresses to assay_app;
grant select, insert on coin_scans, withdrawal_batches, withdrawal_batch_coins, withdrawal_batch_versions, withdrawals, withdrawal_holds to assay_app;
grant update (finished_at, height, coins, fault) on coin_scans to assay_app;
grant update (state, broadcast_at, mined_height, mined_hash, mined_version_id, ended_at, fee_transfer_id) on withdrawal_batches to assay_app;
grant update (released_at) on withdrawal_batch_coins to assay_app;
grant update (raw, signed_by, signed_by_act, signed_at, ordered_by, ordered_by_act, ordered_at, sent_at, fault) on withdrawal_batch_versions to assay_app;
grant update (state, confirmed_at, approved_by, approved_by_act, approved_at, batch_id, broadcast_at, ended_at, ended_by, ended_by_act, reason, end_transfer_id) on withdrawals to assay_app;
grant update (lifted_by, lifted_by_act, lifted_at) on withdrawal_holds to assay_app;
