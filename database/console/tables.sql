-- What should have happened and has not: from when it was seen first until it was not for ten minutes.
create table alarms (
  id uuid primary key,
  -- The kind, and what it is of: one alarm for as long as it goes on.
  subject text collate "C" not null, kind text collate "C" not null,
  words text not null constraint alarms_have_words check (length(words) between 1 and 500),
  late_since timestamptz, -- Null: it has never happened.
  begun_at timestamptz not null, seen_at timestamptz not null, ended_at timestamptz,
  -- When staff were mailed that it began, that it goes on, and that it is over. Null: not yet.
  told_at timestamptz, reminded_at timestamptz, cleared_at timestamptz,
  constraint alarms_are_seen_after_they_began check (seen_at >= begun_at),
  constraint alarms_end_after_they_were_seen check (ended_at >= seen_at),
  constraint only_what_was_told_is_cleared check (cleared_at >= told_at)
);
create unique index one_alarm_of_a_subject_at_a_time on alarms (subject) where ended_at is null;
create index alarms_that_are_not_cleared on alarms (id) where ended_at is not null and told_at is not null and cleared_at is null;
create index alarms_by_time on alarms (begun_at desc, id desc) where ended_at is not null;
create index alarms_by_end on alarms (ended_at desc) where ended_at is not null;
create index alarms_of_a_subject on alarms (subject, begun_at desc);

-- While somebody works on the machines, no mail is sent about what is late.
create table alarm_silences (
  id uuid primary key,
  reason text not null constraint silences_have_a_reason check (length(trim(reason)) between 1 and 300),
  operator_id uuid not null references operators, act_id uuid not null constraint one_silence_per_act unique references audit_log,
  begun_at timestamptz not null, ends_at timestamptz not null,
  ended_at timestamptz, ended_by uuid references operators, ended_by_act uuid constraint one_end_of_a_silence_per_act unique references audit_log,
  constraint silences_are_short check (ends_at > begun_at and ends_at <= begun_at + interval '24 hours'),
  constraint silences_are_ended_by_an_act check (num_nonnulls(ended_at, ended_by, ended_by_act) in (0, 3))
);
create index silences_by_time on alarm_silences (begun_at desc, id desc);
