create or replace trigger adjustments_are_decided_once before insert or update on adjustments
  for each row execute function guard_what_two_decide('adjustments_are_staff_acts', 'adjustments_are_staff_acts', 'adjustment:',
    'id', 'rejection_reason transfer_id', 'new>open adjustments/propose', 'open>approved adjustments/approve',
    'open>rejected adjustments/reject', 'open>withdrawn adjustments/withdraw');
-- One payment is counted once: as a customer's deposit, as a pool's payout, or as the operator's own money. The fee of a batch is booked
-- with the batch; one that failed books none, and what is mined of it all the same is booked here.
call check_rows('adjustments', 'before insert or update when (new.state in (''open'', ''approved''))', 'adjustments_are_what_they_say',
  'evidence_is_of_who_proposes', $$new.evidence_id is null or exists (
    select from adjustment_evidence
     where id = new.evidence_id and operator_id = new.proposed_by and stored_at is not null and discarded_at is null)$$,
  -- Closing the account holds this row: the gift comes before that, or is refused.
  'closed_accounts_are_given_nothing', $$new.kind not in ('goodwill', 'subsidy')
    or (select closed_at is null from customers where id = new.customer_id for share)$$,
  'reversals_take_back_what_was_approved', $$new.kind <> 'reversal' or exists (
    select from adjustments o where o.id = new.reverses and o.state = 'approved' and o.kind <> 'reversal'
       and (o.customer_id, o.asset, o.units) is not distinct from (new.customer_id, new.asset, new.units) for share)$$,
  'wait for', $$'deposits.txid:' || new.txid$$,
  'one_payment_is_counted_once', $$
    not exists (select from deposits d
                 where d.txid = new.txid and d.state in ('approved', 'orphaned')
                   and case new.kind when 'equity-funding' then d.payment_id is null or d.quantity_units = new.units
                                     when 'equity-drawing' then is_in_chain(d) is null
                                     else true end)
    and (new.kind = 'equity-drawing' or not exists (
         select from chain_payments p
          where p.txid = new.txid and p.state in ('seen', 'mined') and p.customer_id is not null
            and p.resolved_as is distinct from 'operators' and (new.kind <> 'equity-funding' or p.units = new.units)))
    and (new.kind <> 'equity-funding' or not pays_a_pool(new.txid))
    and not is_credited_though_the_operators(new.txid)
    and not exists (select from adjustments a where a.txid = new.txid and a.id <> new.id and adjustment_counts(a))
    and not exists (select from pool_payouts p where p.txid = new.txid and payout_counts(p))$$,
  'batches_book_their_own_fee', $$new.kind not in ('equity-drawing', 'wallet-transfer')
    or not exists (select from withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id
                    where v.txid = new.txid and b.state <> 'failed')
       and not exists (select from withdrawal_transactions t where t.txid = new.txid)$$,
  'approved_adjustments_are_posted', $$new.state <> 'approved' or exists (
    select from ledger_transfer(new.transfer_id) t left join adjustments original on original.id = new.reverses
     where t.key = 'adjustment:' || new.id and t.kind = new.kind
       and t.owner_id = coalesce(new.customer_id, '00000000-0000-0000-0000-000000000000')
       and t.reverses is not distinct from original.transfer_id
       and t.legs = case new.kind when 'reversal' then ledger_mirror(legs_of_adjustment(original)) else legs_of_adjustment(new) end)$$);

-- Whether an adjustment's payment is counted under its transaction, or is about to be.
create or replace function adjustment_counts(a adjustments) returns boolean language sql stable as $$
  select a.state in ('open', 'approved') and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')
$$;

call check_rows('adjustment_evidence',
  'before update when ((new.erased_at, new.original_name) is distinct from (old.erased_at, old.original_name))',
  'evidence_outlives_what_it_shows', $$
  old.erased_at is null and new.erased_at is not null and exists (
    select from adjustments a left join customers c on c.id = a.customer_id where a.evidence_id = old.id
       and (a.state in ('rejected', 'withdrawn')
            or a.state = 'approved' and (c.erased_at is not null or a.decided_at <= new.erased_at - interval '5 years')))$$);

-- What must explain the transfer of an adjustment, and its reversal: the operator's own money.
create or replace function require_adjustment(transfer ledger_transfers) returns void language sql as $$
  select demand('operators_money_needs_two_people',
    exists (select from adjustments where transfer_id = transfer.id and state = 'approved'),
    says => 'The operator''s own money moves by an adjustment that two people decided.');
  select require_equity();
  -- What came in, and a fee that the network has taken, are no choice.
  select require_customers_covered() where transfer.kind not in ('equity-funding', 'wallet-transfer');
$$;
insert into ledger_document_checks (kind, of_reversal, place, check_function)
select kind, of_reversal, 1, 'require_adjustment'::regproc
  from unnest('{goodwill,subsidy,equity-funding,equity-drawing,wallet-transfer}'::text[]) kind, unnest('{f,t}'::boolean[]) of_reversal;

-- By its name after payouts_are_what_they_say. The lock is that of an act that counts the payment as a deposit or as own money.
call check_rows('pool_payouts', 'before insert or update when (new.txid is not null)', 'payouts_count_their_coins_once',
  'wait for', $$'deposits.txid:' || new.txid$$,
  'payouts_are_not_counted_otherwise', $$tg_op = 'UPDATE' or
    not exists (select from deposits d
                 where d.txid = new.txid and d.state in ('approved', 'orphaned') and d.payment_id is null and is_in_chain(d) is null)
    and not exists (select from adjustments a where a.txid = new.txid and adjustment_counts(a))$$,
  'payouts_are_not_credited_to_customers',
  $$new.state <> 'recorded' or new.units = 0 or not is_credited_though_the_operators(new.txid)$$,
  -- Two people see a transaction that pays another day as well, or a customer's own address: that may be this very output. What coins at
  -- the pool's addresses cover stands on those.
  'shared_transactions_need_two_people', $$new.state <> 'recorded' or new.covered
    or not (payout_shares_its_transaction(new.pool_id, new.day, new.txid, new.statement_id)
            or new.units > 0 and pays_a_customer(new.txid))
    or exists (select from audit_log
                where id = new.decision_action_id and act = 'payouts/confirm' and subject = 'payout:' || new.id
                  and operator_id <> who_proposed_payout(new))$$);

-- What refused a payment may be gone: it is asked for again at once, or at its own time if it is being settled at this moment.
create or replace function ask_payments_again() returns trigger language plpgsql security definer as $$
declare
  said jsonb := to_jsonb(new);
  gone text := coalesce((select txid from adjustments where id = (said ->> 'reverses')::uuid),
                        (select txid from pool_payouts where id = (said ->> 'corrects')::uuid), said ->> 'txid');
begin
  update chain_payments set ask_at = seen_at
   where id in (select p.id from chain_payments p
                 where p.refusals > 0 and (p.chain in ('bitcoin', 'ethereum') and p.txid = gone
                                           or p.address = any (array(select address from deposit_addresses where customer_id = new.id)))
                   for update skip locked);
  return null;
end $$;

-- What arrived at the operator's own addresses, or where none had been given out, and counts neither as a pool's payout nor as own money
-- nor is about to. At a pool's address it is the pool's, whose page compares the coins with its payouts. What counts is written out, as
-- payout_counts and adjustment_counts have it: asked one by one, old arrivals cost most.
create or replace function arrivals_to_record() returns setof chain_payments language sql stable as $$
  select p.* from chain_payments p where p.customer_id is null and p.state in ('seen', 'mined') and p.resolved_as is null
     and (p.from_own or p.address not in (select address from pool_addresses))
     and p.txid not in (select o.txid from pool_payouts o where o.txid is not null and o.units > 0 and o.state <> 'refused'
          and o.id not in (select c.corrects from pool_payouts c where c.corrects is not null and c.state = 'recorded'))
     and p.txid not in (select a.txid from adjustments a where a.txid is not null and a.state in ('open', 'approved')
          and a.id not in (select r.reverses from adjustments r where r.reverses is not null and r.state = 'approved'))
$$;

-- A drawing leaves custody with its fee; of a transfer between own wallets only the fee leaves it. Gas is paid in ether.
create or replace function legs_of_adjustment(a adjustments) returns ledger_leg[] language sql stable as $$
  select array_agg((leg.account, leg.asset, leg.units)::ledger_leg order by leg.asset collate "C", leg.account collate "C")
    from (select account, asset, sum(units) as units
            from (values ('goodwill', 'available', a.asset, a.units), ('goodwill', 'operator_equity', a.asset, -a.units),
                         ('subsidy', 'available', a.asset, a.units), ('subsidy', 'operator_equity', a.asset, -a.units),
                         ('equity-funding', 'custody', a.asset, -a.units), ('equity-funding', 'operator_equity', a.asset, a.units),
                         ('equity-drawing', 'custody', a.asset, a.units), ('equity-drawing', 'operator_drawings', a.asset, -a.units),
                         (a.kind, 'custody', case a.asset when 'BTC' then 'BTC' else 'ETH' end, a.fee_units),
                         (a.kind, 'network_fee_expense', case a.asset when 'BTC' then 'BTC' else 'ETH' end, -a.fee_units))
              moves (kind, account, asset, units)
           where moves.kind = a.kind group by account, asset having sum(units) <> 0) leg
$$;

-- Custody covers what customers own: no more is taken out, or given away, than the operator has. The house's accounts keep no
-- balance row, so each question waits here for the one before.
create or replace function require_customers_covered() returns void language sql as $$
  select lock_fact('ledger.operator_equity');
  select demand('customers_coins_are_covered', not exists (select from own_money() o where o.units < 0));
$$;

-- What is the operator's of each coin: what was paid in and earned, without what was spent, given and taken out. What pools paid and
-- was not credited yet is the customers'; where more was credited than paid, the operator owes it. So it does where a credit
-- is being taken back that was spent already: the coins never came, or are booked as the operator's a second time.
create or replace function own_money() returns table (asset text, units numeric) language sql stable as $$
  select b.asset, sum(case
      when b.account in ('operator_equity', 'operator_drawings', 'contract_revenue', 'maintenance_revenue', 'inactivity_revenue',
                         'withdrawal_fee_revenue', 'network_fee_expense') then b.units
      when b.account in ('pool_receivable', 'rounding', 'conversion') then least(b.units, 0)
      else 0 end) - coalesce((select l.units from lacking_of_deposits() l where l.asset = b.asset), 0)
    from house_balances() b group by b.asset
$$;

-- What credits that are being taken back still lack, per coin: credited, not there any more, and not put aside.
create or replace function lacking_of_deposits() returns table (asset text, units numeric) language sql stable as $$
  select coin_of(d.method), sum(d.quantity_units - d.held_units)
    from deposits d where d.state = 'orphaned' group by d.method
$$;

-- Of a payment that the chain shows it is asked output by output: payments_are_credited_or_the_operators.
call check_rows('deposits', 'before insert or update of txid when (new.txid is not null)', 'deposits_are_not_the_operators_own_money',
  'wait for', $$'deposits.txid:' || new.txid$$,
  'one_deposit_per_payment', $$new.payment_id is not null
    or not exists (select from adjustments a where a.txid = new.txid and adjustment_counts(a))
       and (is_in_chain(new) is not null
            or not pays_a_pool(new.txid) and not exists (select from pool_payouts p where p.txid = new.txid and payout_counts(p)))$$);

call check_rows('deposit_approvals', 'before insert', 'proposed_deposits_are_not_the_operators_own_money', 'one_deposit_per_payment', $$
  not exists (select from adjustments a where a.txid = new.txid and adjustment_counts(a))
  and (not pays_a_pool(new.txid) and not exists (select from pool_payouts p where p.txid = new.txid and payout_counts(p))
       or is_in_chain(slip_as_proposed(new)) is not null)$$);

-- Asked after the deposit's own rules, which wait for a decision about it at this moment. Where the output that a payout or
-- own money names may be this payment to a customer, people decide who see both. What moved between own wallets stayed the
-- operator's, so nothing of it is anybody else's; what was taken out may be a customer's now.
call check_rows('deposits', 'before insert or update of state when (new.payment_id is not null)',
  'payments_are_credited_or_the_operators', $$
  new.state <> 'approved' or coalesce(old.state, 'pending') <> 'pending' or not exists (
    select from chain_payments p where p.id = new.payment_id and p.resolved_as is null
       and (exists (select from pool_payouts o where o.txid = p.txid and payout_counts(o)
                    having bool_or(o.units = p.units) or sum(o.units) = p.units)
         or exists (select from adjustments a where a.txid = p.txid and adjustment_counts(a)
                       and (a.kind = 'wallet-transfer' or a.kind = 'equity-funding' and (a.asset, a.units) = (p.asset, p.units)))))$$);

create or replace trigger payments_are_asked_again_after_reopening after update of closed_at on customers
  for each row when (old.closed_at is not null and new.closed_at is null) execute function ask_payments_again();
create or replace trigger payments_are_asked_again_after_a_reversal after update of state on deposits
  for each row when (new.state = 'reversed') execute function ask_payments_again();
create or replace trigger payments_are_asked_again_after_a_payout after update of state on pool_payouts
  for each row when (new.state = 'refused' or new.corrects is not null) execute function ask_payments_again();
call keep_rows('{adjustments}', 'the_list_of_adjustments_only_grows');
create or replace trigger payments_are_asked_again_after_a_decision after update of state on adjustments
  for each row when (new.state in ('rejected', 'withdrawn') or new.kind = 'reversal') execute function ask_payments_again();
