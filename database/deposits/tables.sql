create table deposit_slips (
  id uuid primary key, customer_id uuid not null references customers,
  file_key text collate "C" not null constraint one_slip_per_file unique,
  original_name text not null constraint names_of_slips_are_short check (length(original_name) <= 200),
  media_type text not null constraint slips_are_pictures_or_pdfs check (media_type in ('image/jpeg', 'application/pdf')),
  byte_size integer not null constraint slips_are_not_empty check (byte_size > 0),
  -- Of what was sent, and of what is kept.
  original_sha256 bytea not null constraint originals_are_known_by_their_sha256 check (length(original_sha256) = 32),
  sha256 bytea not null constraint slips_are_known_by_their_sha256 check (length(sha256) = 32),
  created_at timestamptz not null,
  stored_at timestamptz, -- Null: the file is on its way.
  submitted_at timestamptz, -- When it became part of a deposit; null: a draft.
  discarded_at timestamptz, -- Set: it cannot be used any more, and its file is being deleted.
  erased_at timestamptz,
  constraint only_stored_slips_are_submitted check (submitted_at is null or stored_at is not null),
  constraint submitted_slips_are_kept check (submitted_at is null or discarded_at is null),
  constraint a_slip_and_its_owner unique (id, customer_id),
  constraint erased_slips_show_nothing check (erased_at is null or original_name = '')
);
create index deposit_slips_of_a_customer on deposit_slips (customer_id, created_at) where submitted_at is null;
create index deposit_slips_by_original on deposit_slips (original_sha256);
create index deposit_slips_that_are_drafts on deposit_slips (created_at) where submitted_at is null;

create table deposits (
  id uuid primary key, customer_id uuid not null references customers,
  submission_key uuid not null, -- Minted with the form: however often the same form arrives, it is one deposit.
  method text not null constraint deposits_come_by_a_listed_method check (method in ('Bitcoin', 'Ethereum', 'USDT')),
  declared_on date not null,
  claimed_usd_cents numeric(38, 0) constraint claims_are_positive_and_plausible check (claimed_usd_cents between 1 and 10000000000),
  usd_cents numeric(38, 0), -- What the customer claims, until the reviewer corrects it.
  slip_id uuid constraint one_deposit_per_slip unique, created_at timestamptz not null,
  state text not null default 'pending'
    constraint deposits_have_a_listed_state check (state in ('pending', 'approved', 'rejected', 'orphaned', 'reversed')),
  image_url text constraint image_urls_are_not_empty check (image_url <> ''), -- Where the approved slip is shown.
  quantity_units numeric(38, 0) constraint quantities_are_positive check (quantity_units > 0), txid text collate "C",
  -- Which output of the transaction; null: the payment is all of it.
  output_index integer constraint outputs_are_counted_from_zero check (output_index >= 0),
  transfer_id uuid constraint one_deposit_per_transfer unique references ledger_keys (id),
  rejection_reason text constraint reasons_are_said check (length(trim(rejection_reason)) between 1 and 1000),
  reviewed_at timestamptz, review_action_id uuid constraint one_review_per_act unique references audit_log,
  payment_id uuid references chain_payments,
  confirmations integer constraint confirmations_count_from_one check (confirmations >= 1), -- How many were asked for when it was credited.
  payment_price_id uuid references market_prices, -- What it was valued with when, or after, a payment credited it.
  orphaned_at timestamptz,
  held_units numeric(38, 0) not null default 0, -- Put aside for the credit that is to be taken back.
  reversal_id uuid constraint one_deposit_per_reversal unique references ledger_keys (id),
  price_id uuid references market_prices, -- Null: no price was fresh when it was approved, so it was valued with none.
  finalized boolean not null default false, -- Whether it was credited because its block was final; else because it had its confirmations.
  resolution_id uuid constraint one_deposit_per_resolution unique,
  -- When one person alone approved a slip that no payment on the chain shows, by PostgreSQL's clock.
  alone_at timestamptz constraint only_staff_approve_alone check (alone_at is null or review_action_id is not null),
  constraint only_payments_have_an_output check (output_index is null or txid is not null),
  constraint rejections_have_a_reason check ((state = 'rejected') = (rejection_reason is not null)),
  constraint only_approvals_correct_the_amount check (state not in ('pending', 'rejected') or usd_cents = claimed_usd_cents),
  constraint txids_are_of_their_chain check (txid ~ case method when 'Bitcoin' then '^[0-9a-f]{64}$' else '^0x[0-9a-f]{64}$' end),
  constraint one_deposit_per_submission unique (customer_id, submission_key),
  constraint slips_belong_to_who_deposits foreign key (slip_id, customer_id) references deposit_slips (id, customer_id),
  constraint deposits_are_claimed_or_paid
    check ((slip_id is null) = (claimed_usd_cents is null) and (slip_id is not null or payment_id is not null)),
  constraint amounts_are_positive_and_plausible
    check (case when slip_id is null then usd_cents >= 0 else usd_cents is not null and usd_cents between 1 and 10000000000 end),
  constraint values_rest_on_a_price check (slip_id is not null or (usd_cents is null) = (payment_price_id is null)),
  constraint approvals_name_quantity_payment_transfer_and_slip
    check (num_nonnulls(quantity_units, txid, transfer_id, image_url) = case when state in ('pending', 'rejected') then 0 else 4 end),
  constraint payments_are_credited_with_confirmations check ((payment_id is null) = (confirmations is null)),
  constraint only_orphaned_deposits_hold_something
    check (held_units >= 0 and (held_units = 0 or state = 'orphaned' and held_units <= quantity_units)),
  constraint orphaned_deposits_say_since_when check (state not in ('orphaned', 'reversed') or orphaned_at is not null),
  constraint reversed_deposits_have_their_transfer check ((state = 'reversed') = (reversal_id is not null)),
  constraint deposits_are_decided_by_staff_or_by_a_payment check (case state
             when 'pending' then num_nonnulls(reviewed_at, review_action_id, payment_id) = 0
             when 'rejected' then reviewed_at is not null and review_action_id is not null and payment_id is null
             else reviewed_at is not null and num_nonnulls(review_action_id, payment_id) = 1 end),
  constraint only_approvals_are_valued check (price_id is null or state not in ('pending', 'rejected')),
  constraint only_payments_become_final check (not finalized or payment_id is not null),
  constraint only_approvals_by_staff_are_mistaken
    check (resolution_id is null or review_action_id is not null and state in ('approved', 'orphaned', 'reversed'))
);
create index deposits_newest_first on deposits (customer_id, created_at desc, id desc);
create index deposits_that_wait on deposits (created_at, id) where state = 'pending';
create index deposits_by_txid on deposits (txid) where txid is not null;
create index deposits_by_decision on deposits (state, reviewed_at desc, id desc) where state <> 'pending';
create unique index one_deposit_per_payment on deposits (txid, output_index) nulls not distinct
  where txid is not null and state <> 'reversed';
create unique index one_credit_per_payment on deposits (payment_id) where state <> 'reversed';
create index deposits_to_take_back on deposits (orphaned_at) where state in ('orphaned', 'reversed');
create index deposits_without_a_value on deposits (id) where usd_cents is null;
create index deposits_approved_by_mistake on deposits (id) where resolution_id is not null and state in ('approved', 'orphaned');
create index deposits_that_staff_approved on deposits (customer_id) where state = 'approved' and review_action_id is not null;
create index deposits_being_taken_back on deposits (method) where state = 'orphaned';
create index deposits_approved_alone on deposits (alone_at) where alone_at is not null;

-- What one person says that arrived with a slip, until a second one confirms it.
create table deposit_approvals (
  id uuid primary key, deposit_id uuid not null references deposits,
  quantity_units numeric(38, 0) not null constraint approvals_are_of_something check (quantity_units > 0),
  txid text collate "C" not null, output_index integer, usd_cents numeric(38, 0) not null,
  state text not null default 'open' constraint approvals_are_in_a_known_state check (state in ('open', 'confirmed', 'declined', 'overtaken')),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null constraint one_approval_per_proposing_act unique references audit_log, proposed_at timestamptz not null,
  decided_by uuid references operators,
  decided_by_act uuid constraint one_decision_on_an_approval_per_act unique references audit_log, decided_at timestamptz,
  constraint decided_approvals_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case when state in ('open', 'overtaken') then 0 else 3 end),
  constraint approvals_need_two_people check (state <> 'confirmed' or decided_by <> proposed_by)
);
create unique index one_approval_of_a_deposit on deposit_approvals (deposit_id) where state in ('open', 'confirmed');

create table payment_resolutions (
  id uuid primary key,
  says text not null constraint payment_resolutions_say_a_listed_thing check (says in ('customers', 'operators', 'set-aside', 'mistaken')),
  deposit_id uuid references deposits, -- What was approved by mistake. The others are about payments: resolved_payments.
  reason text not null constraint payment_resolutions_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open' constraint payment_resolutions_are_in_a_known_state check (state in ('open', 'confirmed', 'declined')),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null constraint one_payment_resolution_per_proposing_act unique references audit_log,
  proposed_at timestamptz not null, decided_by uuid references operators,
  decided_by_act uuid constraint one_decision_on_a_payment_resolution_per_act unique references audit_log,
  decided_at timestamptz,
  constraint decided_payment_resolutions_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint payment_resolutions_need_two_people check (state <> 'confirmed' or decided_by <> proposed_by),
  constraint mistakes_are_about_a_deposit check ((says = 'mistaken') = (deposit_id is not null))
);
create unique index one_resolution_of_a_deposit on payment_resolutions (deposit_id) where state <> 'declined';
create index payment_resolutions_that_wait on payment_resolutions (proposed_at) where state = 'open';
create index payment_resolutions_newest_first on payment_resolutions (proposed_at desc, id desc);

-- What a resolution is about, as it was proposed: a sender of dust is one resolution, however many payments there are.
create table resolved_payments (
  resolution_id uuid references payment_resolutions, payment_id uuid references chain_payments,
  constraint one_row_per_resolution_and_payment primary key (resolution_id, payment_id)
);
create index resolved_payments_of_a_payment on resolved_payments (payment_id);

alter table chain_payments add constraint resolutions_of_payments_exist foreign key (resolution_id) references payment_resolutions;
alter table deposits add constraint deposits_resolution_id_fkey foreign key (resolution_id) references payment_resolutions;
