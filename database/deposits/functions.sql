-- What a deposit's method is called in the ledger.
create or replace function coin_of(method text) returns text language sql immutable as $$
  select case method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' when 'USDT' then 'USDT' end
$$;
create or replace function deposit_legs(asset text, units numeric) returns ledger_leg[]
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select array[('available', asset, units), ('custody', asset, -units)]::ledger_leg[]
$$;

call change_only('deposits', 'claims_are_never_rewritten',
  'usd_cents state image_url quantity_units txid output_index transfer_id rejection_reason reviewed_at review_action_id payment_id '
  'confirmations payment_price_id orphaned_at held_units reversal_id price_id finalized resolution_id');
-- After the decision only what a payment credited changes: its value, once, and whether its block is still in the chain.
call check_rows('deposits', 'before update when (old.state <> ''pending'')', 'deposits_are_reviewed_once',
  'deposits_are_reviewed_once: This deposit has been reviewed.', $$
    old.state in ('approved', 'orphaned') and new.state in ('approved', 'orphaned', 'reversed')
    and not exists (select from jsonb_each(to_jsonb(old)) was join jsonb_each(to_jsonb(new)) now using (key)
                     where was.value <> now.value and key <> all (
                       '{state,usd_cents,payment_price_id,orphaned_at,held_units,reversal_id,resolution_id}'))
    and (old.usd_cents is null or (new.usd_cents, new.payment_price_id) is not distinct from (old.usd_cents, old.payment_price_id))
    and (old.payment_id is not null or new.resolution_id is not null or is_in_chain(old) is not null)$$,
  'mistakes_are_found_by_two_people', $$
    new.resolution_id is not distinct from old.resolution_id or old.resolution_id is null and exists (
      select from payment_resolutions r where r.id = new.resolution_id and r.deposit_id = new.id and r.state = 'confirmed')$$,
  'credits_follow_the_chain', $$
    new.state = old.state or (new.state = 'approved') is not distinct from (new.resolution_id is null and is_in_chain(new))$$,
  'reversed_deposits_are_reversed_in_the_ledger', $$
    new.state <> 'reversed' or exists (select from ledger_keys k where k.id = new.reversal_id and k.reverses = new.transfer_id)$$);

-- Whether a credit of a coin has to be taken back from a customer. Nothing of that coin leaves until it is whole: of what he has used the rest
-- is missing (orphaned), of the others the worker has not come to it. Staff approve slips before a payment has its confirmations, too.
create or replace function is_credit_taken_back(p_customer uuid, p_coin text) returns boolean language sql stable as $$
  select exists (select from deposits where state = 'orphaned' and customer_id = p_customer and coin_of(method) = p_coin)
      or exists (select from chain_payments
                  where counts <> (settled_at is not null) and not counts and customer_id = p_customer and asset = p_coin)
      or exists (
        select from deposits d
         where d.state = 'approved' and d.review_action_id is not null and d.customer_id = p_customer and coin_of(d.method) = p_coin
           and (d.resolution_id is not null or (
             select bool_and(p.state in ('dropped', 'orphaned') or p.resolved_as is not distinct from 'operators') from chain_payments p
              where p.txid = d.txid and p.asset = p_coin and p.customer_id is not null
                and (d.output_index is null or d.output_index = p.output_index))))
$$;

-- It would become hashrate.
call check_rows('contracts', 'before insert', 'nothing_is_bought_while_a_credit_is_taken_back',
  'not is_credit_taken_back(new.customer_id, new.coin)');

-- What one person may still approve alone of a coin where another one could look, within 24 hours of PostgreSQL's clock. Null: no other
-- person decides.
create or replace function deposit_left_for_one(p_person uuid, p_coin text) returns numeric language sql stable as $$
  select greatest(0, bound('approvedAlone', p_coin) - coalesce(sum(d.quantity_units), 0))
    from deposits d join audit_log a on a.id = d.review_action_id
   where d.alone_at > clock_timestamp() - interval '24 hours' and a.operator_id = p_person and coin_of(d.method) = p_coin
  having another_person_decides(p_person)
$$;

-- A deposit as a proposal says that it arrived.
create or replace function slip_as_proposed(proposal deposit_approvals) returns deposits language sql stable as $$
  select jsonb_populate_record(d, to_jsonb(proposal) - '{id,state}'::text[]) from deposits d where d.id = proposal.deposit_id
$$;

-- Whether a payment at its customer's own address shows a slip. What contracts sent does not: that is one node's word, until two people
-- said whose it is.
create or replace function is_shown_by_chain(slip deposits) returns boolean language sql stable security definer as $$
  select coalesce(bool_or(p.counts and not is_by_word_of_node(p)), false) from chain_payments p
   where p.customer_id is not null and p.txid = slip.txid and p.asset = coin_of(slip.method)
     and (slip.output_index is null or slip.output_index = p.output_index)
$$;

-- Whether a second person looks at a slip as it is approved: no payment at its customer's own address shows it, and it is of more than that.
create or replace function slip_needs_two(p_person uuid, slip deposits) returns boolean language sql stable as $$
  select coalesce(not is_shown_by_chain(slip) and slip.quantity_units > deposit_left_for_one(p_person, coin_of(slip.method)), false)
$$;

-- A slip can name what the chain shows at customers' own addresses: one payment, of this customer's, and all of it, of which nothing
-- else was said. What a transaction pays besides is credited by itself, so a slip never stands for several payments, and where it
-- names another output, the transaction pays nothing to this customer's own address.
create or replace function is_what_the_chain_shows(slip deposits) returns boolean language sql stable as $$
  select not exists (
    select from (
      select slip.output_index is null or output_index = slip.output_index as is_named, customer_id = slip.customer_id as is_theirs,
             (customer_id, units, asset) = (slip.customer_id, slip.quantity_units, coin_of(slip.method))
               and coalesce(resolved_as, 'customers') = 'customers' as is_this
        from chain_payments
       where txid = slip.txid and chain in ('bitcoin', 'ethereum') and customer_id is not null and state in ('seen', 'mined')) p
    having count(*) filter (where is_named) > 1 or bool_or(is_named and not is_this) or bool_or(is_theirs) and not bool_or(is_named))
$$;

create or replace function guard_deposit() returns trigger language plpgsql as $$
declare approver uuid;
begin
  if old.state <> 'pending' then return new; end if;
  new.alone_at := null;
  perform demand('deposits_begin_pending',
    tg_op <> 'INSERT' or new.state = 'pending' or (new.state = 'approved' and new.slip_id is null and new.payment_id is not null));
  perform demand('deposits_are_credited_before_they_are_taken_back', new.state not in ('orphaned', 'reversed'));
  perform demand('reviews_are_staff_acts_on_the_deposit', new.state = 'pending' or new.payment_id is not null or exists (
    select from audit_log a
     where a.id = new.review_action_id and a.subject = 'deposit:' || new.id and a.customer_id = new.customer_id
       and a.act = any (case new.state when 'approved' then '{deposits/approve,deposits/confirm-approval}'
                                       else '{deposits/reject}' end::text[])));
  perform demand('proposed_approvals_are_decided_first', new.state = 'pending' or new.payment_id is not null or not exists (
    select from deposit_approvals where deposit_id = new.id and state = 'open'), 'unique_violation');
  if new.state <> 'approved' then return new; end if;
  perform demand('approvals_are_credited', exists (
    select from ledger_transfer(new.transfer_id) t join ledger_entries e on e.owner_id = t.owner_id and e.transfer_number = t.number
     where t.key = 'deposit:' || new.id and t.owner_id = new.customer_id
       and e.account = 'available' and e.asset = coin_of(new.method) and e.units = new.quantity_units));
  -- What two people are just saying of its payments is waited for, and waits.
  if new.payment_id is null then
    perform from chain_payments p where p.txid = new.txid and p.chain in ('bitcoin', 'ethereum') for share;
  end if;
  -- Two reviews of one transaction at once wait for each other here.
  perform lock_fact('deposits.txid:' || new.txid);
  perform demand('one_deposit_per_payment', not exists (
    select from deposits other where other.txid = new.txid and other.id <> new.id and other.state <> 'reversed'
       and (other.output_index is null or new.output_index is null or other.output_index = new.output_index)), 'unique_violation');
  perform demand('payments_are_credited_when_confirmed', new.payment_id is null or exists (
    select from chain_payments p join deposit_addresses a on a.address = p.address
     where p.id = new.payment_id and a.customer_id = new.customer_id and p.asset = coin_of(new.method) and p.counts
       and (p.txid, p.output_index, p.units) = (new.txid, new.output_index, new.quantity_units)
       and new.confirmations between case when p.coinbase then 100 else 1 end and chain_confirmations(p)
       and (chain_is_final(p) or not new.finalized)));
  perform demand('slips_are_what_the_chain_shows', new.payment_id is not null or is_what_the_chain_shows(new));
  if new.payment_id is not null or exists (
    select from deposit_approvals p
     where p.deposit_id = new.id and p.state = 'confirmed' and p.decided_by_act = new.review_action_id and p.usd_cents = new.usd_cents
       and (p.quantity_units, p.txid) = (new.quantity_units, new.txid) and p.output_index is not distinct from new.output_index) then
    return new;
  end if;
  select operator_id into approver from audit_log where id = new.review_action_id and act = 'deposits/approve';
  perform demand('approvals_are_confirmed_as_they_were_proposed', found);
  perform demand('approvers_approve', approver is null or is_decider(approver));
  -- After the lock: what one person approves alone within a day is counted by PostgreSQL's clock.
  perform lock_fact('deposits.alone:' || approver) where approver is not null;
  perform demand('large_slips_need_two_people', not slip_needs_two(approver, new));
  perform demand('who_is_alone_has_no_colleague', not another_person_decides(approver)
    or not exists (select from audit_log where id = new.review_action_id and detail ? 'alone'));
  if not is_shown_by_chain(new) then new.alone_at := clock_timestamp(); end if;
  return new;
end $$;
create or replace trigger deposits_are_reviewed_on_facts before insert or update on deposits
  for each row execute function guard_deposit();

-- As core/terms.ts and server/markets/price.ts have it.
call check_rows('deposits', 'before update when (new.price_id is not null)', 'deposits_are_valued_by_fresh_prices', $$
  exists (select from market_prices p where p.id = new.price_id and p.pinned and p.asset = coin_of(new.method)
             and p.observed_at between new.reviewed_at - interval '10 minutes' and new.reviewed_at + interval '1 minute')$$);
call check_rows('deposit_slips', 'before update when (new.erased_at is not null or new.original_name is distinct from old.original_name)',
  'slips_are_erased_after_their_account', $$
  case when old.erased_at is null then exists (select from customers where id = old.customer_id and closed_at is not null)
       else new.erased_at is not distinct from old.erased_at end$$);

create or replace function guard_chain_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- Giving the address out at this moment waits for this, or this waits for it: its customer is said once.
    update wallet_addresses set seen_at = new.seen_at where address = new.address and seen_at is null;
    new.customer_id := (select customer_id from deposit_addresses where address = new.address);
  end if;
  perform demand('payments_are_mined_in_known_blocks', new.state <> 'mined' or exists (
    select from chain_blocks b where b.chain = new.chain and b.height = new.block_height and b.hash = new.block_hash));
  perform demand('payments_are_resolved_by_two_people',
    (new.resolution_id, new.resolved_as) is not distinct from (old.resolution_id, old.resolved_as)
    or coalesce(old.resolved_as, 'customers') = 'customers' and exists (
         select from payment_resolutions r join resolved_payments of_it on of_it.resolution_id = r.id
          where r.id = new.resolution_id and of_it.payment_id = new.id and r.says = new.resolved_as and r.state = 'confirmed'),
    says => 'What a payment was is said by two people.');
  -- It may have been credited since that was proposed.
  perform demand('credited_payments_can_only_be_the_operators',
    new.resolution_id is not distinct from old.resolution_id or new.resolved_as = 'operators' or not is_credited(old));
  return new;
end $$;
create or replace trigger payments_rest_on_blocks before insert or update on chain_payments
  for each row execute function guard_chain_payment();

-- What must explain the transfer of a deposit, and its reversal.
create or replace function require_deposit(transfer ledger_transfers) returns void language sql as $$
  select demand('only_deposits_are_credited', transfer.reverses is not null or exists (
    select from deposits d
     where d.transfer_id = transfer.id and d.customer_id = transfer.owner_id and transfer.key = 'deposit:' || d.id
       and transfer.legs = deposit_legs(coin_of(d.method), d.quantity_units)));
  select demand('deposits_are_reversed_with_their_payment', transfer.reverses is null or exists (
    select from deposits where reversal_id = transfer.id and transfer_id = transfer.reverses and state = 'reversed'));
$$;
insert into ledger_document_checks (kind, of_reversal, place, check_function) values
  ('deposit', false, 1, 'require_deposit'), ('deposit', true, 1, 'require_deposit');

-- Null: the chain tells nothing of what was credited.
create or replace function is_in_chain(d deposits) returns boolean language sql stable security definer as $$
  select bool_or(p.counts) from chain_payments p where p.customer_id is not null
     and (p.id = d.payment_id or d.payment_id is null and p.txid = d.txid and p.asset = coin_of(d.method)
                                 and (d.output_index is null or d.output_index = p.output_index))
$$;

-- What was credited to a customer, and two people said was the operator's, counts as that once the credit is taken back whole.
create or replace function is_credited_though_the_operators(p_txid text) returns boolean language sql stable as $$
  select exists (
    select from chain_payments p join deposits d on d.txid = p.txid and (d.output_index is null or d.output_index = p.output_index)
     where p.txid = p_txid and p.resolved_as = 'operators' and d.state in ('approved', 'orphaned')
       and (d.payment_id is null or d.payment_id = p.id))
$$;

-- Whether a payment is in the ledger as its customer's, or was and is being taken back.
create or replace function is_credited(payment chain_payments) returns boolean language sql stable as $$
  select payment.settled_at is not null or exists (
    select from deposits d
     where d.txid = payment.txid and d.customer_id = payment.customer_id and d.state in ('approved', 'orphaned')
       and payment.asset = coin_of(d.method) and (d.output_index is null or d.output_index = payment.output_index)
       and (d.payment_id is null or d.payment_id = payment.id))
$$;

-- Which payments a resolution is about, as the acts of the two people name them.
create or replace function sha256_of_resolved(p_resolution uuid) returns text language sql stable as $$
  select encode(sha256(convert_to(string_agg(payment_id::text, E'\n' order by payment_id), 'UTF8')), 'hex')
    from resolved_payments where resolution_id = p_resolution
$$;

create or replace trigger payment_resolutions_are_decided_once before insert or update on payment_resolutions
  for each row execute function guard_what_two_decide('payment_resolutions_begin_as_proposals',
    'payment_resolutions_are_decided_by_staff_acts', 'payment-resolution:', 'id', '', 'new>open deposits/propose-resolution',
    'open>confirmed deposits/confirm-resolution', 'open>declined deposits/decline-resolution');
-- Approved meanwhile by its own payment, it is nothing to confirm any more. Another deposit may have been credited with this payment.
create or replace trigger approvals_are_decided_once before insert or update on deposit_approvals
  for each row execute function guard_what_two_decide('approvals_begin_as_proposals', 'approvals_are_decided_by_staff_acts',
    'deposit:', 'deposit_id', '', 'new>open deposits/propose-approval', 'open>confirmed deposits/confirm-approval',
    'open>declined deposits/decline-approval', 'open>overtaken');
call check_rows('deposit_approvals', 'before update when (new.state = ''overtaken'')', 'approvals_are_overtaken_by_their_payment',
  'exists (select from deposits where id = new.deposit_id and payment_id is not null and txid = new.txid)');
call check_rows('deposit_approvals', 'before insert or update when (new.state in (''open'', ''confirmed''))', 'approvals_are_of_what_waits',
  'approvals_are_of_what_waits', $$exists (select from deposits where id = new.deposit_id and state = 'pending' for update)$$,
  'approvers_approve', 'is_decider(coalesce(new.decided_by, new.proposed_by))',
  'approvals_are_confirmed_as_they_were_proposed', $$new.state = 'open' or exists (
    select from audit_log where id = new.decided_by_act and detail ->> 'proposal' = new.id::text)$$,
  'slips_are_what_the_chain_shows', 'is_what_the_chain_shows(slip_as_proposed(new))',
  'one_deposit_per_payment', $$not exists (
    select from deposits other where other.txid = new.txid and other.state <> 'reversed'
       and (other.output_index is null or new.output_index is null or other.output_index = new.output_index))$$);
call check_rows('payment_resolutions', 'before insert or update', 'payment_resolutions_are_for_what_they_name',
  'mistakes_are_about_approvals', $$tg_op = 'UPDATE' or new.says <> 'mistaken' or exists (
    select from deposits where id = new.deposit_id and state = 'approved' and review_action_id is not null for update)$$,
  'resolutions_are_confirmed_for_what_they_name: A resolution is confirmed for what it names, and nothing else.', $$
    new.state <> 'confirmed' or exists (
      select from audit_log a
       where a.id = new.decided_by_act
         and case when new.deposit_id is null then a.detail ->> 'sha256OfPayments' = sha256_of_resolved(new.id)
                  else a.detail ->> 'depositId' = new.deposit_id::text end)$$);

create or replace function guard_resolved_payment() returns trigger language plpgsql security definer as $$
declare payment chain_payments; wanted text;
begin
  -- Two proposals for one payment at once wait for each other here.
  select * into payment from chain_payments where id = new.payment_id for update;
  select says into wanted from payment_resolutions where id = new.resolution_id and state = 'open';
  perform demand('payment_resolutions_are_decided_once', wanted is not null);
  perform demand('one_resolution_of_a_payment', coalesce(payment.resolved_as, 'customers') = 'customers' and not exists (
    select from resolved_payments of_it join payment_resolutions r on r.id = of_it.resolution_id
     where of_it.payment_id = new.payment_id and of_it.resolution_id <> new.resolution_id and r.state = 'open'), 'unique_violation');
  perform demand('only_customers_payments_are_theirs_or_not', payment.customer_id is not null or wanted = 'set-aside');
  perform demand('coins_that_cover_payouts_stay_the_pools', not exists (
    select from pool_addresses a where a.address = payment.address and not payment.from_own and payment.state = 'mined'
       and pool_lacks(a.pool_id) + payment.units > 0));
  -- What is credited is the customer's, or was the operator's: nothing in between.
  perform demand('credited_payments_can_only_be_the_operators', wanted = 'operators' or not is_credited(payment));
  -- A slip that was approved for a whole transaction before it was seen may be for several payments: none is taken back alone.
  perform demand('payments_of_one_approval_are_not_parted', wanted <> 'operators' or not exists (
    select from deposits d join chain_payments p on p.txid = d.txid and p.asset = payment.asset and p.counts
     where d.txid = payment.txid and d.payment_id is null and d.output_index is null and d.state in ('approved', 'orphaned')
       and payment.asset = coin_of(d.method)
    having count(*) > 1));
  return new;
end $$;
create or replace trigger resolved_payments_are_free before insert on resolved_payments for each row
  execute function guard_resolved_payment();

-- All at once, as the person who proposed said it: what a colleague reads does not grow until it is confirmed.
create or replace function check_resolved_payments() returns trigger language plpgsql as $$
begin
  perform demand('resolutions_name_their_payments_at_once',
    not exists (
      select from payment_resolutions r join audit_log a on a.id = r.proposed_by_act
       where r.id in (select resolution_id from added) and a.detail ->> 'sha256OfPayments' is distinct from sha256_of_resolved(r.id)),
    says => 'A resolution is about the payments that its proposal names.');
  return null;
end $$;
create or replace trigger resolutions_name_their_payments_at_once after insert on resolved_payments referencing new table as added
  for each statement execute function check_resolved_payments();

call check_rows('deposits', 'before insert', 'closed_accounts_make_no_deposits',
  '(select closed_at is null from customers where id = new.customer_id for share)');
-- Each is looked at by a person.
call check_rows('deposits', 'before insert when (new.slip_id is not null)', 'claims_wait_for_review',
  'wait for', $$'deposits.claims:' || new.customer_id$$,
  'claims_wait_for_review', $$(select count(*) from deposits where customer_id = new.customer_id and state = 'pending') < 20$$);
call name_act('deposits', 'review_action_id', 'deposits/approve deposits/confirm-approval deposits/reject', 'deposit:', 'id');
call keep_rows('{payment_resolutions,deposit_approvals}');
call write_once('{resolved_payments}', 'resolved_payments_are_kept');

grant execute on function is_in_chain, is_shown_by_chain to assay_app;
