-- Ethereum is read as Bitcoin is. What is new: blocks become final, one transaction may do other things in another block,
-- and a payment is a transfer of ether or an announcement by the token's contract. docs/decisions/0030.

-- What the chain itself calls final ----------------------------------------------------------------------------

alter table chain_positions
  -- The newest block that was read and that the chain calls final; null where a chain has no such thing, or not yet.
  add column finalized_height integer,
  add column finalized_hash text collate "C",
  add constraint final_blocks_were_read check (finalized_height <= height),
  add constraint final_blocks_have_a_hash check ((finalized_height is null) = (finalized_hash is null));

create function guard_finality() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.finalized_height is not null
     and (new.finalized_height is null or new.finalized_height < old.finalized_height
          or new.finalized_height = old.finalized_height and new.finalized_hash <> old.finalized_hash) then
    raise exception 'What was final stays final.' using errcode = 'check_violation', constraint = 'final_blocks_stay_final';
  end if;
  if not exists (select from chain_blocks b
                  where b.chain = new.chain and b.height = new.finalized_height and b.hash = new.finalized_hash) then
    raise exception 'Final is a block that was read.' using errcode = 'check_violation', constraint = 'final_blocks_are_known';
  end if;
  return new;
end
$$;
create trigger final_blocks_stay_final before update on chain_positions
  for each row when ((new.finalized_height, new.finalized_hash) is distinct from (old.finalized_height, old.finalized_hash))
  execute function guard_finality();
revoke execute on function guard_finality from public;

-- Whether a payment stands in a block that the chain calls final.
create function chain_is_final(payment chain_payments) returns boolean language sql stable as $$
  select exists (select from public.chain_positions p
                  where p.chain = payment.chain and payment.state = 'mined' and payment.block_height <= p.finalized_height)
$$;

-- not-finalizing: blocks come, and none becomes final. wrong-token: no such token at the contract's address. no-traces: the
-- node does not say which ether contracts sent. foreign-address: an address here is not what its wallet's key gives.
alter table chain_sources
  drop constraint sources_have_a_listed_condition,
  add constraint sources_have_a_listed_condition check (condition in (
    'following', 'catching-up', 'unreachable', 'unauthorized', 'warming-up', 'syncing', 'stale', 'behind', 'pruned',
    'another-chain', 'lying', 'reorg-too-deep', 'not-finalizing', 'wrong-token', 'no-traces', 'foreign-address'));

-- Payments -----------------------------------------------------------------------------------------------------

-- On Ethereum a transaction's id does not fix what it does: in another block it may pay somebody else, or another quantity.
-- That is another payment then. Of one place in a transaction at most one stands.
alter table chain_payments
  drop constraint one_payment_per_output,
  add constraint one_payment_per_output_and_content unique (chain, txid, output_index, asset, address, units),
  add constraint only_bitcoin_is_mined_to_addresses check (chain = 'bitcoin' or not coinbase);
create unique index one_standing_payment_per_output on chain_payments (chain, txid, output_index) where state in ('seen', 'mined');

-- Nobody needs a transaction's bytes to spend on Ethereum: what counts is in its block's receipts.
alter table chain_transactions
  alter column raw drop not null,
  add constraint transactions_of_bitcoin_are_kept_whole check (raw is not null or chain <> 'bitcoin');

-- Deposits -----------------------------------------------------------------------------------------------------

alter table deposits
  -- Whether it was credited because its block was final; else because it had its confirmations.
  add column finalized boolean not null default false,
  add constraint only_payments_become_final check (not finalized or payment_id is not null);

-- Whether a payment at a customer's own address is what a slip says: theirs, of this coin and amount, and nobody ruled otherwise.
create function is_this_payment(deposit deposits, payment chain_payments) returns boolean
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select payment.customer_id = deposit.customer_id and payment.units = deposit.quantity_units
     and payment.asset = case deposit.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end
     and coalesce(payment.ruled_as, 'customers') = 'customers'
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
  -- What two people are just saying of its payments is waited for, and waits.
  if deposit.payment_id is null then
    perform from public.chain_payments p where p.txid = deposit.txid and p.chain in ('bitcoin', 'ethereum') for share;
  end if;
  -- Two reviews of one transaction at once wait for each other here.
  perform lock_fact('deposits.txid:' || deposit.txid);
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
          and public.chain_confirmations(p) >= deposit.confirmations
          and p.counts
          and (public.chain_is_final(p) or not deposit.finalized)) then
    raise exception 'A payment is credited to whose address it paid, when it has its confirmations.'
      using errcode = 'check_violation', constraint = 'payments_are_credited_when_confirmed';
  end if;
  -- A slip can name what the chain shows at customers' own addresses: one payment, of this customer's, and all of it, of which nothing
  -- else was said. What a transaction pays besides is credited by itself, so a slip never stands for several payments, and where it
  -- names another output, the transaction pays nothing to this customer's own address.
  if deposit.payment_id is null and exists (
       select from public.chain_payments p
        where p.txid = deposit.txid and p.chain in ('bitcoin', 'ethereum') and p.customer_id is not null and p.state in ('seen', 'mined')
       having case
         when deposit.output_index is null
           then count(*) > 1 or bool_or(not public.is_this_payment(deposit, p))
         when bool_or(p.output_index = deposit.output_index)
           then bool_or(p.output_index = deposit.output_index and not public.is_this_payment(deposit, p))
         else bool_or(p.customer_id = deposit.customer_id) end) then
    raise exception 'At a customer''s own address the chain shows something else than this slip says.'
      using errcode = 'check_violation', constraint = 'slips_are_what_the_chain_shows';
  end if;
  if exists (select from public.chain_payments p where p.id = deposit.payment_id and public.may_be_the_operators(p)) then
    raise exception 'This payment is counted as the operator''s own, until two people say that it is the customer''s.'
      using errcode = 'check_violation', constraint = 'payments_are_credited_or_the_operators';
  end if;
end
$$;

grant update (finalized) on deposits to assay_app;
