create or replace trigger wallets_begin_closed before insert on wallets
  for each row when (new.next_index <> 0 or new.compared_at is not null) execute function refuse_to_rewrite();
call check_rows('wallets', 'before update', 'wallets_are_never_rewritten',
  'wallets_are_never_rewritten: A wallet stays what it is.', $$
    (new.id, new.chain, new.network, new.descriptor, new.first_seen_at) is not distinct from
    (old.id, old.chain, old.network, old.descriptor, old.first_seen_at) and new.next_index >= old.next_index
    and (old.compared_at is null
         or (new.compared_at, new.compared_action_id) is not distinct from (old.compared_at, old.compared_action_id))$$,
  'wallets_are_compared_by_staff_acts: Somebody of the staff compares a wallet.', $$
    new.compared_at is not distinct from old.compared_at
    or staff_did(new.compared_action_id, 'chain/compare-wallet', 'wallet:' || new.id)$$);

-- What is given out was watched before, and nothing was ever seen there: what another person paid would become a customer's.
create or replace function take_next_index() returns trigger language plpgsql security definer as $$
begin
  update wallets set next_index = greatest(next_index, new.derivation_index + 1)
   where id = new.wallet_id and compared_at is not null;
  perform demand('addresses_are_of_compared_wallets', found, says => 'An address is of a wallet that was compared.');
  -- Recording a payment there at this moment waits for this, or this waits for it.
  perform from wallet_addresses a where a.address = new.address and a.wallet_id = new.wallet_id and a.branch = new.branch
      and a.derivation_index = new.derivation_index and a.purpose = 'customers' and a.seen_at is null for update;
  perform demand('addresses_are_given_out_unused', found,
    says => 'A customer gets an address that is for customers, and at which nothing was ever seen.');
  return new;
end $$;
create or replace trigger addresses_take_the_next_index before insert on deposit_addresses for each row execute function take_next_index();

-- Confirmations of a payment: its own block counts as the first.
create or replace function chain_confirmations(payment chain_payments) returns integer language sql stable as $$
  select coalesce((select p.height - payment.block_height + 1 from chain_positions p
                    where p.chain = payment.chain and payment.state = 'mined'), 0)
$$;

-- Whether a transaction is the wallet's, or spends a coin of it: one that arrived at a watched address, or was left of what it paid. Of
-- that, customers' coins are not told apart from the change: who was paid by a batch and pays from it at once counts as ours.
create or replace function spends_own(p_txid text) returns boolean language sql stable as $$
  select exists (select from own_transactions where txid = p_txid) or exists (
    select from chain_transactions t cross join unnest(t.spends) spent
      cross join lateral (select split_part(spent, ':', 1) as txid, split_part(spent, ':', 2)::bigint as output_index) of_it
     -- By the coin, whatever the planner believes of how many there are.
     cross join lateral (select from own_transactions o where o.txid = of_it.txid
                         union all
                         select from chain_payments p where p.chain = 'bitcoin' and p.txid = of_it.txid and p.output_index = of_it.output_index
                         limit 1) ours
     where t.chain = 'bitcoin' and t.txid = p_txid)
$$;
create or replace function say_from_own() returns trigger language plpgsql as $$
begin
  new.from_own := exists (select from wallet_addresses where address = new.address and purpose = 'own') and spends_own(new.txid);
  return new;
end $$;
create or replace trigger payments_say_whether_they_are_own before insert or update of state, from_own on chain_payments
  for each row when (new.chain = 'bitcoin') execute function say_from_own();

-- What is final stays in the chain. It is left only where two people said so, back to the block that they named and no further.
call check_rows('chain_positions',
  'before update when ((new.finalized_height, new.finalized_hash) is distinct from (old.finalized_height, old.finalized_hash))',
  'final_blocks_stay_final', 'final_blocks_stay_final', $$
    old.finalized_height is null or (new.finalized_height > old.finalized_height) is true
    or exists (select from chain_deep_reorgs d where d.chain = new.chain and d.state = 'confirmed' and d.old_hash = old.hash
                  and (d.fork_height, d.fork_hash) = (new.height, new.hash)
                  and (d.fork_height, d.fork_hash) = (new.finalized_height, new.finalized_hash))$$,
  'final_blocks_are_known', $$
    exists (select from chain_blocks b
             where b.chain = new.chain and b.height = new.finalized_height and b.hash = new.finalized_hash)$$);

-- Ether that a contract sent (server/chain/ethereum/ethereum-place.ts): no header commits to that, so only the node says it, until two people
-- said whose it is. docs/decisions/0044.
create or replace function is_by_word_of_node(payment chain_payments) returns boolean language sql immutable as $$
  select payment.asset = 'ETH' and payment.output_index between 1 and 999999999 and payment.resolved_as is null
$$;

create or replace function chain_is_final(payment chain_payments) returns boolean language sql stable as $$
  select exists (select from chain_positions p
                  where p.chain = payment.chain and payment.state = 'mined' and payment.block_height <= p.finalized_height)
$$;

create or replace trigger deep_reorgs_are_decided_once before insert or update on chain_deep_reorgs
  for each row execute function guard_what_two_decide('deep_reorgs_begin_as_proposals', 'deep_reorgs_are_decided_by_staff_acts',
    'chain:', 'chain', 'reorg_id', 'new>open chain/propose-deep-reorg', 'open>confirmed chain/confirm-deep-reorg',
    'open>declined chain/decline-deep-reorg', 'confirmed>done');
call check_rows('chain_deep_reorgs', 'before insert or update', 'deep_reorgs_leave_what_was_said',
  'deep_reorgs_are_from_what_was_read', $$tg_op = 'UPDATE' or exists (
    select from chain_positions p where p.chain = new.chain and (p.height, p.hash) = (new.old_height, new.old_hash))$$,
  'deep_reorgs_leave_what_was_said', $$new.state <> 'done' or exists (
    select from chain_reorgs r where r.id = new.reorg_id and r.chain = new.chain
       and (r.fork_height, r.old_height, r.old_hash) = (new.fork_height, new.old_height, new.old_hash))$$);

call change_only('wallet_addresses', 'watched_addresses_are_never_rewritten', 'asked_at', once => 'seen_at');

-- Whether a transaction paid customers, too, as far as the chain shows it and two people did not say otherwise.
create or replace function pays_a_customer(p_txid text) returns boolean language sql stable as $$
  select exists (select from chain_payments p
                  where p.chain in ('bitcoin', 'ethereum') and p.txid = p_txid and p.customer_id is not null
                    and p.state in ('seen', 'mined') and p.resolved_as is distinct from 'operators')
$$;

call keep_rows('{wallets,chain_deep_reorgs}');
call keep_rows('{chain_payments}', 'payments_are_kept');
call keep_rows('{wallet_addresses}', 'watched_addresses_are_kept');
call write_once('{deposit_addresses}', 'addresses_are_kept');
call write_once('{chain_reorgs}', 'reorgs_are_written_once');
call write_once('{chain_scripts}', 'scripts_are_written_once');
call write_once('{chain_transactions,own_transactions}', 'transactions_are_written_once');
call check_rows('deposit_addresses', 'before insert', 'closed_accounts_get_no_address',
  '(select closed_at is null from customers where id = new.customer_id for share)');
call change_only('chain_payments', 'payments_are_never_rewritten',
  'state block_height block_hash block_time changed_at orphaned_at settled_at ask_at refusals refusal refused_at resolution_id resolved_as '
  'counts from_own');
