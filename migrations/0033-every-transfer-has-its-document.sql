-- The journal takes no transfer that nothing stands behind: what withdrawals (0027), purchases (0030), mining (0022), payouts
-- (0019) and the operator's own money (0020) have, deposits, fees of the network and coins put aside get here: by the one
-- trigger that asks at the commit since 0032, when document and transfer are both written.
-- Why: docs/decisions/0032-every-transfer-has-its-document.md.

create function require_deposit(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (
       select from deposits d
        where d.transfer_id = transfer.id and d.customer_id = transfer.owner_id and transfer.key = 'deposit:' || d.id
          and transfer.legs = case d.method when 'Bitcoin' then deposit_legs('BTC', d.quantity_units)
                                            when 'Ethereum' then deposit_legs('ETH', d.quantity_units)
                                            else deposit_legs('USDT', d.quantity_units) end) then
    raise exception 'Coins come in by a deposit that was approved or paid on chain.'
      using errcode = 'check_violation', constraint = 'only_deposits_are_credited';
  end if;
end
$$;

create function deposit_legs(asset text, units numeric) returns ledger_leg[]
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select array[('available', asset, units), ('custody', asset, -units)]::ledger_leg[]
$$;

create function require_deposit_taken_back(reversal ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (
       select from deposits d
        where d.reversal_id = reversal.id and d.transfer_id = reversal.reverses and d.state = 'reversed') then
    raise exception 'A deposit is reversed when its payment counts no longer.'
      using errcode = 'check_violation', constraint = 'deposits_are_reversed_with_their_payment';
  end if;
end
$$;

create function require_settled_batch(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if not (cardinality(transfer.legs) = 2
       and exists (select from withdrawal_batches b where b.fee_transfer_id = transfer.id and b.state = 'settled')) then
    raise exception 'A fee of the network is that of a batch that was mined.'
      using errcode = 'check_violation', constraint = 'only_batches_pay_the_network';
  end if;
end
$$;

-- What is held has its reasons, to the atom: withdrawals that go on, and credits that are to be taken back.
create function require_reasons_of_held(customer uuid) returns void language plpgsql as $$
begin
  if exists (
       select from (values ('BTC', 'Bitcoin'), ('ETH', 'Ethereum'), ('USDT', 'USDT')) coin (asset, method)
        where coalesce((select balance from ledger_accounts a
                         where a.owner_id = customer and a.account = 'held' and a.asset = coin.asset), 0)
           <> (select coalesce(sum(w.units), 0) from withdrawals w
                where w.customer_id = customer and w.asset = coin.asset and w.ended_at is null)
            + (select coalesce(sum(d.held_units), 0) from deposits d
                where d.customer_id = customer and d.method = coin.method and d.held_units > 0)) then
    raise exception 'What is held is held for something, to the atom.'
      using errcode = 'check_violation', constraint = 'what_is_held_has_its_reasons';
  end if;
end
$$;

create function require_left_remainder(transfer ledger_transfers) returns void language plpgsql as $$
begin
  if not exists (select from left_remainders r where r.transfer_id = transfer.id) then
    raise exception 'A remainder is left by who is leaving.'
      using errcode = 'check_violation', constraint = 'remainders_are_left_by_who_leaves';
  end if;
end
$$;

create or replace function require_document() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  reversed text;
begin
  case new.kind
    when 'deposit' then perform require_deposit(new);
    when 'pool-payout' then perform require_payout_evidence(new);
    when 'contract-purchase' then perform require_contract(new);
    when 'goodwill', 'subsidy', 'equity-funding', 'equity-drawing', 'wallet-transfer' then perform require_adjustment(new);
    when 'withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled' then perform require_withdrawal(new);
    when 'network-fee' then perform require_settled_batch(new);
    when 'remainder-left' then perform require_left_remainder(new);
    when 'hold' then perform require_reasons_of_held(new.owner_id);
    when 'hold-release' then
      perform keep_held_for_withdrawals(new);
      perform require_reasons_of_held(new.owner_id);
    when 'reversal' then
      select kind into reversed from ledger_transfers where id = new.reverses;
      case reversed
        when 'deposit' then perform require_deposit_taken_back(new);
        when 'pool-payout' then perform require_payout_correction(new);
        when 'contract-purchase' then perform require_contract_given_back(new);
        when 'goodwill', 'subsidy', 'equity-funding', 'equity-drawing', 'wallet-transfer' then perform require_adjustment(new);
        when 'withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled' then
          raise exception 'What leaves has its withdrawal behind it.'
            using errcode = 'check_violation', constraint = 'transfers_of_withdrawals_have_their_withdrawal';
        when 'hold', 'hold-release', 'network-fee', 'remainder-left' then
          raise exception 'A transfer of the kind % is not reversed.', reversed
            using errcode = 'check_violation', constraint = 'what_nothing_undoes_is_not_reversed';
        else null;
      end case;
      perform keep_held_for_withdrawals(new);
  end case;
  return null;
end
$$;
revoke execute on function require_deposit, require_deposit_taken_back, require_settled_batch, require_reasons_of_held,
  require_left_remainder from public;

drop trigger transfers_have_their_document on ledger_transfers;
create constraint trigger transfers_have_their_document after insert on ledger_transfers
  deferrable initially deferred for each row
  when (new.kind in ('deposit', 'pool-payout', 'contract-purchase', 'goodwill', 'subsidy', 'equity-funding',
                     'withdrawal-request', 'withdrawal-sent', 'withdrawal-cancelled', 'network-fee', 'remainder-left',
                     'hold', 'hold-release', 'reversal'))
  execute function require_document();
alter table ledger_transfers enable always trigger transfers_have_their_document;

create function check_held_by_deposit() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform require_reasons_of_held(new.customer_id);
  return null;
end
$$;
create constraint trigger what_is_put_aside_is_held after update on deposits
  deferrable initially deferred for each row when (new.held_units <> old.held_units)
  execute function check_held_by_deposit();
revoke execute on function check_held_by_deposit from public;

-- Coins are not converted here, so the chart does not list it: whoever builds that lists it again, and asks for its document.
delete from ledger_transfer_kinds where kind = 'conversion';

-- What staff approved follows the chain, too -------------------------------------------------------------------------
-- A slip that staff approved names its transaction. Where that is a payment to one of our addresses, which the chain is watched
-- for, its credit is taken back like any other when the payment leaves the chain. Of a transaction that paid no address of ours
-- nothing is known, and nothing happens by itself.

-- Null: the chain tells nothing of what was credited.
create function is_in_chain(d deposits) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select bool_or(p.counts) from chain_payments p
   where p.customer_id is not null
     and (p.id = d.payment_id
       or d.payment_id is null and p.txid = d.txid and (d.output_index is null or d.output_index = p.output_index)
          and p.asset = case d.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end)
$$;

alter table deposits
  drop constraint deposits_are_decided_by_staff_or_by_a_payment,
  add constraint deposits_are_decided_by_staff_or_by_a_payment
    check (case state
             when 'pending' then num_nonnulls(reviewed_at, review_action_id, payment_id) = 0
             when 'rejected' then reviewed_at is not null and review_action_id is not null and payment_id is null
             else reviewed_at is not null and num_nonnulls(review_action_id, payment_id) = 1 end),
  drop constraint only_approvals_are_valued,
  add constraint only_approvals_are_valued check (price_id is null or state not in ('pending', 'rejected'));

create or replace function check_followed_deposit(before deposits, after deposits) returns void language plpgsql as $$
begin
  if before.state not in ('approved', 'orphaned') or after.state not in ('approved', 'orphaned', 'reversed')
     or to_jsonb(after) - '{state,usd_cents,payment_price_id,orphaned_at,held_units,reversal_id,ruling_id}'::text[]
        <> to_jsonb(before) - '{state,usd_cents,payment_price_id,orphaned_at,held_units,reversal_id,ruling_id}'::text[]
     or before.usd_cents is not null and (after.usd_cents, after.payment_price_id) is distinct from (before.usd_cents, before.payment_price_id)
     or before.payment_id is null and after.ruling_id is null and public.is_in_chain(before) is null then
    raise exception 'Deposit % has been reviewed.', before.id
      using errcode = 'check_violation', constraint = 'deposits_are_reviewed_once';
  end if;
  if after.ruling_id is distinct from before.ruling_id and (before.ruling_id is not null or not exists (
       select from public.payment_rulings r
        where r.id = after.ruling_id and r.deposit_id = after.id and r.state = 'confirmed')) then
    raise exception 'That an approval was a mistake is said by two people, once.'
      using errcode = 'check_violation', constraint = 'mistakes_are_found_by_two_people';
  end if;
  if after.state is distinct from before.state
     and (after.state = 'approved') is distinct from (after.ruling_id is null and public.is_in_chain(after)) then
    raise exception 'A credit is taken back when its block has left the chain, or two people said that it was the operator''s or a mistake, and only then.'
      using errcode = 'check_violation', constraint = 'credits_follow_the_chain';
  end if;
  if after.state = 'reversed' and not exists (
       select from public.ledger_transfers t where t.id = after.reversal_id and t.reverses = after.transfer_id) then
    raise exception 'A reversed deposit has the transfer that reverses it.'
      using errcode = 'check_violation', constraint = 'reversed_deposits_are_reversed_in_the_journal';
  end if;
end
$$;

-- What no transaction can carry --------------------------------------------------------------------------------------
-- Nodes relay no output below 546 satoshis, so the last of an account can be too little to be sent. Who leaves may leave it to
-- the operator, as a transfer of its own kind that says so; nobody else can, and nobody can be made to.

insert into ledger_transfer_kinds (kind, debits, credits) values ('remainder-left', '{available}', '{operator_equity}');

create table left_remainders (
  id uuid primary key,
  customer_id uuid not null references customers,
  closing_id uuid not null references account_closings,
  asset text not null constraint remainders_are_of_bitcoin check (asset = 'BTC'),
  units numeric(38, 0) not null constraint only_what_cannot_be_sent_is_left check (units between 1 and 545),
  left_at timestamptz not null,
  transfer_id uuid not null references ledger_transfers (id) constraint one_remainder_per_transfer unique
);
create index left_remainders_of_a_customer on left_remainders (customer_id);

create function check_left_remainder() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from account_closings c
                  where c.id = new.closing_id and c.customer_id = new.customer_id and c.state = 'waiting') then
    raise exception 'A remainder is left by who is leaving.'
      using errcode = 'check_violation', constraint = 'remainders_are_left_by_who_leaves';
  end if;
  if not exists (select from ledger_transfers t
                  where t.id = new.transfer_id and t.kind = 'remainder-left' and t.key = 'remainder-left:' || new.id
                    and t.owner_id = new.customer_id
                    and t.legs = array[('available', new.asset, -new.units), ('operator_equity', new.asset, new.units)]::ledger_leg[])
     or exists (select from ledger_accounts a where a.owner_id = new.customer_id and a.asset = new.asset and a.balance <> 0) then
    raise exception 'A remainder is all that is left of a coin, and is posted.'
      using errcode = 'check_violation', constraint = 'remainders_are_all_that_is_left';
  end if;
  return new;
end
$$;
create trigger remainders_are_left_by_who_leaves before insert on left_remainders
  for each row execute function check_left_remainder();
create trigger remainders_are_written_once before update or delete or truncate on left_remainders
  for each statement execute function refuse_to_rewrite('remainders_are_written_once');
alter table left_remainders enable always trigger remainders_are_left_by_who_leaves;
alter table left_remainders enable always trigger remainders_are_written_once;

revoke execute on function check_left_remainder from public;
grant select, insert on left_remainders to assay_app;

-- What the machine reads beside what people count ---------------------------------------------------------------------
-- Once a day the node is asked what lies in the wallets whose public keys are known here. Nobody types it, and it says nothing of
-- coverage: coins may lie in wallets that are not known. Whoever counts, and whoever checks a count, finds it beside.

create table wallet_readings (
  wallet_id uuid not null references wallets,
  day date not null,
  asset text collate "C" not null constraint readings_are_of_bitcoin check (asset = 'BTC'),
  units numeric(38, 0) not null constraint readings_are_not_below_zero check (units >= 0),
  outputs integer not null constraint readings_count_outputs check (outputs >= 0),
  block_height integer not null,
  block_hash text collate "C" not null,
  read_at timestamptz not null,
  custody_units numeric(38, 0) not null,
  constraint one_reading_per_wallet_and_day primary key (wallet_id, day),
  constraint readings_are_of_their_day check (day = (read_at at time zone 'UTC')::date)
);

-- Nobody types the journal's half: it is asked here.
create function compare_reading() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.custody_units := (select c.units from custody_at(new.read_at) c where c.asset = new.asset);
  return new;
end
$$;
create trigger readings_are_compared_with_the_journal before insert on wallet_readings
  for each row execute function compare_reading();
create trigger readings_are_written_once before update or delete or truncate on wallet_readings
  for each statement execute function refuse_to_rewrite('readings_are_written_once');
revoke execute on function compare_reading from public;
grant select, insert on wallet_readings to assay_app;
