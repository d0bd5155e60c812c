create table adjustment_evidence (
  id uuid primary key, operator_id uuid not null references operators,
  file_key text collate "C" not null constraint one_piece_of_evidence_per_file unique,
  original_name text not null constraint names_of_evidence_are_short check (length(original_name) <= 200),
  media_type text not null constraint evidence_is_a_picture_or_a_pdf check (media_type in ('image/jpeg', 'application/pdf')),
  byte_size integer not null constraint evidence_is_not_empty check (byte_size > 0),
  original_sha256 bytea not null constraint originals_of_evidence_are_known_by_their_sha256 check (length(original_sha256) = 32),
  sha256 bytea not null constraint evidence_is_known_by_its_sha256 check (length(sha256) = 32),
  created_at timestamptz not null,
  stored_at timestamptz, -- Null: the file is on its way.
  used_at timestamptz, -- When it became part of a proposal; null: a draft.
  discarded_at timestamptz, -- Set: it cannot be used any more, and its file is being deleted.
  erased_at timestamptz,
  constraint only_stored_evidence_is_used check (used_at is null or stored_at is not null),
  constraint used_evidence_is_kept check (used_at is null or discarded_at is null),
  constraint erased_evidence_has_no_name check (erased_at is null or original_name = ''),
  constraint only_used_evidence_is_erased check (erased_at is null or used_at is not null)
);
create index adjustment_evidence_that_is_draft on adjustment_evidence (created_at) where used_at is null;
create index adjustment_evidence_that_is_kept on adjustment_evidence (used_at) where used_at is not null and erased_at is null;

create table adjustments (
  id uuid primary key,
  submission_key uuid not null, -- Minted with the form: however often the same form arrives, it is one proposal.
  kind text not null constraint adjustments_are_of_a_known_kind
    check (kind in ('goodwill', 'subsidy', 'equity-funding', 'equity-drawing', 'wallet-transfer', 'reversal')),
  customer_id uuid references customers, -- Null: the house.
  asset text not null constraint adjustments_move_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  units numeric(38, 0) not null constraint adjustments_move_something check (units > 0),
  -- The customer reads it, and the ledger has it.
  reason text not null constraint adjustments_have_a_reason check (length(trim(reason)) between 1 and 400 and reason !~ '[[:cntrl:]]'),
  note text not null default '' constraint notes_on_adjustments_are_short check (length(note) <= 2000), -- Staff read it.
  evidence_id uuid constraint one_adjustment_per_evidence unique references adjustment_evidence, txid text collate "C",
  -- What the network took for a transaction of ours, in its own coin.
  fee_units numeric(38, 0) constraint fees_of_adjustments_are_no_debt check (fee_units >= 0),
  -- Whether a node showed the transaction with this fee when it was proposed; otherwise it is as it was typed.
  is_on_chain boolean not null default false, reverses uuid references adjustments,
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null constraint one_adjustment_per_proposing_act unique references audit_log, proposed_at timestamptz not null,
  state text not null default 'open'
    constraint adjustments_have_a_known_state check (state in ('open', 'approved', 'rejected', 'withdrawn')),
  decided_by uuid references operators, decided_by_act uuid constraint one_decision_on_an_adjustment_per_act unique references audit_log,
  decided_at timestamptz,
  rejection_reason text constraint rejections_of_adjustments_say_why check (length(trim(rejection_reason)) between 1 and 1000),
  transfer_id uuid constraint one_adjustment_per_transfer unique references ledger_keys (id),
  constraint adjustments_say_whose_they_are
    check (kind = 'reversal' or (kind in ('equity-funding', 'equity-drawing', 'wallet-transfer')) = (customer_id is null)),
  constraint gifts_have_evidence check (kind not in ('goodwill', 'subsidy', 'equity-drawing') or evidence_id is not null),
  constraint funding_names_its_payment check ((kind in ('equity-funding', 'equity-drawing', 'wallet-transfer')) = (txid is not null)),
  constraint what_we_sent_says_its_fee
    check ((kind in ('equity-drawing', 'wallet-transfer')) = (fee_units is not null) and (kind <> 'wallet-transfer' or fee_units > 0)),
  constraint payments_are_of_their_chain check (txid ~ case asset when 'BTC' then '^[0-9a-f]{64}$' else '^0x[0-9a-f]{64}$' end),
  constraint reversals_name_what_they_reverse check ((kind = 'reversal') = (reverses is not null)),
  constraint adjustments_are_decided_by_an_act
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint who_proposed_does_not_decide check (state not in ('approved', 'rejected') or decided_by <> proposed_by),
  constraint only_who_proposed_withdraws check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint only_rejections_say_why_not check ((state = 'rejected') = (rejection_reason is not null)),
  constraint only_approved_adjustments_are_posted check ((state = 'approved') = (transfer_id is not null)),
  constraint one_adjustment_per_submission unique (proposed_by, submission_key)
);
create unique index one_reversal_per_adjustment on adjustments (reverses) where state in ('open', 'approved');
create index adjustments_that_wait on adjustments (proposed_at, id) where state = 'open';
create index adjustments_decided on adjustments (decided_at desc, id desc) where state <> 'open';
create index adjustments_of_a_customer on adjustments (customer_id, proposed_at desc, id desc) where customer_id is not null;
create index adjustments_by_txid on adjustments (txid) where txid is not null;
