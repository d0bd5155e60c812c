-- A payment that cannot be credited, or that was never the customer's, ends by two people: it is the customer's and is credited, it
-- was the operator's and its credit is taken back, or it is set aside and asked for no more. And a deposit that staff approved by
-- mistake is taken back by two.
-- docs/decisions/0059-two-people-say-whose-a-payment-is.md and 0068-two-people-take-back-a-mistaken-approval.md say why.

create table payment_rulings (
  id uuid primary key,
  says text not null
    constraint payment_rulings_say_a_listed_thing check (says in ('customers', 'operators', 'set-aside', 'mistaken')),
  -- What was approved by mistake. The others are about payments: ruled_payments.
  deposit_id uuid references deposits,
  reason text not null
    constraint payment_rulings_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open'
    constraint payment_rulings_are_in_a_known_state check (state in ('open', 'confirmed', 'declined')),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null references audit_log constraint one_payment_ruling_per_proposing_act unique,
  proposed_at timestamptz not null,
  decided_by uuid references operators,
  decided_by_act uuid references audit_log constraint one_decision_on_a_payment_ruling_per_act unique,
  decided_at timestamptz,
  constraint decided_payment_rulings_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint payment_rulings_need_two_people check (state <> 'confirmed' or decided_by <> proposed_by),
  constraint mistakes_are_about_a_deposit check ((says = 'mistaken') = (deposit_id is not null))
);
create unique index one_ruling_of_a_deposit on payment_rulings (deposit_id) where state <> 'declined';
create index payment_rulings_that_wait on payment_rulings (proposed_at) where state = 'open';
create index payment_rulings_newest_first on payment_rulings (proposed_at desc, id desc);

-- What a ruling is about, as it was proposed: a sender of dust is one ruling, however many payments there are.
create table ruled_payments (
  ruling_id uuid not null references payment_rulings,
  payment_id uuid not null references chain_payments,
  constraint one_row_per_ruling_and_payment primary key (ruling_id, payment_id)
);
create index ruled_payments_of_a_payment on ruled_payments (payment_id);

alter table chain_payments add constraint rulings_of_payments_exist foreign key (ruling_id) references payment_rulings;

-- By what two people said that it was approved by mistake: since then it is to be taken back.
alter table deposits
  add column ruling_id uuid references payment_rulings constraint one_deposit_per_ruling unique,
  add constraint only_approvals_by_staff_are_mistaken
    check (ruling_id is null or review_action_id is not null and state in ('approved', 'orphaned', 'reversed'));
create index deposits_approved_by_mistake on deposits (id) where ruling_id is not null and state in ('approved', 'orphaned');

-- Whether a payment is in the ledger as its customer's, or was and is being taken back.
create function is_credited(payment chain_payments) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select payment.settled_at is not null or exists (
    select from deposits d
     where d.txid = payment.txid and d.customer_id = payment.customer_id and d.state in ('approved', 'orphaned')
       and payment.asset = case d.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end
       and (d.output_index is null or d.output_index = payment.output_index)
       and (d.payment_id is null or d.payment_id = payment.id))
$$;

-- Which payments a ruling is about, as the acts of the two people name them.
create function sha256_of_ruled(p_ruling uuid) returns text
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select encode(sha256(convert_to(string_agg(payment_id::text, E'\n' order by payment_id), 'UTF8')), 'hex')
    from ruled_payments where ruling_id = p_ruling
$$;

create function guard_payment_ruling() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  subject text := 'payment-ruling:' || new.id;
  deposit deposits;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'open' or not did_as(new.proposed_by, new.proposed_by_act, 'deposits/propose-ruling', subject) then
      raise exception 'A ruling begins as a proposal by staff.'
        using errcode = 'check_violation', constraint = 'payment_rulings_begin_as_proposals';
    end if;
    if new.says = 'mistaken' then
      select * into deposit from deposits where id = new.deposit_id for update;
      if deposit.state is distinct from 'approved' or deposit.review_action_id is null then
        raise exception 'Only what staff approved was approved by mistake.'
          using errcode = 'check_violation', constraint = 'mistakes_are_about_approvals';
      end if;
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{state,decided_by,decided_by_act,decided_at}'::text[] <> to_jsonb(old) - '{state,decided_by,decided_by_act,decided_at}'::text[]
     or old.state <> 'open' or new.state = 'open' then
    raise exception 'A ruling is decided once and never rewritten.'
      using errcode = 'check_violation', constraint = 'payment_rulings_are_decided_once';
  end if;
  if not did_as(new.decided_by, new.decided_by_act,
                case new.state when 'confirmed' then 'deposits/confirm-ruling' else 'deposits/decline-ruling' end, subject) then
    raise exception 'A ruling is decided by an act of staff.'
      using errcode = 'check_violation', constraint = 'payment_rulings_are_decided_by_staff_acts';
  end if;
  if new.state = 'confirmed' then
    perform require_proposer_is_staff(new.proposed_by);
  end if;
  if new.state = 'confirmed' and not exists (
       select from audit_log a
        where a.id = new.decided_by_act
          and case when new.deposit_id is null then a.detail ->> 'sha256OfPayments' = sha256_of_ruled(new.id)
                   else a.detail ->> 'depositId' = new.deposit_id::text end) then
    raise exception 'A ruling is confirmed for what it names, and nothing else.'
      using errcode = 'check_violation', constraint = 'rulings_are_confirmed_for_what_they_name';
  end if;
  return new;
end
$$;
create trigger payment_rulings_are_decided_once before insert or update on payment_rulings
  for each row execute function guard_payment_ruling();
create trigger payment_rulings_are_kept before delete or truncate on payment_rulings
  for each statement execute function refuse_to_rewrite('payment_rulings_are_kept');

create function guard_ruled_payment() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payment chain_payments;
  wanted text;
begin
  -- Two who propose for one payment at once wait for each other here.
  select * into payment from chain_payments where id = new.payment_id for update;
  select says into wanted from payment_rulings where id = new.ruling_id and state = 'open';
  if wanted is null then
    raise exception 'A ruling says at once what it is about.'
      using errcode = 'check_violation', constraint = 'payment_rulings_are_decided_once';
  end if;
  if coalesce(payment.ruled_as, 'customers') <> 'customers' or exists (
       select from ruled_payments of_it join payment_rulings r on r.id = of_it.ruling_id
        where of_it.payment_id = new.payment_id and of_it.ruling_id <> new.ruling_id and r.state = 'open') then
    raise exception 'A payment is in one ruling at a time.'
      using errcode = 'unique_violation', constraint = 'one_ruling_of_a_payment';
  end if;
  if payment.customer_id is null and wanted <> 'set-aside' then
    raise exception 'A payment that is no customer''s is recorded as what it was, or set aside.'
      using errcode = 'check_violation', constraint = 'only_customers_payments_are_theirs_or_not';
  end if;
  -- What is credited is the customer's, or was the operator's: nothing in between.
  if wanted <> 'operators' and is_credited(payment) then
    raise exception 'A credited payment needs no ruling, unless it was the operator''s.'
      using errcode = 'check_violation', constraint = 'credited_payments_can_only_be_the_operators';
  end if;
  -- A slip that was approved for a whole transaction before it was seen may stand for several payments: none of them is taken back alone.
  if wanted = 'operators' and exists (
       select from deposits d join chain_payments p on p.txid = d.txid and p.asset = payment.asset and p.customer_id is not null and p.counts
        where d.txid = payment.txid and d.payment_id is null and d.output_index is null and d.state in ('approved', 'orphaned')
          and payment.asset = case d.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end
       having count(*) > 1) then
    raise exception 'What was approved for several payments together was approved by mistake.'
      using errcode = 'check_violation', constraint = 'payments_of_one_approval_are_not_parted';
  end if;
  return new;
end
$$;
create trigger ruled_payments_are_free before insert on ruled_payments
  for each row execute function guard_ruled_payment();
-- All at once, as the person who proposed said it: what a colleague reads does not grow until it is confirmed.
create function check_ruled_payments() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
       select from (select distinct ruling_id as id from added) each
         join payment_rulings r on r.id = each.id join audit_log a on a.id = r.proposed_by_act
        where a.detail ->> 'sha256OfPayments' is distinct from sha256_of_ruled(r.id)) then
    raise exception 'A ruling is about the payments that its proposal names.'
      using errcode = 'check_violation', constraint = 'rulings_name_their_payments_at_once';
  end if;
  return null;
end
$$;
create trigger rulings_name_their_payments_at_once after insert on ruled_payments
  referencing new table as added for each statement execute function check_ruled_payments();
create trigger ruled_payments_are_kept before update or delete or truncate on ruled_payments
  for each statement execute function refuse_to_rewrite('ruled_payments_are_kept');

-- What refused a payment may be gone: then it is asked for again at once. One that is being settled at this moment is left to whoever
-- does that, and asked for again with its own time.
create function ask_payments_again(p_txid text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update chain_payments set ask_at = seen_at
   where id in (select p.id from chain_payments p
                 where p.chain in ('bitcoin', 'ethereum') and p.txid = p_txid and p.refusals > 0
                   for update skip locked);
end
$$;

create function ask_again_of_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
create trigger payments_are_asked_again_after_a_reversal after update of state on deposits
  for each row when (new.state = 'reversed') execute function ask_again_of_changed();
create trigger payments_are_asked_again_after_a_decision after update of state on adjustments
  for each row when (new.state in ('rejected', 'withdrawn') or new.kind = 'reversal') execute function ask_again_of_changed();
create trigger payments_are_asked_again_after_a_payout after update of state on pool_payouts
  for each row when (new.state = 'refused' or new.corrects is not null) execute function ask_again_of_changed();
create trigger payments_are_asked_again_after_reopening after update of closed_at on customers
  for each row when (old.closed_at is not null and new.closed_at is null) execute function ask_again_of_changed();

alter table payment_rulings enable always trigger payment_rulings_are_decided_once;
alter table payment_rulings enable always trigger payment_rulings_are_kept;
alter table ruled_payments enable always trigger ruled_payments_are_free;
alter table ruled_payments enable always trigger rulings_name_their_payments_at_once;
alter table ruled_payments enable always trigger ruled_payments_are_kept;
alter table deposits enable always trigger payments_are_asked_again_after_a_reversal;
alter table adjustments enable always trigger payments_are_asked_again_after_a_decision;
alter table pool_payouts enable always trigger payments_are_asked_again_after_a_payout;
alter table customers enable always trigger payments_are_asked_again_after_reopening;

revoke execute on function guard_payment_ruling, guard_ruled_payment, check_ruled_payments, ask_payments_again, ask_again_of_changed from public;
grant select, insert on payment_rulings, ruled_payments to assay_app;
grant update (state, decided_by, decided_by_act, decided_at) on payment_rulings to assay_app;
grant update (ruling_id) on deposits to assay_app;
