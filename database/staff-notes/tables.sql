create table staff_notes (
  id uuid primary key, customer_id uuid not null references customers,
  body text not null constraint notes_have_words check (length(trim(body)) between 1 and 4000),
  written_by uuid not null references operators, written_by_act uuid not null constraint one_note_per_act unique references audit_log,
  written_at timestamptz not null
);
create index staff_notes_of_a_customer on staff_notes (customer_id, written_at desc, id desc);

create table customer_flags (
  id uuid primary key, customer_id uuid not null references customers, kind text not null constraint flags_are_of_a_known_kind
    check (kind in ('look-closer-at-deposits', 'look-closer-at-withdrawals', 'look-closer-at-identity', 'ask-an-owner-first')),
  reason text not null constraint flags_have_a_reason check (length(trim(reason)) between 1 and 1000),
  raised_by uuid not null references operators, raised_by_act uuid not null constraint one_flag_per_act unique references audit_log,
  raised_at timestamptz not null, ends_at timestamptz not null,
  lifted_by uuid references operators, lifted_by_act uuid constraint one_lift_per_act unique references audit_log, lifted_at timestamptz,
  constraint flags_end_within_a_year check (ends_at > raised_at and ends_at <= raised_at + interval '366 days'),
  constraint flags_are_lifted_by_an_act check (num_nonnulls(lifted_by, lifted_by_act, lifted_at) in (0, 3))
);
create index customer_flags_of_a_customer on customer_flags (customer_id, ends_at);
