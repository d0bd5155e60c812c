call check_rows('withdrawal_addresses', 'before delete', 'addresses_go_with_the_account',
  'exists (select from customers where id = old.customer_id and closed_at is not null)');
call change_only('withdrawal_addresses', 'addresses_in_the_book_are_never_rewritten', 'label', once => 'removed_at');
create or replace trigger removed_addresses_stay_removed before update on withdrawal_addresses
  for each row when (old.removed_at is not null) execute function refuse_to_rewrite();

-- Whether a hold keeps a withdrawal at a moment. Holds end by themselves.
create or replace function is_withdrawal_held(withdrawal uuid, at timestamptz) returns boolean language sql stable security definer as $$
  select exists (select from withdrawal_holds where withdrawal_id = withdrawal and lifted_at is null and ends_at > at)
$$;

call change_only('withdrawal_holds', 'holds_are_never_rewritten', once => 'lifted_by lifted_by_act lifted_at');
call check_rows('withdrawal_holds', 'before update', 'holds_are_lifted_by_staff_acts', 'holds_are_staff_acts',
  $$did_as(new.lifted_by, new.lifted_by_act, 'withdrawals/lift-hold', 'withdrawal:' || new.withdrawal_id)$$);
call check_rows('withdrawal_holds', 'before insert', 'holds_are_placed_by_staff_acts',
  'holds_are_staff_acts', $$new.lifted_at is null
    and did_as(new.placed_by, new.placed_by_act, 'withdrawals/place-hold', 'withdrawal:' || new.withdrawal_id)$$,
  -- Locked: two holds at once wait for each other, and for a batch that takes it.
  'holds_come_before_the_batch', $$exists (
    select from withdrawals where id = new.withdrawal_id and state in ('requested', 'confirmed', 'approved') for update)$$,
  'one_hold_at_a_time', 'not is_withdrawal_held(new.withdrawal_id, new.placed_at)',
  'holds_end_within_thirty_days', $$
    new.ends_at <= (select coalesce(min(placed_at), new.placed_at) + (select withdrawal_hold from terms_in_force)
                      from withdrawal_holds where withdrawal_id = new.withdrawal_id)$$);

-- Whether a contract at an address refused a payment of ether in a block, at the cost of the house. Contracts can tell a simulation from a
-- block, so no estimate protects from the second one.
create or replace function has_reverted_before(p_address text, p_asset text) returns boolean language sql stable security definer as $$
  select p_asset = 'ETH' and exists (
    select from withdrawals w join withdrawal_payments p on p.withdrawal_id = w.id
     where w.address = p_address and w.asset = 'ETH' and p.outcome = 'reverted')
$$;

-- Whether a transfer says of a withdrawal what it shall, and does nothing else.
create or replace function is_withdrawal_transfer(transfer uuid, w withdrawals, wanted_kind text) returns boolean
language sql stable security definer as $$
  select exists (
    select from ledger_transfer(transfer) t
     where t.kind = wanted_kind and t.owner_id = w.customer_id and t.key = wanted_kind || ':' || w.id
       and t.legs = case wanted_kind
         when 'withdrawal-request' then array[('available', w.asset, -w.units), ('held', w.asset, w.units)]::ledger_leg[]
         when 'withdrawal-cancelled' then array[('available', w.asset, w.units), ('held', w.asset, -w.units)]::ledger_leg[]
         else array[('custody', w.asset, w.units - w.fee_units), ('held', w.asset, -w.units)]::ledger_leg[]
           || case when w.fee_units > 0 then array[('withdrawal_fee_revenue', w.asset, w.fee_units)]::ledger_leg[] else '{}' end end)
$$;

-- Whether a transfer pays the network so much of the house's coins, for a batch or a payment, and does nothing else.
create or replace function is_network_fee(transfer uuid, paid_for uuid, asset text, units numeric) returns boolean
language sql stable security definer as $$
  select exists (
    select from ledger_transfer(transfer) t
     where t.kind = 'network-fee' and t.key = 'network-fee:' || paid_for and t.owner_id = '00000000-0000-0000-0000-000000000000'
       and t.legs = array[('custody', asset, units), ('network_fee_expense', asset, -units)]::ledger_leg[])
$$;

call change_only('withdrawal_batches', 'batches_are_never_rewritten',
  'state broadcast_at mined_height mined_hash mined_version_id ended_at fee_transfer_id anchor_gone_height searched_height '
  'searched_hash abandonment_id');
create or replace trigger batches_move_forward before update on withdrawal_batches
  for each row execute function move_forward('formed: formed broadcast settled failed', 'broadcast: broadcast settled failed');
call check_rows('withdrawal_batches', 'before insert or update', 'batches_rest_on_facts',
  'batches_are_formed_by_staff_acts', $$
    tg_op = 'UPDATE' or new.state = 'formed' and did_as(new.formed_by, new.formed_by_act, case new.purpose
      when 'consolidation' then 'withdrawals/consolidate' else 'withdrawals/form-batch' end, 'withdrawal-batch:' || new.id)$$,
  'batches_are_broadcast_as_a_version', $$new.state <> 'broadcast' or exists (
    select from withdrawal_batch_versions v left join withdrawal_transactions t on t.version_id = v.id
     where v.batch_id = new.id and coalesce(v.sent_at, t.sent_at) is not null)$$,
  'batches_end_with_their_payments', $$new.chain <> 'ethereum' or new.state not in ('settled', 'failed') or (
    not exists (select from withdrawal_payments p where p.batch_id = new.id and p.ended_at is null)
    and (new.state = 'settled') = exists (select from withdrawal_payments p where p.batch_id = new.id and p.outcome = 'paid'))$$,
  'batches_are_abandoned_by_two_people', $$
    new.abandonment_id is null or (new.state = 'failed' and new.mined_hash is null and may_be_abandoned(new)
      and exists (select from withdrawal_abandonments a
                   where a.id = new.abandonment_id and a.batch_id = new.id and a.state = 'confirmed'))$$,
  'settled_batches_post_their_fee', $$new.chain <> 'bitcoin' or new.state <> 'settled' or exists (
    select from withdrawal_batch_versions v
     where v.id = new.mined_version_id and is_network_fee(new.fee_transfer_id, new.id, 'BTC', v.fee_units))$$);

-- What leaves by versions of batches, coin by coin, and whether the last of them takes of that coin: the payments, each once, and of each batch
-- the highest fee; on Ethereum of each payment, and that is the most that the network can take.
create or replace function sum_leaving(versions withdrawal_batch_versions[])
returns table (asset text, units numeric, of_last boolean) language sql stable as $$
  with v as (select * from unnest(versions) with ordinality as v), newest as (select * from v order by ordinality desc limit 1)
  select leaving.asset, sum(leaving.units), bool_or(leaving.of_last) from (
    select w.asset, w.units - w.fee_units as units, w.id = any (newest.pays) as of_last from withdrawals w, newest
     where w.id in (select unnest(v.pays) from v)
    union all
    select 'BTC', max(v.fee_units), bool_or(v.id = newest.id) from v, newest where v.txid is not null group by v.batch_id
    union all
    select 'ETH', max(t.gas_limit * v.max_fee_per_gas), bool_or(v.id = newest.id)
      from v join withdrawal_transactions t on t.version_id = v.id, newest group by t.withdrawal_id) leaving
   group by leaving.asset
$$;

-- Whether somebody else orders what a person formed or built, as soon as somebody else could: with what that person formed, built and ordered
-- alone within 24 hours of PostgreSQL's clock more leaves than one may send, fees included. Many small batches are one large one. A version that
-- pays nobody moves coins as a consolidation does, which takes two people.
create or replace function payments_need_two(p_person uuid, p_version withdrawal_batch_versions) returns boolean language sql stable as $$
  select another_person_decides(p_person) and (cardinality(p_version.pays) = 0 or exists (
    select from sum_leaving(array(select v from withdrawal_batch_versions v
                                   where v.alone_at > clock_timestamp() - interval '24 hours' and v.ordered_by = p_person) || p_version) s
     where s.units > bound('orderedAlone', s.asset) and s.of_last))
$$;

-- The output that carries the digest of a day: no value, and OP_RETURN with one push of 36 bytes, `ASAY` and the digest.
create or replace function mark_output(digest bytea) returns bytea language sql immutable as $$
  select '\x0000000000000000266a2441534159'::bytea || digest
$$;

-- A batch may wait for days between being formed and being sent: who is frozen meanwhile, or changes a way in, is not paid.
-- What has left already is out of reach: a higher fee for it is held back by a freeze alone.
create or replace function guard_withdrawal_batch_version() returns trigger language plpgsql security definer as $$
declare
  batch withdrawal_batches;
  subject text := 'withdrawal-batch:' || new.batch_id;
  is_signed boolean := new.signed_at is not null and old.signed_at is null;
  is_ordered boolean := new.ordered_at is not null and old.ordered_at is null;
  is_alone boolean;
begin
  select * into batch from withdrawal_batches where id = new.batch_id for update;
  if tg_op = 'INSERT' then
    new.alone_at := null;
    perform demand('preparers_build', exists (select from operators where id = new.made_by and state = 'active' and role in ('treasurer', 'owner'))
      and (new.number > 1 or new.made_by = batch.formed_by));
    perform demand('versions_are_built_by_staff_acts',
      did_as(new.made_by, new.made_by_act, case when new.number > 1 then 'withdrawals/rebuild-batch'
                      when batch.purpose = 'consolidation' then 'withdrawals/consolidate' else 'withdrawals/form-batch' end, subject)
      and num_nonnulls(new.raw, new.ordered_at, new.sent_at) = 0);
    perform demand('versions_follow_each_other',
      batch.state in ('formed', 'broadcast')
      and new.number = 1 + (select count(*) from withdrawal_batch_versions where batch_id = new.batch_id));
    perform demand('versions_exclude_each_other', case batch.chain
      when 'bitcoin' then batch.anchor_txid || ':' || batch.anchor_vout = any (new.spends) and new.spends <@ array(
        select txid || ':' || vout from withdrawal_batch_coins where batch_id = new.batch_id and released_at is null)
      else cardinality(new.spends) <> 0 and new.spends <@ array(
        select hot_wallet || ':' || nonce from withdrawal_payments where batch_id = new.batch_id and ended_at is null) end);
    perform demand('versions_are_of_their_chain', (new.txid is null) = (batch.chain = 'ethereum'));
    perform demand('versions_pay_their_batch',
      new.pays <@ array(select id from withdrawals where batch_id = new.batch_id and ended_at is null));
    perform demand('versions_balance',
      batch.chain <> 'bitcoin' or (
        select sum(c.units) from withdrawal_batch_coins c
         where c.batch_id = new.batch_id and c.txid || ':' || c.vout = any (new.spends))
      = new.fee_units + new.change_units
        + (select coalesce(sum(w.units - w.fee_units), 0) from withdrawals w where w.id = any (new.pays)));
    perform demand('versions_carry_the_newest_digest',
      new.mark is not distinct from case when batch.chain = 'bitcoin' and cardinality(new.pays) > 0 then newest_digest() end
      and (new.mark is null or position(mark_output(new.mark) in new.unsigned) > 0));
    -- Of Ethereum it is said by the gas of its transactions, once there are any.
    perform demand('fees_are_usual', batch.chain <> 'bitcoin' or new.fee_units <= bound('smallFee', 'BTC') or new.fee_units * 10 <=
      coalesce((select sum(w.units - w.fee_units) from withdrawals w where w.id = any (new.pays)), new.change_units));
    return new;
  end if;
  perform demand('versions_go_on_by_staff_acts',
    (not is_signed or did_as(new.signed_by, new.signed_by_act, 'withdrawals/upload-signed', subject))
    and (not is_ordered or did_as(new.ordered_by, new.ordered_by_act, 'withdrawals/order-broadcast', subject)));
  perform demand('versions_are_signed_with_their_mark',
    new.raw is null or new.mark is null or position(mark_output(new.mark) in new.raw) > 0);
  perform demand('versions_are_signed_as_a_whole', batch.chain <> 'ethereum' or new.signed_at is null or cardinality(new.spends) = (
    select count(*) from withdrawal_transactions where version_id = new.id and raw is not null));
  perform demand('versions_name_the_most_that_gas_can_cost', batch.chain <> 'ethereum' or not is_signed or new.fee_units = (
    select sum(gas_limit) * new.max_fee_per_gas from withdrawal_transactions where version_id = new.id));
  if is_ordered then
    is_alone := new.ordered_by in (batch.formed_by, new.made_by);
    perform demand('approvers_order', is_decider(new.ordered_by));
    perform demand('who_is_alone_has_no_colleague', not another_person_decides(new.ordered_by)
      or not exists (select from audit_log where id = new.ordered_by_act and detail ? 'alone'));
    perform lock_fact('withdrawals.alone:' || new.ordered_by) where is_alone;
    perform demand('large_batches_need_two_people',
      not is_alone or not batch.needs_two and not payments_need_two(new.ordered_by, new));
    new.alone_at := case when is_alone then clock_timestamp() end;
    -- Waits for changes of their accounts that are under way.
    perform from users where id in (select customer_id from withdrawals where id = any (new.pays)) order by id for share;
    perform demand('batches_pay_no_frozen_account',
      not exists (select from withdrawals where id = any (new.pays) and is_frozen(customer_id)));
    perform demand('batches_wait_for_a_day_after_a_change',
      not exists (select from withdrawals
                   where id = any (new.pays) and state = 'batched' and money_held_until(customer_id, new.ordered_at) is not null));
  end if;
  return new;
end $$;
call change_only('withdrawal_batch_versions', 'versions_are_never_rewritten',
  'fault', once => 'raw signed_by signed_by_act signed_at ordered_by ordered_by_act ordered_at sent_at');
create or replace function note_own_transaction() returns trigger language plpgsql security definer as $$
begin
  insert into own_transactions values (new.txid) on conflict do nothing;
  return null;
end $$;
create or replace trigger versions_are_own_transactions after insert on withdrawal_batch_versions
  for each row when (new.txid is not null) execute function note_own_transaction();
create or replace trigger versions_rest_on_facts before insert or update on withdrawal_batch_versions
  for each row execute function guard_withdrawal_batch_version();

-- What must explain the transfers of withdrawals. A batch pays the network's fee; on Ethereum each payment does.
create or replace function require_withdrawal(transfer ledger_transfers) returns void language sql as $$
  select demand('transfers_of_withdrawals_have_their_withdrawal',
    transfer.kind in ('network-fee', 'hold-release')
    or exists (select from withdrawals where request_transfer_id = transfer.id and transfer.kind = 'withdrawal-request')
    or exists (select from withdrawals where end_transfer_id = transfer.id
                  and transfer.kind = case state when 'settled' then 'withdrawal-sent' else 'withdrawal-cancelled' end));
  select demand('only_batches_pay_the_network',
    transfer.kind <> 'network-fee'
    or exists (select from withdrawal_batches where fee_transfer_id = transfer.id and state = 'settled')
    or exists (select from withdrawal_payments where fee_transfer_id = transfer.id and ended_at is not null));
  select demand('what_is_held_for_withdrawals_stays', transfer.kind <> 'hold-release' or not exists (
    select from withdrawals w where w.customer_id = transfer.owner_id and w.ended_at is null group by w.asset
    having sum(w.units) > coalesce((select a.balance from ledger_accounts a
                                     where a.owner_id = transfer.owner_id and a.account = 'held' and a.asset = w.asset), 0)));
$$;
insert into ledger_document_checks (kind, of_reversal, place, check_function) values
  ('withdrawal-request', false, 1, 'require_withdrawal'), ('withdrawal-request', true, 1, 'require_withdrawal'),
  ('withdrawal-sent', false, 1, 'require_withdrawal'), ('withdrawal-sent', true, 1, 'require_withdrawal'),
  ('withdrawal-cancelled', false, 1, 'require_withdrawal'), ('withdrawal-cancelled', true, 1, 'require_withdrawal'),
  ('network-fee', false, 1, 'require_withdrawal'), ('hold-release', false, 1, 'require_withdrawal');

call change_only('withdrawal_payments', 'payments_keep_their_nonce',
  'mined_height mined_hash mined_txid outcome fee_units fee_transfer_id fault resolution_id ended_at');
-- A payment follows what blocks say of it. What is odd ends by a resolution on the transaction that has taken its nonce.
call check_rows('withdrawal_payments', 'before insert or update', 'payments_rest_on_facts',
  'payments_belong_to_their_batch', $$
    tg_op = 'UPDATE' or num_nonnulls(new.mined_hash, new.outcome, new.fee_units, new.fault, new.resolution_id) = 0 and exists (
      select from withdrawals w join withdrawal_batches b on b.id = w.batch_id
       where w.id = new.withdrawal_id and b.id = new.batch_id and b.state = 'formed' and b.chain = 'ethereum'
         and b.chain_id = new.chain_id and b.hot_wallet = new.hot_wallet and (w.asset = 'ETH') = (new.token is null))$$,
  'payments_end_once', 'old.ended_at is null',
  'payment_exceptions_end_by_two_people', $$(new.resolution_id is null and (new.outcome is null or old.fault is null)) or exists (
    select from withdrawal_resolutions r
     where r.id = new.resolution_id and r.withdrawal_id = new.withdrawal_id and r.state = 'confirmed'
       and r.says = new.outcome and r.txid = new.mined_txid and old.fault is not null)$$,
  'payments_are_abandoned_with_their_batch: A payment is abandoned with its batch, by two people.', $$
    new.outcome <> 'abandoned' or exists (
      select from withdrawal_abandonments a join withdrawal_batches b on b.id = a.batch_id
       where a.batch_id = new.batch_id and a.state = 'confirmed' and may_be_abandoned(b))$$,
  'ended_payments_post_their_fee',
  'new.fee_transfer_id is null or is_network_fee(new.fee_transfer_id, new.withdrawal_id, ''ETH'', new.fee_units)');

call change_only('withdrawal_transactions', 'transactions_are_never_rewritten', 'fault', once => 'raw txid sent_at');
call check_rows('withdrawal_transactions', 'before insert or update', 'transactions_rest_on_facts',
  'transactions_belong_to_their_version', $$tg_op = 'UPDATE' or new.raw is null and exists (
    select from withdrawal_batch_versions v join withdrawal_payments p on p.batch_id = v.batch_id
     where v.id = new.version_id and v.signed_at is null and new.pays = (new.withdrawal_id = any (v.pays))
       and p.withdrawal_id = new.withdrawal_id and p.hot_wallet || ':' || p.nonce = any (v.spends))$$,
  'only_ordered_transactions_are_sent', $$
    new.sent_at is null or exists (select from withdrawal_batch_versions where id = new.version_id and ordered_at is not null)$$);

call check_rows('withdrawal_resolutions', 'before insert', 'resolutions_are_on_payment_exceptions',
  'resolutions_are_about_payment_exceptions', $$
  exists (select from withdrawal_payments p
           where p.withdrawal_id = new.withdrawal_id and p.ended_at is null and p.fault is not null and p.mined_txid = new.txid)$$);
create or replace trigger resolutions_are_decided_once before insert or update on withdrawal_resolutions
  for each row execute function guard_what_two_decide('resolutions_begin_as_proposals', 'resolutions_are_decided_by_staff_acts',
    'withdrawal:', 'withdrawal_id', '', 'new>open withdrawals/propose-resolution', 'open>confirmed withdrawals/confirm-resolution',
    'open>declined withdrawals/decline-resolution');

-- Whether no version of a batch can be mined: its anchor has been gone for 100 blocks, or no version was taken away to be signed.
create or replace function may_be_abandoned(batch withdrawal_batches) returns boolean language sql stable security definer as $$
  select coalesce(batch.searched_height - batch.anchor_gone_height >= 100, false)
    or not exists (select from withdrawal_batch_versions v where v.batch_id = batch.id and v.signed_at is not null)
       and not exists (select from audit_log a where a.subject = 'withdrawal-batch:' || batch.id and a.act = 'withdrawals/download-psbt')
$$;

-- Runs before `abandonments_are_decided_once`: the batch is locked before anything else is, so a version that is being taken away or
-- brought back is waited for. What was confirmed can be called off until it is carried out: the payment may have come back.
call check_rows('withdrawal_abandonments', 'before insert or update', 'abandonments_are_about_lost_batches',
  'abandonments_are_decided_once', $$
    (select ended_at is null or old.state is distinct from 'confirmed' from withdrawal_batches where id = new.batch_id for update)$$,
  'abandonments_are_about_lost_batches', $$tg_op = 'UPDATE' or exists (
    select from withdrawal_batches b where b.id = new.batch_id and b.ended_at is null and may_be_abandoned(b))$$);
create or replace trigger abandonments_are_decided_once before insert or update on withdrawal_abandonments
  for each row execute function guard_what_two_decide('abandonments_begin_as_proposals', 'abandonments_are_decided_by_staff_acts',
    'withdrawal-batch:', 'batch_id', '', 'new>open withdrawals/propose-abandonment', 'open>confirmed withdrawals/confirm-abandonment',
    'open>declined withdrawals/decline-abandonment', 'confirmed>declined withdrawals/decline-abandonment');

call check_rows('withdrawal_addresses', 'before insert', 'closed_accounts_add_no_address',
  '(select closed_at is null from customers where id = new.customer_id for share)');
call name_act('coin_scans', 'asked_by_act', 'withdrawals/look-for-coins', 'wallet:', 'wallet_id', 'asked_by');
call keep_rows('{withdrawal_batches,withdrawal_batch_versions,withdrawals,withdrawal_holds,withdrawal_payments,'
  'withdrawal_transactions,withdrawal_resolutions,withdrawal_abandonments}');
call change_only('withdrawals', 'requests_are_never_rewritten',
  'state confirmed_at broadcast_at ended_at ended_by ended_by_act reason end_transfer_id',
  once => 'approved_by approved_by_act approved_at batch_id');
create or replace trigger withdrawals_move_forward before insert or update on withdrawals
  for each row execute function move_forward('new: requested', 'requested: confirmed cancelled rejected',
    'confirmed: approved cancelled rejected', 'approved: batched cancelled rejected', 'batched: broadcast settled returned',
    'broadcast: settled returned');
call check_rows('withdrawals', 'before insert', 'closed_accounts_withdraw_nothing',
  'closed_accounts_withdraw_nothing', '(select closed_at is null from customers where id = new.customer_id for share)',
  -- That of the other coins is in the configuration.
  'withdrawals_have_a_minimum', $$
    new.is_final or new.asset <> 'BTC' or exists (select from terms_in_force where new.units >= minimum_withdrawal_sats)$$);
call name_act('withdrawals', 'ended_by_act', 'withdrawals/reject', 'withdrawal:', 'id');

grant execute on function is_withdrawal_held, may_be_abandoned, has_reverted_before to assay_app;
