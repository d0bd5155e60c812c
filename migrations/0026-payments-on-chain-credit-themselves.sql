-- What a chain says: how far it was read, what arrived at customers' addresses, and what credits it. Written by the worker
-- alone, from blocks that it checks itself. docs/decisions/0023 says why it is shaped like this.

-- Reading a chain ------------------------------------------------------------------------------------------

-- What an output pays to when it pays an address of ours: blocks are matched against it in one question each.
create table chain_scripts (
  script bytea primary key constraint scripts_are_not_empty check (length(script) between 1 and 10000),
  address text collate "C" not null constraint one_script_per_address unique references deposit_addresses (address)
);

-- How far a chain was read. Whoever reads the next block holds this row.
create table chain_positions (
  chain text primary key constraint positions_are_on_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  -- Older blocks were not read.
  began_at_height integer not null,
  height integer not null,
  hash text collate "C" not null,
  -- By its own clock.
  block_time timestamptz not null,
  read_at timestamptz not null,
  constraint positions_stand_where_they_began_or_later check (height >= began_at_height - 1)
);

-- The newest blocks that were read, to find where another branch leaves the one that we know.
create table chain_blocks (
  chain text not null references chain_positions,
  height integer not null,
  hash text collate "C" not null,
  -- How hard it was to find, as the block says it; null where a chain has no such thing.
  bits bigint,
  constraint one_block_per_height primary key (chain, height)
);

-- Who is asked about a chain, and whether what it says can be used. Nothing is credited unless it is `following`.
create table chain_sources (
  chain text primary key constraint sources_are_of_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  condition text not null constraint sources_have_a_listed_condition check (condition in (
    'following', 'catching-up', 'unreachable', 'unauthorized', 'warming-up', 'syncing', 'stale', 'behind', 'pruned',
    'another-chain', 'lying', 'reorg-too-deep')),
  detail text not null constraint details_of_sources_are_short check (length(detail) <= 300),
  since timestamptz not null,
  asked_at timestamptz not null,
  -- What it says; null: it never said anything.
  tip_height integer,
  tip_hash text collate "C"
);

-- From when to when a source could not be used. Open ones have no end.
create table chain_troubles (
  id bigint generated always as identity primary key,
  chain text not null,
  condition text not null,
  detail text not null,
  began_at timestamptz not null,
  ended_at timestamptz constraint troubles_end_after_they_begin check (ended_at >= began_at)
);
create unique index one_open_trouble_per_chain on chain_troubles (chain) where ended_at is null;
create index chain_troubles_newest_first on chain_troubles (began_at desc, id desc);

-- Payments -------------------------------------------------------------------------------------------------

-- The bytes of transactions that paid our addresses: the evidence, and what a hardware wallet asks for when it spends.
create table chain_transactions (
  chain text not null constraint transactions_are_of_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  txid text collate "C" not null constraint txids_have_the_shape_of_their_chain
    check (txid ~ case chain when 'bitcoin' then '^[0-9a-f]{64}$' else '^0x[0-9a-f]{64}$' end),
  raw bytea not null,
  first_seen_at timestamptz not null,
  constraint one_row_per_transaction primary key (chain, txid)
);

create table chain_payments (
  id uuid primary key,
  chain text not null,
  txid text collate "C" not null,
  -- Bitcoin: the output. Ethereum: the place in the transaction's receipt.
  output_index integer not null constraint payments_are_counted_from_zero check (output_index >= 0),
  asset text not null constraint payments_are_of_their_chains_coins
    check (asset = any (case chain when 'bitcoin' then '{BTC}'::text[] else '{ETH,USDT}'::text[] end)),
  address text collate "C" not null references deposit_addresses (address),
  units numeric(38, 0) not null constraint payments_are_above_zero check (units > 0),
  -- New coins of a block, which cannot be spent before 100 blocks more.
  coinbase boolean not null default false,
  -- seen: waits for a block; mined: in a block of the chain; dropped: nobody waits with it any more; orphaned: its block
  -- is no longer in the chain.
  state text not null constraint payments_have_a_listed_state check (state in ('seen', 'mined', 'dropped', 'orphaned')),
  block_height integer,
  block_hash text collate "C",
  block_time timestamptz,
  seen_at timestamptz not null,
  changed_at timestamptz not null,
  -- When a block that held it left the chain last.
  orphaned_at timestamptz,
  -- Since when it is counted in the journal; null: it is not. What ought to be settled is what the chain and this disagree on.
  settled_at timestamptz,
  -- When it is settled next. A refused one is asked for again when its cause changes, and slowly otherwise: it keeps no other waiting.
  ask_at timestamptz not null default now(),
  refusals integer not null default 0 constraint refusals_of_payments_are_counted check (refusals >= 0),
  refusal text constraint refusals_of_payments_are_short check (length(refusal) between 1 and 200),
  refused_at timestamptz,
  -- Whose address it was when the payment was first seen; null: nobody's, or the operator's own.
  customer_id uuid references customers,
  -- What two people said of it: 0070.
  ruling_id uuid,
  ruled_as text constraint payments_are_ruled_on_in_one_of_three_ways check (ruled_as in ('customers', 'operators', 'set-aside')),
  -- Whether it ought to be in the ledger.
  counts boolean not null
    generated always as (state = 'mined' and customer_id is not null and (ruled_as is null or ruled_as = 'customers')) stored,
  constraint refused_payments_say_why check (num_nonnulls(refusal, refused_at) = case refusals when 0 then 0 else 2 end),
  constraint ruled_payments_name_their_ruling check ((ruling_id is null) = (ruled_as is null)),
  constraint one_payment_per_output unique (chain, txid, output_index),
  constraint payments_have_their_transaction foreign key (chain, txid) references chain_transactions,
  constraint mined_payments_name_their_block
    check (num_nonnulls(block_height, block_hash, block_time) = case state when 'mined' then 3 else 0 end),
  constraint orphaned_payments_say_since_when check (state <> 'orphaned' or orphaned_at is not null)
);
create index chain_payments_of_an_address on chain_payments (address, seen_at desc);
create index chain_payments_by_block on chain_payments (chain, block_height) where state = 'mined';
create index chain_payments_that_wait on chain_payments (chain) where state = 'seen';
create index chain_payments_to_settle on chain_payments (chain, (refusals > 0), ask_at, id) where counts <> (settled_at is not null);
create index chain_payments_newest_first on chain_payments (seen_at desc, id desc);

create function guard_chain_payment() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    -- Where nothing was seen before, who gives the address out at this moment waits, or is waited for: whose it is is said once.
    update wallet_addresses set seen_at = new.seen_at where address = new.address and seen_at is null;
    new.customer_id := (select customer_id from deposit_addresses where address = new.address);
  end if;
  if tg_op = 'UPDATE' and (new.id, new.chain, new.txid, new.output_index, new.asset, new.address, new.units, new.coinbase, new.seen_at, new.customer_id)
     is distinct from (old.id, old.chain, old.txid, old.output_index, old.asset, old.address, old.units, old.coinbase, old.seen_at, old.customer_id) then
    raise exception 'What was paid is never rewritten.'
      using errcode = 'check_violation', constraint = 'payments_are_never_rewritten';
  end if;
  -- Evidence: a block that was read and stands in the chain as we know it.
  if new.state = 'mined' and not exists (
       select from chain_blocks b where b.chain = new.chain and b.height = new.block_height and b.hash = new.block_hash) then
    raise exception 'A payment is mined in a block that was read.'
      using errcode = 'check_violation', constraint = 'payments_are_mined_in_known_blocks';
  end if;
  if tg_op = 'INSERT' and new.ruling_id is not null
     or tg_op = 'UPDATE' and (new.ruling_id, new.ruled_as) is distinct from (old.ruling_id, old.ruled_as) and not (
          (old.ruled_as is null or old.ruled_as = 'customers')
          and exists (select from payment_rulings r join ruled_payments of_it on of_it.ruling_id = r.id
                       where r.id = new.ruling_id and of_it.payment_id = new.id and r.says = new.ruled_as and r.state = 'confirmed')) then
    raise exception 'What a payment was is said by two people.'
      using errcode = 'check_violation', constraint = 'payments_are_ruled_on_by_two_people';
  end if;
  -- It may have been credited since that was proposed.
  if tg_op = 'UPDATE' and new.ruling_id is distinct from old.ruling_id and new.ruled_as <> 'operators' and is_credited(old) then
    raise exception 'A credited payment needs no ruling, unless it was the operator''s.'
      using errcode = 'check_violation', constraint = 'credited_payments_can_only_be_the_operators';
  end if;
  return new;
end
$$;
create trigger payments_are_never_rewritten before insert or update on chain_payments
  for each row execute function guard_chain_payment();
create trigger payments_are_kept before delete or truncate on chain_payments
  for each statement execute function refuse_to_rewrite('payments_are_kept');
create trigger transactions_are_written_once before update or delete or truncate on chain_transactions
  for each statement execute function refuse_to_rewrite('transactions_are_written_once');
create trigger scripts_are_written_once before update or delete or truncate on chain_scripts
  for each statement execute function refuse_to_rewrite('scripts_are_written_once');

-- Branches that were left, and what they took along.
create table chain_reorgs (
  id uuid primary key,
  chain text not null,
  -- The last block that both branches have.
  fork_height integer not null,
  old_height integer not null,
  old_hash text collate "C" not null,
  payments integer not null,
  found_at timestamptz not null,
  constraint reorgs_take_blocks_away check (old_height > fork_height)
);
create index chain_reorgs_newest_first on chain_reorgs (found_at desc, id desc);
create trigger reorgs_are_written_once before update or delete or truncate on chain_reorgs
  for each statement execute function refuse_to_rewrite('reorgs_are_written_once');

-- Confirmations of a payment: its own block counts as the first.
create function chain_confirmations(payment chain_payments) returns integer language sql stable as $$
  select coalesce((select p.height - payment.block_height + 1 from public.chain_positions p
                    where p.chain = payment.chain and payment.state = 'mined'), 0)
$$;

-- Deposits -------------------------------------------------------------------------------------------------
-- A payment on chain approves the slip that it matches, or makes a deposit of its own, which claims nothing and has no
-- slip. A block that leaves the chain takes the credit back by a second transfer.

alter table deposits
  alter column slip_id drop not null,
  alter column claimed_usd_cents drop not null,
  -- Null: no fresh price has been there yet.
  alter column usd_cents drop not null,
  add column payment_id uuid references chain_payments,
  -- How many were asked for when it was credited.
  add column confirmations integer constraint confirmations_count_from_one check (confirmations >= 1),
  -- What it was valued with when, or after, a payment credited it.
  add column payment_price_id uuid references market_prices,
  add column orphaned_at timestamptz,
  -- Put aside for the credit that is to be taken back.
  add column held_units numeric(38, 0) not null default 0,
  add column reversal_id uuid references ledger_transfers (id) constraint one_deposit_per_reversal unique,
  drop constraint deposits_are_pending_approved_or_rejected,
  drop constraint amounts_are_positive_and_plausible,
  drop constraint reviews_have_a_time_and_an_act,
  drop constraint approvals_name_quantity_payment_transfer_and_slip,
  add constraint deposits_have_a_listed_state check (state in ('pending', 'approved', 'rejected', 'orphaned', 'reversed')),
  add constraint deposits_are_claimed_or_paid
    check (slip_id is not null and claimed_usd_cents is not null or slip_id is null and claimed_usd_cents is null and payment_id is not null),
  add constraint amounts_are_positive_and_plausible
    check (case when slip_id is null then usd_cents >= 0 else usd_cents is not null and usd_cents between 1 and 10000000000 end),
  add constraint values_rest_on_a_price check (slip_id is not null or (usd_cents is null) = (payment_price_id is null)),
  add constraint deposits_are_decided_by_staff_or_by_a_payment
    check (case state
             when 'pending' then num_nonnulls(reviewed_at, review_action_id, payment_id) = 0
             when 'rejected' then reviewed_at is not null and review_action_id is not null and payment_id is null
             when 'approved' then reviewed_at is not null and num_nonnulls(review_action_id, payment_id) = 1
             else reviewed_at is not null and payment_id is not null and review_action_id is null end),
  add constraint approvals_name_quantity_payment_transfer_and_slip
    check (num_nonnulls(quantity_units, txid, transfer_id, image_url) = case when state in ('pending', 'rejected') then 0 else 4 end),
  add constraint payments_are_credited_with_confirmations check ((payment_id is null) = (confirmations is null)),
  add constraint only_orphaned_deposits_hold_something
    check (held_units >= 0 and (held_units = 0 or state = 'orphaned' and held_units <= quantity_units)),
  add constraint orphaned_deposits_say_since_when check (state not in ('orphaned', 'reversed') or orphaned_at is not null),
  add constraint reversed_deposits_have_their_transfer check ((state = 'reversed') = (reversal_id is not null));

drop index one_deposit_per_payment;
create unique index one_deposit_per_payment on deposits (txid, output_index) nulls not distinct
  where txid is not null and state <> 'reversed';
create unique index one_credit_per_payment on deposits (payment_id) where state <> 'reversed';
create index deposits_by_payment on deposits (payment_id) where payment_id is not null;
create index deposits_to_take_back on deposits (orphaned_at) where state in ('orphaned', 'reversed');
create index deposits_without_a_value on deposits (id) where usd_cents is null;

create or replace function check_new_deposit() returns trigger language plpgsql as $$
begin
  if new.state = 'approved' and new.slip_id is null and new.payment_id is not null then
    perform public.check_deposit_payment(new);
  elsif new.state <> 'pending' then
    raise exception 'A deposit begins as a claim that waits for review.'
      using errcode = 'check_violation', constraint = 'deposits_begin_pending';
  end if;
  return new;
end
$$;

create or replace function check_reviewed_deposit() returns trigger language plpgsql as $$
begin
  if (new.id, new.customer_id, new.submission_key, new.method, new.declared_on, new.claimed_usd_cents, new.slip_id, new.created_at)
     is distinct from
     (old.id, old.customer_id, old.submission_key, old.method, old.declared_on, old.claimed_usd_cents, old.slip_id, old.created_at) then
    raise exception 'What a customer claimed is never rewritten.'
      using errcode = 'check_violation', constraint = 'claims_are_never_rewritten';
  end if;
  if old.state <> 'pending' then
    perform public.check_followed_deposit(old, new);
    return new;
  end if;
  if new.state in ('orphaned', 'reversed') then
    raise exception 'A deposit is credited before it is taken back.'
      using errcode = 'check_violation', constraint = 'deposits_are_credited_before_they_are_taken_back';
  end if;
  if new.state <> 'pending' and new.payment_id is null and not exists (
       select from public.audit_log a
        where a.id = new.review_action_id and a.subject = 'deposit:' || new.id and a.customer_id = new.customer_id
          and a.act = case new.state when 'approved' then 'deposits/approve' else 'deposits/reject' end) then
    raise exception 'A review is a staff act on this very deposit.'
      using errcode = 'check_violation', constraint = 'reviews_are_staff_acts_on_the_deposit';
  end if;
  if new.state = 'approved' then
    perform public.check_deposit_payment(new);
  end if;
  return new;
end
$$;

-- After the decision only two things change, and only of what a payment credited: its value, once, and whether its block
-- is still in the chain.
create function check_followed_deposit(before deposits, after deposits) returns void language plpgsql as $$
begin
  if before.payment_id is null or before.state = 'reversed'
     or to_jsonb(after) - '{state,usd_cents,payment_price_id,orphaned_at,held_units,reversal_id}'::text[]
        <> to_jsonb(before) - '{state,usd_cents,payment_price_id,orphaned_at,held_units,reversal_id}'::text[]
     or before.usd_cents is not null and (after.usd_cents, after.payment_price_id) is distinct from (before.usd_cents, before.payment_price_id)
     or after.state not in ('approved', 'orphaned', 'reversed') then
    raise exception 'Deposit % has been reviewed.', before.id
      using errcode = 'check_violation', constraint = 'deposits_are_reviewed_once';
  end if;
  if after.state is distinct from before.state
     and (after.state = 'approved') is distinct from
         (select p.state = 'mined' from public.chain_payments p where p.id = after.payment_id) then
    raise exception 'A credit is taken back when its block has left the chain, and only then.'
      using errcode = 'check_violation', constraint = 'credits_follow_the_chain';
  end if;
  if after.state = 'reversed' and not exists (
       select from public.ledger_transfers t where t.id = after.reversal_id and t.reverses = after.transfer_id) then
    raise exception 'A reversed deposit has the transfer that reverses it.'
      using errcode = 'check_violation', constraint = 'reversed_deposits_are_reversed_in_the_journal';
  end if;
end
$$;

create or replace function check_deposit_payment(deposit deposits) returns void language plpgsql as $$
begin
  if not exists (
       select from public.ledger_transfers t
         join public.ledger_entries e on e.owner_id = t.owner_id and e.transfer_number = t.number
        where t.id = deposit.transfer_id
          and t.key = 'deposit:' || deposit.id
          and t.owner_id = deposit.customer_id
          and e.account = 'available'
          and e.asset = case deposit.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end
          and e.units = deposit.quantity_units) then
    raise exception 'An approved deposit has a transfer that credits its quantity to its owner.'
      using errcode = 'check_violation', constraint = 'approvals_are_credited';
  end if;
  -- Two reviews of one transaction at once wait for each other here.
  perform pg_advisory_xact_lock(hashtextextended('deposits.txid:' || deposit.txid, 0));
  if exists (
       select from public.deposits other
        where other.txid = deposit.txid and other.id <> deposit.id and other.state <> 'reversed'
          and (other.output_index is null or deposit.output_index is null
               or other.output_index = deposit.output_index)) then
    raise exception 'Transaction % has been credited to another deposit.', deposit.txid
      using errcode = 'unique_violation', constraint = 'one_deposit_per_payment';
  end if;
  if deposit.payment_id is not null and not exists (
       select from public.chain_payments p join public.deposit_addresses a on a.address = p.address
        where p.id = deposit.payment_id and a.customer_id = deposit.customer_id
          and (p.txid, p.output_index, p.units) = (deposit.txid, deposit.output_index, deposit.quantity_units)
          and p.asset = case deposit.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end
          and deposit.confirmations >= case when p.coinbase then 100 else 1 end
          and public.chain_confirmations(p) >= deposit.confirmations) then
    raise exception 'A payment is credited to whose address it paid, when it has its confirmations.'
      using errcode = 'check_violation', constraint = 'payments_are_credited_when_confirmed';
  end if;
end
$$;

drop trigger deposits_are_not_the_operators_own_money on deposits;
create trigger deposits_are_not_the_operators_own_money before insert or update of txid on deposits
  for each row when (new.txid is not null) execute function refuse_deposit_of_own_money();

-- One payment is counted once: as a customer's deposit, or as the operator's own money. What paid a customer's address
-- is the customer's; what another output of the same transaction paid in may be the operator's, if it is another amount.
-- What was taken out may have paid a customer: then it left for the operator, and came back as the customer's.
drop function check_funding_payment(uuid, text);
create function check_funding_payment(adjustment uuid, payment text, adjustment_kind text default null, paid_in numeric default null)
returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fact('deposits.txid:' || payment);
  if exists (select from deposits d
              where d.txid = payment and d.state in ('approved', 'orphaned')
                and case adjustment_kind
                      when 'equity-funding' then d.payment_id is null or d.quantity_units = paid_in
                      when 'equity-drawing' then is_in_chain(d) is null
                      else true end)
     or adjustment_kind is distinct from 'equity-drawing' and exists (
          select from chain_payments p
           where p.txid = payment and p.state in ('seen', 'mined') and p.customer_id is not null
             and p.ruled_as is distinct from 'operators' and (adjustment_kind is distinct from 'equity-funding' or p.units = paid_in))
     or is_credited_though_the_operators(payment)
     or exists (select from adjustments a
                 where a.txid = payment and a.id <> adjustment and a.state in ('open', 'approved')
                   and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')) then
    raise exception 'Transaction % has been counted already.', payment
      using errcode = 'unique_violation', constraint = 'one_payment_is_counted_once';
  end if;
end
$$;

-- Nobody leaves while a payment of his is on its way, or a credit is to be taken back.
create or replace function something_is_owed(customer uuid) returns boolean language sql stable as $$
  select exists (select from ledger_accounts where owner_id = customer and balance <> 0)
      or exists (select from deposits where customer_id = customer and state in ('pending', 'orphaned'))
      or exists (select from deposit_addresses a join chain_payments p on p.address = a.address
                  where a.customer_id = customer and (p.state = 'seen' and coalesce(p.ruled_as, 'customers') = 'customers' or p.counts)
                    and not exists (select from deposits d where d.txid = p.txid and d.state in ('approved', 'orphaned')
                                       and (d.output_index is null or d.output_index = p.output_index)))
      or exists (select from contracts where customer_id = customer and last_day is null)
      or exists (select from contract_endings where customer_id = customer and settled_at is null)
      or exists (select from mining_chunks where first_customer_id = customer and set_apart_at is not null and posted_at is null)
$$;

-- The application ------------------------------------------------------------------------------------------

revoke execute on function guard_chain_payment, check_funding_payment from public;
grant select, insert on chain_scripts, chain_transactions, chain_reorgs to assay_app;
grant select, insert, update on chain_positions, chain_sources to assay_app;
grant select, insert, delete on chain_blocks to assay_app;
grant select, insert on chain_troubles to assay_app;
grant update (ended_at) on chain_troubles to assay_app;
grant select, insert on chain_payments to assay_app;
grant update (state, block_height, block_hash, block_time, changed_at, orphaned_at, settled_at, ask_at, refusals, refusal,
  refused_at, ruling_id, ruled_as) on chain_payments to assay_app;
grant update (payment_id, confirmations, payment_price_id, orphaned_at, held_units, reversal_id) on deposits to assay_app;
