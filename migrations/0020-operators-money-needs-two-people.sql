-- What staff do for a customer, in the open: money of the operator's own that two people give, notes and flags that
-- staff keep about a customer, and a look at his account as he sees it.
-- docs/decisions/0017-staff-help-in-the-open.md says why it is shaped like this.

-- The journal ----------------------------------------------------------------------------------------------

insert into ledger_transfer_kinds (kind, debits, credits) values ('subsidy', '{operator_equity}', '{available}');

-- Nobody gives away more of the operator's own money than there is. The house's accounts keep no balance row, so
-- whoever asks waits here for who asked before, and then sums what is committed.
create function require_equity() returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  -- A snapshot from before the lock would not see what was given away meanwhile.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'The operator''s money is counted in a transaction that reads what is committed.'
      using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('ledger.operator_equity', 0));
  if exists (select from house_balances() b where b.account = 'operator_equity' and b.units < 0) then
    raise exception 'The operator''s own money does not suffice.'
      using errcode = 'check_violation', constraint = 'equity_never_below_zero';
  end if;
end
$$;
revoke execute on function require_equity from public;
grant execute on function require_equity to assay_app;

-- Evidence -------------------------------------------------------------------------------------------------
-- As with slips the row is written before the file and says so.

create table adjustment_evidence (
  id uuid primary key,
  operator_id uuid not null references operators,
  file_key text collate "C" not null constraint one_piece_of_evidence_per_file unique,
  original_name text not null constraint names_of_evidence_are_short check (length(original_name) <= 200),
  media_type text not null
    constraint evidence_is_a_picture_or_a_pdf check (media_type in ('image/jpeg', 'application/pdf')),
  byte_size integer not null constraint evidence_is_not_empty check (byte_size > 0),
  original_sha256 bytea not null
    constraint originals_of_evidence_are_known_by_their_sha256 check (length(original_sha256) = 32),
  sha256 bytea not null constraint evidence_is_known_by_its_sha256 check (length(sha256) = 32),
  created_at timestamptz not null,
  -- Null: the file is on its way.
  stored_at timestamptz,
  -- When it became part of a proposal; null: a draft.
  used_at timestamptz,
  -- Set: nobody may use it any more, and its file is being deleted.
  discarded_at timestamptz,
  constraint only_stored_evidence_is_used check (used_at is null or stored_at is not null),
  constraint used_evidence_is_kept check (used_at is null or discarded_at is null)
);
create index adjustment_evidence_that_is_draft on adjustment_evidence (created_at) where used_at is null;

-- Adjustments ----------------------------------------------------------------------------------------------
-- One member of staff proposes, another one decides, once and for good. A mistake is corrected by another
-- adjustment that reverses the first.

create table adjustments (
  id uuid primary key,
  -- Minted with the form: however often the same form arrives, it is one proposal.
  submission_key uuid not null,
  kind text not null
    constraint adjustments_are_of_a_known_kind
      check (kind in ('goodwill', 'subsidy', 'equity-funding', 'equity-drawing', 'wallet-transfer', 'reversal')),
  -- Null: the house.
  customer_id uuid references customers,
  asset text not null constraint adjustments_move_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  units numeric(38, 0) not null constraint adjustments_move_something check (units > 0),
  -- The customer reads it, and it stands in the journal.
  reason text not null constraint adjustments_have_a_reason
    check (length(trim(reason)) between 1 and 400 and reason !~ '[[:cntrl:]]'),
  -- Staff read it.
  note text not null default '' constraint notes_on_adjustments_are_short check (length(note) <= 2000),
  evidence_id uuid references adjustment_evidence constraint one_adjustment_per_evidence unique,
  txid text collate "C",
  -- What the network took for a transaction of ours, in its own coin.
  fee_units numeric(38, 0) constraint fees_of_adjustments_are_no_debt check (fee_units >= 0),
  -- Whether a node showed the transaction with this fee when it was proposed; otherwise it is as it was typed.
  is_on_chain boolean not null default false,
  reverses uuid references adjustments,
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null references audit_log constraint one_adjustment_per_proposing_act unique,
  proposed_at timestamptz not null,
  state text not null default 'open'
    constraint adjustments_have_a_known_state check (state in ('open', 'approved', 'rejected', 'withdrawn')),
  decided_by uuid references operators,
  decided_by_act uuid references audit_log constraint one_decision_on_an_adjustment_per_act unique,
  decided_at timestamptz,
  rejection_reason text constraint rejections_of_adjustments_say_why
    check (length(trim(rejection_reason)) between 1 and 1000),
  transfer_id uuid references ledger_transfers (id) constraint one_adjustment_per_transfer unique,
  constraint one_adjustment_per_submission unique (proposed_by, submission_key),
  constraint adjustments_say_whose_they_are
    check (kind = 'reversal' or (kind in ('equity-funding', 'equity-drawing', 'wallet-transfer')) = (customer_id is null)),
  constraint gifts_have_evidence check (kind not in ('goodwill', 'subsidy', 'equity-drawing') or evidence_id is not null),
  constraint funding_names_its_payment
    check ((kind in ('equity-funding', 'equity-drawing', 'wallet-transfer')) = (txid is not null)),
  constraint what_we_sent_says_its_fee
    check ((kind in ('equity-drawing', 'wallet-transfer')) = (fee_units is not null) and (kind <> 'wallet-transfer' or fee_units > 0)),
  constraint payments_are_of_their_chain
    check (txid ~ case asset when 'BTC' then '^[0-9a-f]{64}$' else '^0x[0-9a-f]{64}$' end),
  constraint reversals_name_what_they_reverse check ((kind = 'reversal') = (reverses is not null)),
  constraint adjustments_are_decided_by_an_act
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint who_proposed_does_not_decide
    check (state not in ('approved', 'rejected') or decided_by <> proposed_by),
  constraint only_who_proposed_withdraws check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint only_rejections_say_why_not check ((state = 'rejected') = (rejection_reason is not null)),
  constraint only_approved_adjustments_are_posted check ((state = 'approved') = (transfer_id is not null))
);
create unique index one_reversal_per_adjustment on adjustments (reverses) where state in ('open', 'approved');
create index adjustments_that_wait on adjustments (proposed_at, id) where state = 'open';
create index adjustments_decided on adjustments (decided_at desc, id desc) where state <> 'open';
create index adjustments_of_a_customer on adjustments (customer_id, proposed_at desc, id desc) where customer_id is not null;
create index adjustments_by_txid on adjustments (txid) where txid is not null;

create function guard_adjustment() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person uuid := case tg_op when 'INSERT' then new.proposed_by else new.decided_by end;
  act_of_person uuid := case tg_op when 'INSERT' then new.proposed_by_act else new.decided_by_act end;
  verb text := case new.state when 'open' then 'propose' when 'approved' then 'approve' when 'rejected' then 'reject'
                              else 'withdraw' end;
  original adjustments;
begin
  if tg_op = 'INSERT' and new.state <> 'open' then
    raise exception 'An adjustment is proposed before it is decided.'
      using errcode = 'check_violation', constraint = 'adjustments_are_proposed_first';
  end if;
  if tg_op = 'UPDATE' then
    if old.state <> 'open' or new.state = 'open' then
      raise exception 'Adjustment % has been decided.', old.id
        using errcode = 'check_violation', constraint = 'adjustments_are_decided_once';
    end if;
    if to_jsonb(new) - '{state,decided_by,decided_by_act,decided_at,rejection_reason,transfer_id}'::text[]
       <> to_jsonb(old) - '{state,decided_by,decided_by_act,decided_at,rejection_reason,transfer_id}'::text[] then
      raise exception 'What was proposed is never rewritten.'
        using errcode = 'check_violation', constraint = 'proposals_are_never_rewritten';
    end if;
  end if;
  if not exists (select from operators where id = person and state = 'active') or not exists (
       select from audit_log a
        where a.id = act_of_person and a.operator_id = person and a.subject = 'adjustment:' || new.id
          and a.customer_id is not distinct from new.customer_id and a.act = 'adjustments/' || verb) then
    raise exception 'An adjustment is proposed and decided by acts of staff on this very adjustment.'
      using errcode = 'check_violation', constraint = 'adjustments_are_staff_acts';
  end if;
  if new.state in ('rejected', 'withdrawn') then
    return new;
  end if;
  if new.state = 'approved' then
    perform require_proposer_is_staff(new.proposed_by);
  end if;

  if new.evidence_id is not null and not exists (
       select from adjustment_evidence e
        where e.id = new.evidence_id and e.operator_id = new.proposed_by and e.stored_at is not null and e.discarded_at is null) then
    raise exception 'Evidence is brought by who proposes.'
      using errcode = 'check_violation', constraint = 'evidence_is_of_who_proposes';
  end if;
  if new.kind in ('goodwill', 'subsidy') then
    -- Who closes the account holds this row: the gift comes before that, or is refused.
    perform from customers where id = new.customer_id for share;
    if exists (select from customers where id = new.customer_id and closed_at is not null) then
      raise exception 'This account is closed.'
        using errcode = 'check_violation', constraint = 'closed_accounts_are_given_nothing';
    end if;
  end if;
  if new.kind = 'reversal' then
    select * into original from adjustments where id = new.reverses for share;
    if original.state is distinct from 'approved' or original.kind = 'reversal'
       or (original.customer_id, original.asset, original.units) is distinct from (new.customer_id, new.asset, new.units) then
      raise exception 'A reversal takes back one approved adjustment, whole.'
        using errcode = 'check_violation', constraint = 'reversals_take_back_what_was_approved';
    end if;
  end if;
  if new.txid is not null then
    perform check_funding_payment(new.id, new.txid, new.kind, new.units);
  end if;
  if new.kind in ('equity-drawing', 'wallet-transfer') then
    perform refuse_batch_as_adjustment(new.txid);
  end if;
  if new.state = 'approved' and coalesce(original.kind, new.kind) in ('equity-drawing', 'wallet-transfer') then
    if not exists (
         select from ledger_transfers t
          where t.id = new.transfer_id and t.key = 'adjustment:' || new.id and t.kind = new.kind
            and t.owner_id = '00000000-0000-0000-0000-000000000000' and t.reverses is not distinct from original.transfer_id
            and t.legs = case new.kind when 'reversal' then ledger_mirror(legs_of_outlay(original)) else legs_of_outlay(new) end) then
      raise exception 'An approved adjustment has the transfer that it proposed.'
        using errcode = 'check_violation', constraint = 'approved_adjustments_are_posted';
    end if;
    return new;
  end if;
  if new.state = 'approved' and not exists (
       select from ledger_transfers t cross join unnest(t.legs) leg
        where t.id = new.transfer_id and t.key = 'adjustment:' || new.id and t.kind = new.kind
          and t.owner_id = coalesce(new.customer_id, '00000000-0000-0000-0000-000000000000')
          and t.reverses is not distinct from original.transfer_id
          and cardinality(t.legs) = 2 and leg.account = 'operator_equity' and leg.asset = new.asset
          and leg.units = case when coalesce(original.kind, new.kind) = 'equity-funding' then new.units else -new.units end
                          * case new.kind when 'reversal' then -1 else 1 end) then
    raise exception 'An approved adjustment has the transfer that it proposed.'
      using errcode = 'check_violation', constraint = 'approved_adjustments_are_posted';
  end if;
  return new;
end
$$;

-- One payment is counted once: as a customer's deposit, or as the operator's own money.
create function check_funding_payment(adjustment uuid, payment text) returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('deposits.txid:' || payment, 0));
  if exists (select from deposits d where d.txid = payment and d.state = 'approved')
     or exists (select from adjustments a
                 where a.txid = payment and a.id <> adjustment and a.state in ('open', 'approved')
                   and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')) then
    raise exception 'Transaction % has been counted already.', payment
      using errcode = 'unique_violation', constraint = 'one_payment_is_counted_once';
  end if;
end
$$;

create function refuse_deposit_of_own_money() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_fact('deposits.txid:' || new.txid);
  -- Of a payment that the chain shows it is asked output by output: may_be_the_operators.
  if new.payment_id is not null then return new; end if;
  if exists (select from adjustments a
              where a.txid = new.txid and a.state in ('open', 'approved')
                and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')) then
    raise exception 'Transaction % paid in the operator''s own money.', new.txid
      using errcode = 'unique_violation', constraint = 'one_deposit_per_payment';
  end if;
  return new;
end
$$;
create trigger deposits_are_not_the_operators_own_money before update of txid on deposits
  for each row when (new.txid is not null) execute function refuse_deposit_of_own_money();

create trigger adjustments_are_decided_once before insert or update on adjustments
  for each row execute function guard_adjustment();
create function refuse_to_delete() returns trigger language plpgsql as $$
begin
  raise exception '% only grows', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger adjustments_only_grow before delete or truncate on adjustments
  for each statement execute function refuse_to_delete();
alter table adjustments enable always trigger adjustments_are_decided_once;
alter table adjustments enable always trigger adjustments_only_grow;

-- The other half, whoever writes into the journal: the operator's own money moves by an approved adjustment, and by
-- nothing else. Asked at the commit, when both are written; a posting of another kind does not pay for it.
create function guard_operator_money() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.kind = 'reversal' and not exists (
       select from ledger_transfers t
        where t.id = new.reverses and t.kind in ('goodwill', 'subsidy', 'equity-funding')) then
    return null;
  end if;
  if not exists (select from adjustments a where a.transfer_id = new.id and a.state = 'approved') then
    raise exception 'The operator''s own money moves by an adjustment that two people decided.'
      using errcode = 'check_violation', constraint = 'operators_money_needs_two_people';
  end if;
  perform require_equity();
  return null;
end
$$;
create constraint trigger operators_money_needs_two_people after insert on ledger_transfers
  deferrable initially deferred for each row
  when (new.kind in ('goodwill', 'subsidy', 'equity-funding', 'reversal')) execute function guard_operator_money();
alter table ledger_transfers enable always trigger operators_money_needs_two_people;

revoke execute on function guard_adjustment, check_funding_payment, refuse_deposit_of_own_money, guard_operator_money,
  refuse_to_delete from public;
grant select, insert, delete on adjustment_evidence to assay_app;
grant update (stored_at, used_at, discarded_at) on adjustment_evidence to assay_app;
grant select, insert on adjustments to assay_app;
grant update (state, decided_by, decided_by_act, decided_at, rejection_reason, transfer_id) on adjustments to assay_app;

-- Notes and flags ------------------------------------------------------------------------------------------
-- What staff write about a customer for each other. The words stand here alone, never in the audit log: that only
-- grows, and these go with the account.

create table staff_notes (
  id uuid primary key,
  customer_id uuid not null references customers,
  body text not null constraint notes_have_words check (length(trim(body)) between 1 and 4000),
  written_by uuid not null references operators,
  written_by_act uuid not null references audit_log constraint one_note_per_act unique,
  written_at timestamptz not null
);
create index staff_notes_of_a_customer on staff_notes (customer_id, written_at desc, id desc);

create table customer_flags (
  id uuid primary key,
  customer_id uuid not null references customers,
  kind text not null constraint flags_are_of_a_known_kind
    check (kind in ('look-closer-at-deposits', 'look-closer-at-withdrawals', 'look-closer-at-identity', 'ask-an-owner-first')),
  reason text not null constraint flags_have_a_reason check (length(trim(reason)) between 1 and 1000),
  raised_by uuid not null references operators,
  raised_by_act uuid not null references audit_log constraint one_flag_per_act unique,
  raised_at timestamptz not null,
  ends_at timestamptz not null
    constraint flags_end_within_a_year check (ends_at > raised_at and ends_at <= raised_at + interval '366 days'),
  lifted_by uuid references operators,
  lifted_by_act uuid references audit_log constraint one_lift_per_act unique,
  lifted_at timestamptz,
  constraint flags_are_lifted_by_an_act check (num_nonnulls(lifted_by, lifted_by_act, lifted_at) in (0, 3))
);
create index customer_flags_of_a_customer on customer_flags (customer_id, ends_at);

-- Whether this act is the one that a row says it rests on.
create function is_act_on_customer(act_id uuid, act_name text, operator uuid, customer uuid) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from audit_log a
                  where a.id = act_id and a.act = act_name and a.operator_id = operator and a.customer_id = customer)
$$;

create function guard_staff_words() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from customers where id = old.customer_id and closed_at is not null) then return old; end if;
    raise exception 'What staff wrote goes with the account only.'
      using errcode = 'check_violation', constraint = 'staff_words_go_with_the_account';
  end if;
  if tg_table_name = 'staff_notes' then
    if tg_op = 'UPDATE' then
      raise exception 'A note is never rewritten.'
        using errcode = 'check_violation', constraint = 'notes_are_never_rewritten';
    end if;
    if not is_act_on_customer(new.written_by_act, 'staff-notes/write-note', new.written_by, new.customer_id) then
      raise exception 'A note is an act of who writes it.'
        using errcode = 'check_violation', constraint = 'staff_words_are_staff_acts';
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if old.lifted_at is not null or new.lifted_at is null
       or to_jsonb(new) - '{lifted_by,lifted_by_act,lifted_at}'::text[] <> to_jsonb(old) - '{lifted_by,lifted_by_act,lifted_at}'::text[] then
      raise exception 'A flag is lifted once and never rewritten.'
        using errcode = 'check_violation', constraint = 'flags_are_lifted_once';
    end if;
    if not is_act_on_customer(new.lifted_by_act, 'staff-notes/lift-flag', new.lifted_by, new.customer_id) then
      raise exception 'A flag is lifted by an act.'
        using errcode = 'check_violation', constraint = 'staff_words_are_staff_acts';
    end if;
    return new;
  end if;
  if new.lifted_at is not null
     or not is_act_on_customer(new.raised_by_act, 'staff-notes/raise-flag', new.raised_by, new.customer_id) then
    raise exception 'A flag is raised by an act.'
      using errcode = 'check_violation', constraint = 'staff_words_are_staff_acts';
  end if;
  perform lock_fact('customer_flags:' || new.customer_id);
  if exists (select from customer_flags f
              where f.customer_id = new.customer_id and f.kind = new.kind and f.lifted_at is null and f.ends_at > new.raised_at) then
    raise exception 'This flag stands already.'
      using errcode = 'unique_violation', constraint = 'one_flag_of_a_kind_at_a_time';
  end if;
  return new;
end
$$;
create trigger staff_notes_are_kept before insert or update or delete on staff_notes
  for each row execute function guard_staff_words();
create trigger customer_flags_are_kept before insert or update or delete on customer_flags
  for each row execute function guard_staff_words();
alter table staff_notes enable always trigger staff_notes_are_kept;
alter table customer_flags enable always trigger customer_flags_are_kept;

revoke execute on function is_act_on_customer, guard_staff_words from public;
grant select, insert, delete on staff_notes, customer_flags to assay_app;
grant update (lifted_by, lifted_by_act, lifted_at) on customer_flags to assay_app;

-- A look at an account as its customer sees it ----------------------------------------------------------------
-- No session of the customer's exists for it: the row says that a session of the operator's own may read this
-- customer's pages for a quarter of an hour.

create table customer_views (
  id uuid primary key,
  operator_id uuid not null references operators,
  -- No foreign key: the row outlives the session.
  session_id uuid not null,
  customer_id uuid not null references customers,
  -- The customer reads it.
  reason text not null constraint views_have_a_reason check (length(trim(reason)) between 1 and 1000),
  act_id uuid not null references audit_log constraint one_view_per_act unique,
  started_at timestamptz not null,
  ends_at timestamptz not null
    constraint views_last_a_quarter_of_an_hour check (ends_at > started_at and ends_at <= started_at + interval '15 minutes'),
  ended_at timestamptz
);
create unique index one_view_per_session on customer_views (session_id) where ended_at is null;
create index customer_views_of_a_customer on customer_views (customer_id, started_at desc);

create function guard_customer_view() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if old.ended_at is not null or new.ended_at is null
       or to_jsonb(new) - 'ended_at' <> to_jsonb(old) - 'ended_at' then
      raise exception 'A view ends once and is never rewritten.'
        using errcode = 'check_violation', constraint = 'views_are_never_rewritten';
    end if;
    return new;
  end if;
  if new.ended_at is not null
     or not exists (select from sessions where id = new.session_id and user_id = new.operator_id)
     or not is_act_on_customer(new.act_id, 'identity/view-as-customer', new.operator_id, new.customer_id) then
    raise exception 'A view is an act of staff in a session of their own.'
      using errcode = 'check_violation', constraint = 'views_are_staff_acts';
  end if;
  return new;
end
$$;
create trigger views_are_staff_acts before insert or update on customer_views
  for each row execute function guard_customer_view();
create trigger customer_views_only_grow before delete or truncate on customer_views
  for each statement execute function refuse_to_delete();
alter table customer_views enable always trigger views_are_staff_acts;
alter table customer_views enable always trigger customer_views_only_grow;

revoke execute on function guard_customer_view from public;
grant select, insert on customer_views to assay_app;
grant update (ended_at) on customer_views to assay_app;
