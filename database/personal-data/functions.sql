-- Closing an account holds its customer's row: what arrives meanwhile comes before, or is refused. The rule holds for the
-- account itself as well, whatever was written about its closing.
call check_rows('customers', 'before update of closed_at when (old.closed_at is null and new.closed_at is not null)',
  'nobody_leaves_while_something_is_owed', 'not something_is_owed(new.id)');
call check_rows('account_closings', 'before insert or update when (new.state in (''leaving'', ''erased''))',
  'closings_wait_while_something_is_owed', 'nobody_leaves_while_something_is_owed', 'not something_is_owed(new.customer_id)');
create or replace trigger ended_closings_stay before update on account_closings for each row
  when (old.state in ('kept', 'erased')) execute function refuse_to_rewrite();

-- What leaves because somebody leaves comes back before he stays. A request holds its closing: it comes before, or is refused.
call check_rows('account_closings', 'before update when (old.state = ''waiting'' and new.state = ''kept'')',
  'whoever_stays_has_no_final_payment', $$not exists (select from withdrawals w where w.customer_id = new.customer_id and w.is_final
     and w.ended_at is null)$$);

-- Asked at the commit, when what the change rests on is written: in the same transaction, so that no earlier change between
-- the same two addresses speaks for this one.
call check_rows('users', 'at commit update of email when old.email is distinct from new.email',
  'emails_change_when_both_addresses_agree', 'emails_change_when_both_addresses_agree: both addresses must agree to a change', $$
  exists (select from email_changes where user_id = new.id and outcome = 'changed'
             and old_email = old.email and new_email = new.email and xmin = pg_current_xact_id()::xid)
  or new.email = new.id || '@erased.invalid' and exists (select from account_closings where customer_id = new.id and state = 'erased')$$);

-- Whether nothing of a coin leaves a customer at a moment, whatever staff decide.
create or replace function payments_are_blocked(p_customer uuid, p_asset text, at timestamptz) returns boolean language sql stable as $$
  select is_frozen(p_customer) or money_held_until(p_customer, at) is not null or is_credit_taken_back(p_customer, p_asset)
$$;

create or replace function guard_withdrawal() returns trigger language plpgsql security definer as $$
declare batch withdrawal_batches; is_paid boolean;
begin
  if tg_op = 'INSERT' then
    perform demand('withdrawals_begin_as_requests', num_nonnulls(new.confirmed_at, new.approved_at, new.broadcast_at) = 0);
    perform demand('withdrawals_need_mfa', has_mfa(new.customer_id));
    perform require_money_may_leave(new.customer_id, new.requested_at);
    perform demand('nothing_leaves_while_a_credit_is_taken_back', not is_credit_taken_back(new.customer_id, new.asset));
    perform demand('ether_goes_nowhere_that_refused_it', not has_reverted_before(new.address, new.asset));
    perform demand('withdrawals_go_to_addresses_of_the_book', exists (
      select from withdrawal_addresses a where a.customer_id = new.customer_id and a.asset = new.asset and a.address = new.address
         and a.removed_at is null and a.usable_from = new.payable_from));
    perform demand('withdrawals_are_debited_once', is_withdrawal_transfer(new.request_transfer_id, new, 'withdrawal-request'));
    perform demand('final_payments_belong_to_a_closing',
      not new.is_final or exists (select from account_closings where customer_id = new.customer_id and state = 'waiting' for share)
        and not exists (select from ledger_accounts
                         where owner_id = new.customer_id and account = 'available' and asset = new.asset and balance <> 0));
    -- A closing can be taken back and asked for again.
    perform demand('one_final_payment_of_a_coin_in_its_time', not new.is_final or not exists (
      select from withdrawals w where w.customer_id = new.customer_id and w.is_final and w.asset = new.asset
         and w.requested_at > new.requested_at - (select final_payment from terms_in_force)
         and w.state not in ('cancelled', 'rejected', 'returned')));
    return new;
  end if;
  if new.state in ('confirmed', 'approved', 'batched') then
    perform require_money_may_leave(new.customer_id, coalesce(
      case new.state when 'confirmed' then new.confirmed_at when 'approved' then new.approved_at end,
      (select formed_at from withdrawal_batches where id = new.batch_id)));
    perform demand('nothing_leaves_while_a_credit_is_taken_back', not is_credit_taken_back(new.customer_id, new.asset));
    perform demand('ether_goes_nowhere_that_refused_it', not has_reverted_before(new.address, new.asset));
  end if;
  perform demand('final_payments_belong_to_a_closing', not new.is_final or new.state not in ('confirmed', 'approved', 'batched')
    or exists (select from account_closings where customer_id = new.customer_id and state = 'waiting' for share));
  perform demand('links_work_in_their_time', new.state <> 'confirmed' or new.confirmed_at <= new.confirm_by);
  perform demand('withdrawals_are_approved_by_staff_acts',
    new.state <> 'approved' or did_as(new.approved_by, new.approved_by_act, 'withdrawals/approve', 'withdrawal:' || new.id));
  select * into batch from withdrawal_batches where id = new.batch_id;
  perform demand('batches_are_of_one_chain', (new.asset = 'BTC') = (batch.chain = 'bitcoin'));
  perform demand('batches_take_what_is_due', new.state <> 'batched' or batch.state = 'formed' and new.due_on <= batch.day
    and new.payable_from <= batch.formed_at and not is_withdrawal_held(new.id, batch.formed_at));
  perform demand('withdrawals_are_broadcast_with_their_batch', new.state <> 'broadcast' or case batch.chain
    when 'bitcoin' then exists (
      select from withdrawal_batch_versions v where v.batch_id = batch.id and v.sent_at is not null and new.id = any (v.pays))
    else exists (select from withdrawal_transactions t where t.withdrawal_id = new.id and t.pays and t.sent_at is not null) end);
  if new.state in ('settled', 'returned') then
    is_paid := case batch.chain
      when 'bitcoin' then batch.state = 'settled' and exists (
        select from withdrawal_batch_versions v where v.id = batch.mined_version_id and new.id = any (v.pays))
      else exists (select from withdrawal_payments p where p.withdrawal_id = new.id and p.outcome = 'paid') end;
    perform demand('withdrawals_are_settled_on_chain', new.state <> 'settled' or is_paid);
    -- Only what can never confirm any more comes back: another transaction has spent the anchor, or taken the nonce.
    perform demand('withdrawals_come_back_when_they_cannot_leave', new.state <> 'returned' or not is_paid and case batch.chain
      when 'bitcoin' then batch.state in ('settled', 'failed')
      else exists (select from withdrawal_payments p where p.withdrawal_id = new.id and p.outcome is not null) end);
  end if;
  perform demand('ended_withdrawals_are_posted',
    new.state not in ('settled', 'cancelled', 'rejected', 'returned') or is_withdrawal_transfer(
      new.end_transfer_id, new, case new.state when 'settled' then 'withdrawal-sent' else 'withdrawal-cancelled' end));
  return new;
end $$;
create or replace trigger withdrawals_rest_on_facts before insert or update on withdrawals for each row execute function guard_withdrawal();

-- As a change of the account does, until it has left: guard_withdrawal_batch_version.
call check_rows('withdrawal_batch_versions', 'before update when (old.ordered_at is null and new.ordered_at is not null)',
  'batches_wait_while_a_credit_is_taken_back', $$not exists (
    select from withdrawals where id = any (new.pays) and state = 'batched' and is_credit_taken_back(customer_id, asset))$$);

create or replace function require_left_remainder(transfer ledger_transfers) returns void language plpgsql as $$
begin
  perform demand('remainders_are_left_by_who_leaves', exists (select from left_remainders r where r.transfer_id = transfer.id));
end $$;

call check_rows('left_remainders', 'before insert', 'remainders_are_left_by_who_leaves', 'remainders_are_left_by_who_leaves',
  'exists (select from account_closings c where c.id = new.closing_id and c.customer_id = new.customer_id and c.state = ''waiting'')',
  'only_what_is_not_worth_sending_is_left', 'new.most_units <= bound(''left'', new.asset)',
  'remainders_are_all_that_is_left', $$
  exists (select from ledger_transfer(new.transfer_id) t where t.kind = 'remainder-left' and t.key = 'remainder-left:' || new.id
             and t.owner_id = new.customer_id
             and t.legs = array[('available', new.asset, -new.units), ('operator_equity', new.asset, new.units)]::ledger_leg[])
  and not exists (select from ledger_accounts a where a.owner_id = new.customer_id and a.asset = new.asset and a.balance <> 0)$$);
-- How much of a coin may still follow what its owner left of it last in a closing, up to what was agreed to then. Null: nothing was left.
create or replace function may_still_follow(p_closing uuid, p_asset text) returns numeric language sql stable as $$
  select l.most_units - l.units - coalesce((
           select sum(f.units) from left_remainders f where f.closing_id = p_closing and f.asset = p_asset and f.follows and f.id > l.id), 0)
    from left_remainders l where l.closing_id = p_closing and l.asset = p_asset and not l.follows order by l.id desc limit 1
$$;

-- It goes in the transaction that closes the account.
call check_rows('left_remainders', 'before insert when (new.follows)', 'what_follows_was_agreed_to', 'what_follows_was_agreed_to',
  'coalesce(new.units <= may_still_follow(new.closing_id, new.asset), false)');
call check_rows('left_remainders', 'at commit insert when new.follows', 'what_follows_goes_as_the_account_closes',
  'what_follows_goes_as_the_account_closes', $$exists (select from account_closings where id = new.closing_id and state <> 'waiting')$$);
call write_once('{left_remainders}', 'remainders_are_written_once');

-- No customer leaves while a payment of theirs is on its way, or a credit is to be taken back. Anybody can send dust to a known address: as
-- long as all of a coin that is on its way is no more than that, it is not waited for.
create or replace function something_else_is_owed(customer uuid) returns boolean language sql stable as $$
  select exists (select from ledger_accounts where owner_id = customer and account <> 'available' and balance <> 0)
      or exists (select from deposits where customer_id = customer and state in ('pending', 'orphaned'))
      or exists (select from deposit_addresses a join chain_payments p on p.address = a.address
                  where a.customer_id = customer and (p.state = 'seen' and coalesce(p.resolved_as, 'customers') = 'customers' or p.counts)
                    and not exists (select from deposits d where d.txid = p.txid and d.state in ('approved', 'orphaned')
                                       and (d.output_index is null or d.output_index = p.output_index))
                  group by p.asset having sum(p.units) > bound('dust', p.asset))
      or exists (select from contracts where customer_id = customer and last_day is null)
      or exists (select from contract_endings where customer_id = customer and settled_at is null)
      or exists (select from mining_chunks where first_customer_id = customer and set_apart_at is not null and posted_at is null)
$$;

create or replace function something_is_owed(customer uuid) returns boolean language sql stable as $$
  select exists (select from ledger_accounts where owner_id = customer and account = 'available' and balance <> 0)
      or something_else_is_owed(customer)
$$;

-- What must stand behind a transfer
insert into ledger_document_checks (kind, of_reversal, place, check_function) values ('remainder-left', false, 1, 'require_left_remainder');
