-- A deposit is a customer's claim, with a slip, until a member of staff approves it against a transaction
-- and the quantity that arrived, or rejects it with a reason. Then it never changes again.
-- docs/decisions/0005-slips-are-cleaned-and-kept-private.md says how slips are kept.

-- Slips --------------------------------------------------------------------------------------------------
-- The row is written before the file and says so: a file without a row cannot exist, whatever is killed when.

create table deposit_slips (
  id uuid primary key,
  customer_id uuid not null references customers,
  file_key text collate "C" not null constraint one_slip_per_file unique,
  original_name text not null constraint names_of_slips_are_short check (length(original_name) <= 200),
  media_type text not null
    constraint slips_are_pictures_or_pdfs check (media_type in ('image/jpeg', 'application/pdf')),
  byte_size integer not null constraint slips_are_not_empty check (byte_size > 0),
  -- Of what was sent, and of what is kept.
  original_sha256 bytea not null
    constraint originals_are_known_by_their_sha256 check (length(original_sha256) = 32),
  sha256 bytea not null constraint slips_are_known_by_their_sha256 check (length(sha256) = 32),
  -- What a picture looks like: see server/platform/files/likeness.ts.
  likeness_hash bit(256),
  thumbnail bytea,
  created_at timestamptz not null,
  -- Null: the file is on its way.
  stored_at timestamptz,
  -- When it became part of a deposit; null: a draft.
  submitted_at timestamptz,
  -- Set: nobody may use it any more, and its file is being deleted.
  discarded_at timestamptz,
  -- When it was compared with the slips before it.
  compared_at timestamptz,
  constraint pictures_have_a_likeness
    check ((media_type = 'image/jpeg') = (likeness_hash is not null) and (likeness_hash is null) = (thumbnail is null)),
  constraint only_stored_slips_are_submitted check (submitted_at is null or stored_at is not null),
  constraint submitted_slips_are_kept check (submitted_at is null or discarded_at is null),
  constraint a_slip_and_its_owner unique (id, customer_id)
);
create index deposit_slips_of_a_customer on deposit_slips (customer_id, created_at) where submitted_at is null;
create index deposit_slips_by_original on deposit_slips (original_sha256);
create index deposit_slips_that_are_drafts on deposit_slips (created_at) where submitted_at is null;

-- Two slips that are the same file, or show the same picture. Written once, the older one first.
create table deposit_slip_likenesses (
  slip_id uuid not null references deposit_slips,
  earlier_slip_id uuid not null references deposit_slips,
  same_file boolean not null,
  primary key (slip_id, earlier_slip_id),
  constraint a_slip_is_not_compared_with_itself check (slip_id <> earlier_slip_id)
);
create index deposit_slip_likenesses_by_earlier on deposit_slip_likenesses (earlier_slip_id);

-- Deposits -----------------------------------------------------------------------------------------------

create table deposits (
  id uuid primary key,
  customer_id uuid not null references customers,
  -- Minted with the form: however often the same form arrives, it is one deposit.
  submission_key uuid not null,
  method text not null
    constraint deposits_come_by_a_listed_method check (method in ('Bitcoin', 'Ethereum', 'USDT')),
  declared_on date not null,
  claimed_usd_cents numeric(38, 0) not null
    constraint claims_are_positive_and_plausible check (claimed_usd_cents between 1 and 10000000000),
  -- What the customer claims, until the reviewer corrects it.
  usd_cents numeric(38, 0) not null
    constraint amounts_are_positive_and_plausible check (usd_cents between 1 and 10000000000),
  slip_id uuid not null constraint one_deposit_per_slip unique,
  created_at timestamptz not null,
  state text not null default 'pending'
    constraint deposits_are_pending_approved_or_rejected check (state in ('pending', 'approved', 'rejected')),
  -- Where the approved slip is shown.
  image_url text constraint image_urls_are_not_empty check (image_url <> ''),
  quantity_units numeric(38, 0) constraint quantities_are_positive check (quantity_units > 0),
  txid text collate "C",
  -- Which output of the transaction; null: the payment is all of it.
  output_index integer constraint outputs_are_counted_from_zero check (output_index >= 0),
  transfer_id uuid references ledger_transfers (id) constraint one_deposit_per_transfer unique,
  rejection_reason text
    constraint reasons_are_said check (length(trim(rejection_reason)) between 1 and 1000),
  reviewed_at timestamptz,
  review_action_id uuid references audit_log constraint one_review_per_act unique,
  constraint one_deposit_per_submission unique (customer_id, submission_key),
  constraint slips_belong_to_who_deposits
    foreign key (slip_id, customer_id) references deposit_slips (id, customer_id),
  constraint reviews_have_a_time_and_an_act
    check ((state <> 'pending') = (reviewed_at is not null) and (state <> 'pending') = (review_action_id is not null)),
  constraint approvals_name_quantity_payment_transfer_and_slip
    check ((state = 'approved') = (quantity_units is not null)
       and (state = 'approved') = (txid is not null)
       and (state = 'approved') = (transfer_id is not null)
       and (state = 'approved') = (image_url is not null)),
  constraint only_payments_have_an_output check (output_index is null or txid is not null),
  constraint rejections_have_a_reason check ((state = 'rejected') = (rejection_reason is not null)),
  constraint only_approvals_correct_the_amount check (state = 'approved' or usd_cents = claimed_usd_cents),
  constraint txids_are_of_their_chain
    check (txid ~ case method when 'Bitcoin' then '^[0-9a-f]{64}$' else '^0x[0-9a-f]{64}$' end)
);

-- One payment is one deposit. A deposit that names no output stands for the whole transaction: the trigger
-- below keeps any other away from it.
create unique index one_deposit_per_payment on deposits (txid, output_index) nulls not distinct
  where txid is not null;
create index deposits_newest_first on deposits (customer_id, created_at desc, id desc);
create index deposits_that_wait on deposits (created_at, id) where state = 'pending';
create index deposits_by_txid on deposits (txid) where txid is not null;

create function check_new_deposit() returns trigger language plpgsql as $$
begin
  if new.state <> 'pending' then
    raise exception 'A deposit begins as a claim that waits for review.'
      using errcode = 'check_violation', constraint = 'deposits_begin_pending';
  end if;
  return new;
end
$$;
create trigger deposits_begin_pending before insert on deposits
  for each row execute function check_new_deposit();

create function check_reviewed_deposit() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' then
    raise exception 'Deposit % has been reviewed.', old.id
      using errcode = 'check_violation', constraint = 'deposits_are_reviewed_once';
  end if;
  if (new.id, new.customer_id, new.submission_key, new.method, new.declared_on, new.claimed_usd_cents, new.slip_id, new.created_at)
     is distinct from
     (old.id, old.customer_id, old.submission_key, old.method, old.declared_on, old.claimed_usd_cents, old.slip_id, old.created_at) then
    raise exception 'What a customer claimed is never rewritten.'
      using errcode = 'check_violation', constraint = 'claims_are_never_rewritten';
  end if;
  if new.state <> 'pending' and not exists (
       select from public.audit_log a
        where a.id = new.review_action_id and a.subject = 'deposit:' || new.id and a.customer_id = new.customer_id
          and a.act = case new.state when 'approved' then 'deposits/approve' else 'deposits/reject' end) then
    raise exception 'A review is a staff act on this very deposit.'
      using errcode = 'check_violation', constraint = 'reviews_are_staff_acts_on_the_deposit';
  end if;
  if new.state = 'approved' then
    perform public.check_deposit_payment(new);
  end if;
  return new;
end
$$;

create function check_deposit_payment(deposit deposits) returns void language plpgsql as $$
begin
  if not exists (
       select from public.ledger_transfers t
         join public.ledger_entries e on e.owner_id = t.owner_id and e.transfer_number = t.number
        where t.id = deposit.transfer_id
          and t.key = 'deposit:' || deposit.id
          and t.owner_id = deposit.customer_id
          and e.account = 'available'
          and e.asset = case deposit.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end
          and e.units = deposit.quantity_units) then
    raise exception 'An approved deposit has a transfer that credits its quantity to its owner.'
      using errcode = 'check_violation', constraint = 'approvals_are_credited';
  end if;
  -- Two reviews of one transaction at once wait for each other here.
  perform pg_advisory_xact_lock(hashtextextended('deposits.txid:' || deposit.txid, 0));
  if exists (
       select from public.deposits other
        where other.txid = deposit.txid and other.id <> deposit.id
          and (other.output_index is null or deposit.output_index is null
               or other.output_index = deposit.output_index)) then
    raise exception 'Transaction % has been credited to another deposit.', deposit.txid
      using errcode = 'unique_violation', constraint = 'one_deposit_per_payment';
  end if;
end
$$;
create trigger deposits_are_reviewed_once before update on deposits
  for each row execute function check_reviewed_deposit();

-- The application ------------------------------------------------------------------------------------------

grant select, insert, delete on deposit_slips to assay_app;
grant update (stored_at, submitted_at, discarded_at, compared_at) on deposit_slips to assay_app;
grant select, insert on deposit_slip_likenesses to assay_app;
grant select, insert on deposits to assay_app;
grant update (state, usd_cents, image_url, quantity_units, txid, output_index, transfer_id, rejection_reason, reviewed_at, review_action_id)
  on deposits to assay_app;
