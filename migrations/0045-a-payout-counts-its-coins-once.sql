-- What a pool paid is not counted again under another name, and one transaction for several days is looked at twice. Why:
-- docs/decisions/0040.

-- A pool may pay several days in one transaction. Only its own statement says how much of it is for which day; where a day was
-- entered by hand, nothing but a second look keeps the same coins from standing for both.
create function payout_shares_its_transaction(p_pool uuid, p_day date, p_txid text, p_statement uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from pool_payouts p
     where p.txid = p_txid and p.pool_id = p_pool and p.day <> p_day and p.state <> 'refused'
       and (p_statement is null or p.statement_id is null)
       and not exists (select from pool_payouts c where c.corrects = p.id and c.state = 'recorded'))
$$;

-- What was credited to a customer, and two people said was the operator's, counts as that once the credit is taken back whole.
create function is_credited_though_the_operators(p_txid text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from chain_payments p join deposits d on d.txid = p.txid and (d.output_index is null or d.output_index = p.output_index)
     where p.txid = p_txid and p.ruled_as = 'operators' and d.state in ('approved', 'orphaned')
       and (d.payment_id is null or d.payment_id = p.id))
$$;

create function check_payout_transaction() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
declare
  proposer uuid;
  decider uuid;
begin
  -- The lock of whoever counts the payment as a deposit or as the operator's own money.
  perform lock_fact('deposits.txid:' || new.txid);
  if tg_op = 'INSERT' and (
       exists (select from deposits d where d.txid = new.txid and d.state in ('approved', 'orphaned') and d.payment_id is null
                  and is_in_chain(d) is null)
    or exists (select from adjustments a where a.txid = new.txid and a.state in ('open', 'approved')
                  and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved'))) then
    raise exception 'Transaction % has been counted already, as a deposit or as own money.', new.txid
      using errcode = 'unique_violation', constraint = 'payouts_are_not_counted_otherwise';
  end if;
  if new.state = 'recorded' and new.units > 0 and (tg_op = 'INSERT' or old.state <> 'recorded')
     and is_credited_though_the_operators(new.txid) then
    raise exception 'Transaction % is still credited to a customer.', new.txid
      using errcode = 'unique_violation', constraint = 'payouts_are_not_credited_to_customers';
  end if;
  if new.state = 'recorded' and payout_shares_its_transaction(new.pool_id, new.day, new.txid, new.statement_id) then
    proposer := who_proposed_payout(new);
    select operator_id into decider from audit_log
     where id = new.decision_action_id and act = 'payouts/confirm' and subject = 'payout:' || new.id;
    if proposer is null or decider is null or proposer = decider then
      raise exception 'Two people stand for a transaction that pays another day as well.'
        using errcode = 'check_violation', constraint = 'shared_transactions_need_two_people';
    end if;
  end if;
  -- What the chain shows at a customer's own address may be this very output: two people see both.
  if new.state = 'recorded' and new.units > 0 and (tg_op = 'INSERT' or old.state <> 'recorded') and pays_a_customer(new.txid) then
    proposer := who_proposed_payout(new);
    select operator_id into decider from audit_log
     where id = new.decision_action_id and act = 'payouts/confirm' and subject = 'payout:' || new.id;
    if proposer is null or decider is null or proposer = decider then
      raise exception 'Two people stand for a payout whose transaction paid a customer, too.'
        using errcode = 'check_violation', constraint = 'shared_transactions_need_two_people';
    end if;
  end if;
  return new;
end
$$;
-- By its name after payouts_are_never_rewritten.
create trigger payouts_count_their_coins_once before insert or update on pool_payouts
  for each row when (new.txid is not null) execute function check_payout_transaction();
alter table pool_payouts enable always trigger payouts_count_their_coins_once;

-- The other way round. What the chain shows at a customer's own address is his, whatever else the transaction paid.
create function refuse_payout_as_deposit() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('deposits.txid:' || new.txid, 0));
  if new.payment_id is null and is_in_chain(new) is null
     and exists (select from pool_payouts p where p.txid = new.txid and p.state <> 'refused') then
    raise exception 'Transaction % is the payout of a pool.', new.txid
      using errcode = 'unique_violation', constraint = 'one_deposit_per_payment';
  end if;
  return new;
end
$$;
create trigger deposits_are_not_payouts before update of txid on deposits
  for each row when (new.txid is not null) execute function refuse_payout_as_deposit();
alter table deposits enable always trigger deposits_are_not_payouts;

create function refuse_payout_as_own_money() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('deposits.txid:' || new.txid, 0));
  if exists (select from pool_payouts p where p.txid = new.txid and p.state <> 'refused') then
    raise exception 'Transaction % is the payout of a pool.', new.txid
      using errcode = 'unique_violation', constraint = 'one_payment_is_counted_once';
  end if;
  return new;
end
$$;
create trigger own_money_is_no_payout before insert on adjustments
  for each row when (new.txid is not null) execute function refuse_payout_as_own_money();
alter table adjustments enable always trigger own_money_is_no_payout;

revoke execute on function check_payout_transaction, refuse_payout_as_deposit, refuse_payout_as_own_money from public;
