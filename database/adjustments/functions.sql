create or replace function guard_adjustment() returns trigger language plpgsql security definer as $$
declare
  original adjustments;
begin
  if new.state in ('rejected', 'withdrawn') then
    return new;
  end if;
  perform demand('evidence_is_of_who_proposes',
    new.evidence_id is null or exists (
      select from adjustment_evidence e
       where e.id = new.evidence_id and e.operator_id = new.proposed_by and e.stored_at is not null and e.discarded_at is null));
  if new.kind in ('goodwill', 'subsidy') then
    -- Closing the account holds this row: the gift comes before that, or is refused.
    perform from customers where id = new.customer_id for share;
    perform demand('closed_accounts_are_given_nothing',
      not exists (select from customers where id = new.customer_id and closed_at is not null));
  end if;
  if new.kind = 'reversal' then
    select * into original from adjustments where id = new.reverses for share;
    perform demand('reversals_take_back_what_was_approved',
      original.state is not distinct from 'approved' and original.kind <> 'reversal'
      and (original.customer_id, original.asset, original.units) is not distinct from (new.customer_id, new.asset, new.units));
  end if;
  if new.txid is not null then
    perform check_funding_payment(new.id, new.txid, new.kind, new.units);
  end if;
  -- The fee of a batch is booked with the batch. One that failed books none: what is mined of it all the same is booked here.
  perform demand('batches_book_their_own_fee',
    new.kind not in ('equity-drawing', 'wallet-transfer')
    or not exists (select from withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id
                    where v.txid = new.txid and b.state <> 'failed')
       and not exists (select from withdrawal_transactions t where t.txid = new.txid), 'unique_violation');
  perform demand('approved_adjustments_are_posted',
    new.state <> 'approved' or exists (
      select from ledger_transfers t
       where t.id = new.transfer_id and t.key = 'adjustment:' || new.id and t.kind = new.kind
         and t.owner_id = coalesce(new.customer_id, '00000000-0000-0000-0000-000000000000')
         and t.reverses is not distinct from original.transfer_id
         and t.legs = case new.kind when 'reversal' then ledger_mirror(legs_of_adjustment(original))
                                    else legs_of_adjustment(new) end));
  return new;
end
$$;
create or replace trigger adjustments_are_decided_once before insert or update on adjustments
  for each row execute function guard_what_two_decide('adjustments_are_staff_acts', 'adjustments_are_staff_acts', 'adjustment:',
    'id', 'rejection_reason transfer_id', 'new>open adjustments/propose', 'open>approved adjustments/approve',
    'open>rejected adjustments/reject', 'open>withdrawn adjustments/withdraw');
create or replace trigger adjustments_are_what_they_say before insert or update on adjustments
  for each row execute function guard_adjustment();

-- Whether an adjustment's payment is counted under its transaction, or is about to be.
create or replace function adjustment_counts(a adjustments) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select a.state in ('open', 'approved') and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')
$$;

-- One payment is counted once: as a customer's deposit, as a pool's payout, or as the operator's own money.
create or replace function check_funding_payment(
  adjustment uuid, payment text, adjustment_kind text default null, paid_in numeric default null) returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fact('deposits.txid:' || payment);
  perform demand('one_payment_is_counted_once',
    not exists (select from deposits d
                 where d.txid = payment and d.state in ('approved', 'orphaned')
                   and case adjustment_kind
                         when 'equity-funding' then d.payment_id is null or d.quantity_units = paid_in
                         when 'equity-drawing' then is_in_chain(d) is null
                         else true end)
    and (adjustment_kind is not distinct from 'equity-drawing' or not exists (
         select from chain_payments p
          where p.txid = payment and p.state in ('seen', 'mined') and p.customer_id is not null
            and p.ruled_as is distinct from 'operators' and (adjustment_kind is distinct from 'equity-funding' or p.units = paid_in)))
    and not is_credited_though_the_operators(payment)
    and not exists (select from adjustments a where a.txid = payment and a.id <> adjustment and adjustment_counts(a))
    and not exists (select from pool_payouts p where p.txid = payment and payout_counts(p)), 'unique_violation');
end
$$;

create or replace function check_erased_evidence() returns trigger language plpgsql security definer as $$
begin
  if (new.erased_at, new.original_name) is not distinct from (old.erased_at, old.original_name) then
    return new;
  end if;
  perform demand('evidence_outlives_what_it_shows',
    old.erased_at is null and new.erased_at is not null and exists (
      select from adjustments a left join customers c on c.id = a.customer_id
       where a.evidence_id = old.id
         and (a.state in ('rejected', 'withdrawn')
              or a.state = 'approved' and (c.erased_at is not null or a.decided_at <= new.erased_at - interval '5 years'))));
  return new;
end
$$;
create or replace trigger evidence_outlives_what_it_shows before update on adjustment_evidence
  for each row execute function check_erased_evidence();

create or replace function require_adjustment(transfer ledger_transfers) returns void language plpgsql as $$
begin
  perform demand('operators_money_needs_two_people',
    exists (select from adjustments a where a.transfer_id = transfer.id and a.state = 'approved'),
    says => 'The operator''s own money moves by an adjustment that two people decided.');
  perform require_equity();
  -- What came in, and a fee that the network has taken, are no choice.
  if transfer.kind not in ('equity-funding', 'wallet-transfer') then
    perform require_customers_covered();
  end if;
end
$$;

create or replace function check_payout_transaction() returns trigger language plpgsql as $$
declare
  becomes_recorded boolean := new.state = 'recorded' and new.units > 0 and (tg_op = 'INSERT' or old.state <> 'recorded');
begin
  -- The lock of an act that counts the payment as a deposit or as the operator's own money.
  perform lock_fact('deposits.txid:' || new.txid);
  perform demand('payouts_are_not_counted_otherwise',
    tg_op <> 'INSERT' or (
      not exists (select from deposits d where d.txid = new.txid and d.state in ('approved', 'orphaned') and d.payment_id is null
                     and is_in_chain(d) is null)
   and not exists (select from adjustments a where a.txid = new.txid and adjustment_counts(a))), 'unique_violation');
  perform demand('payouts_are_not_credited_to_customers',
    not becomes_recorded or not is_credited_though_the_operators(new.txid), 'unique_violation');
  -- Two people see a transaction that pays another day as well, or a customer's own address: that may be this very output.
  perform demand('shared_transactions_need_two_people',
    ((new.state <> 'recorded' or not payout_shares_its_transaction(new.pool_id, new.day, new.txid, new.statement_id))
     and (not becomes_recorded or not pays_a_customer(new.txid)))
    or exists (select from audit_log a
                where a.id = new.decision_action_id and a.act = 'payouts/confirm' and a.subject = 'payout:' || new.id
                  and a.operator_id <> who_proposed_payout(new)));
  return new;
end
$$;

create or replace function ask_again_of_changed() returns trigger language plpgsql security definer as $$
begin
  case tg_table_name
    when 'deposits' then perform ask_payments_again(new.txid);
    when 'adjustments' then
      perform ask_payments_again(coalesce(new.txid, (select a.txid from adjustments a where a.id = new.reverses)));
    when 'pool_payouts' then
      perform ask_payments_again(coalesce((select p.txid from pool_payouts p where p.id = new.corrects), new.txid));
    when 'customers' then
      update chain_payments set ask_at = seen_at
       where id in (select p.id from deposit_addresses a join chain_payments p on p.address = a.address
                     where a.customer_id = new.id and p.refusals > 0 for update of p skip locked);
  end case;
  return null;
end
$$;

-- Whether a payment is counted as a pool's payout or as own money, or is about to be.
create or replace function is_counted_as_the_operators(p_txid text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from pool_payouts p where p.txid = p_txid and payout_counts(p))
      or exists (select from adjustments a where a.txid = p_txid and adjustment_counts(a))
$$;

-- Whether the output that a payout or own money names may be this payment to a customer: then people decide who see both. What moved
-- between own wallets stayed the operator's, so nothing of it is anybody else's; what was taken out may be a customer's now.
create or replace function may_be_the_operators(payment chain_payments) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select payment.ruled_as is null and (
         exists (select from pool_payouts p
                  where p.txid = payment.txid and payout_counts(p)
                 having bool_or(p.units = payment.units) or sum(p.units) = payment.units)
      or exists (select from adjustments a
                  where a.txid = payment.txid
                    and (a.kind = 'wallet-transfer'
                         or a.kind = 'equity-funding' and (a.asset, a.units) = (payment.asset, payment.units))
                    and adjustment_counts(a)))
$$;

-- What an adjustment moves. A drawing leaves custody with its fee; of a transfer between own wallets only the fee leaves it.
-- Gas is paid in ether.
create or replace function legs_of_adjustment(a adjustments) returns ledger_leg[]
language sql stable set search_path = pg_catalog, public, pg_temp as $$
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
create or replace function require_customers_covered() returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fact('ledger.operator_equity');
  perform demand('customers_coins_are_covered', not exists (select from own_money() o where o.units < 0));
end
$$;

-- What is the operator's of each coin: what was paid in and earned, without what was spent, given and taken out. What pools paid and
-- was not credited yet is the customers'; where more was credited than paid, the operator owes it. So it does where a credit
-- is being taken back that was spent already: the coins never came, or are booked as the operator's a second time.
create or replace function own_money() returns table (asset text, units numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select b.asset, sum(case
      when b.account in ('operator_equity', 'operator_drawings', 'contract_revenue', 'maintenance_revenue', 'inactivity_revenue',
                         'withdrawal_fee_revenue', 'network_fee_expense') then b.units
      when b.account in ('pool_receivable', 'rounding', 'conversion') then least(b.units, 0)
      else 0 end) - coalesce((select l.units from lacking_of_deposits() l where l.asset = b.asset), 0)
    from house_balances() b group by b.asset
$$;

-- What credits that are being taken back still lack, per coin: credited, not there any more, and not put aside.
create or replace function lacking_of_deposits() returns table (asset text, units numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coin_of(d.method), sum(d.quantity_units - d.held_units)
    from deposits d where d.state = 'orphaned' group by d.method
$$;

create or replace function refuse_deposit_of_own_money() returns trigger language plpgsql security definer as $$
begin
  perform lock_fact('deposits.txid:' || new.txid);
  -- Of a payment that the chain shows it is asked output by output: may_be_the_operators.
  perform demand('one_deposit_per_payment',
    new.payment_id is not null
    or not exists (select from adjustments a where a.txid = new.txid and adjustment_counts(a))
       and (is_in_chain(new) is not null
            or not exists (select from pool_payouts p where p.txid = new.txid and payout_counts(p))), 'unique_violation');
  return new;
end
$$;
create or replace trigger deposits_are_not_the_operators_own_money before insert or update of txid on deposits
  for each row when (new.txid is not null) execute function refuse_deposit_of_own_money();

-- What is the operator's is no deposit. Asked after the deposit's own rules, which wait for a decision about it at this moment.
create or replace function refuse_deposit_of_the_operators() returns trigger language plpgsql security definer as $$
begin
  perform demand('payments_are_credited_or_the_operators',
    new.state <> 'approved' or (tg_op <> 'INSERT' and old.state <> 'pending')
    or not exists (select from chain_payments p where p.id = new.payment_id and may_be_the_operators(p)));
  return new;
end
$$;
create or replace trigger payments_are_credited_or_the_operators before insert or update of state on deposits
  for each row when (new.payment_id is not null) execute function refuse_deposit_of_the_operators();

-- What must stand behind a transfer
insert into ledger_document_checks (kind, of_reversal, place, check_function) values
  ('goodwill', false, 1, 'require_adjustment'),
  ('goodwill', true, 1, 'require_adjustment'),
  ('subsidy', false, 1, 'require_adjustment'),
  ('subsidy', true, 1, 'require_adjustment'),
  ('equity-funding', false, 1, 'require_adjustment'),
  ('equity-funding', true, 1, 'require_adjustment'),
  ('equity-drawing', false, 1, 'require_adjustment'),
  ('equity-drawing', true, 1, 'require_adjustment'),
  ('wallet-transfer', false, 1, 'require_adjustment'),
  ('wallet-transfer', true, 1, 'require_adjustment');

-- Guards
create or replace trigger payments_are_asked_again_after_reopening after update of closed_at on customers
  for each row when (old.closed_at is not null and new.closed_at is null) execute function ask_again_of_changed();
create or replace trigger payments_are_asked_again_after_a_reversal after update of state on deposits
  for each row when (new.state = 'reversed') execute function ask_again_of_changed();
-- By its name after payouts_are_never_rewritten.
create or replace trigger payouts_count_their_coins_once before insert or update on pool_payouts
  for each row when (new.txid is not null) execute function check_payout_transaction();
create or replace trigger payments_are_asked_again_after_a_payout after update of state on pool_payouts
  for each row when (new.state = 'refused' or new.corrects is not null) execute function ask_again_of_changed();
call keep_rows('{adjustments}', 'the_list_of_adjustments_only_grows');
create or replace trigger payments_are_asked_again_after_a_decision after update of state on adjustments
  for each row when (new.state in ('rejected', 'withdrawn') or new.kind = 'reversal') execute function ask_again_of_changed();

-- Rights
revoke execute on function check_funding_payment, require_adjustment, legs_of_adjustment, require_customers_covered, own_money,
  lacking_of_deposits from public;
grant execute on function legs_of_adjustment, require_customers_covered, own_money, lacking_of_deposits to assay_app;
