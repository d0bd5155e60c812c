create table account_closings (
  id uuid primary key, customer_id uuid not null references customers,
  -- waiting: something is owed. leaving: closed, and can be taken back. kept: taken back. erased: final.
  state text not null constraint closings_wait_leave_end_or_are_taken_back check (state in ('waiting', 'leaving', 'kept', 'erased')),
  asked_at timestamptz not null, closed_at timestamptz, erase_after timestamptz,
  return_token_sha256 bytea constraint one_closing_per_token unique, ended_at timestamptz,
  constraint closings_leave_at_a_time check (state not in ('leaving', 'erased') or (closed_at is not null and erase_after > closed_at)),
  constraint closings_can_be_taken_back_while_leaving check ((state = 'leaving') = (return_token_sha256 is not null)),
  constraint closings_end_at_a_time check ((state in ('kept', 'erased')) = (ended_at is not null))
);
create unique index one_closing_at_a_time on account_closings (customer_id) where state in ('waiting', 'leaving');
create index account_closings_open on account_closings (state, id) where state in ('waiting', 'leaving');

create table data_exports (
  id uuid primary key, customer_id uuid not null references customers,
  state text not null default 'asked' constraint exports_are_asked_ready_or_ended check (state in ('asked', 'ready', 'ended')),
  asked_at timestamptz not null, file_key text collate "C" constraint one_export_per_file unique,
  secret bytea constraint secrets_of_exports_have_32_bytes check (length(secret) = 32),
  byte_size integer constraint exports_are_not_empty check (byte_size > 0),
  ready_at timestamptz, expires_at timestamptz, ended_at timestamptz,
  constraint ready_exports_can_be_read check (state <> 'ready' or num_nulls(file_key, secret, byte_size, ready_at, expires_at) = 0),
  constraint ended_exports_can_be_read_no_more check ((state = 'ended') = (ended_at is not null) and (state <> 'ended' or secret is null))
);
create unique index one_export_at_a_time on data_exports (customer_id) where state <> 'ended';
create index data_exports_with_a_file on data_exports (expires_at) where file_key is not null;

create table left_remainders (
  id uuid primary key, customer_id uuid not null references customers, closing_id uuid not null references account_closings,
  asset text not null constraint remainders_are_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  units numeric(38, 0) not null, left_at timestamptz not null,
  transfer_id uuid not null constraint one_remainder_per_transfer unique references ledger_keys (id),
  -- The most that could be left of the coin then: what a withdrawal of it cost, as far as that counts.
  most_units numeric(38, 0) not null, constraint only_what_is_not_worth_sending_is_left check (units between 1 and most_units),
  follows boolean not null default false -- It arrived after its owner had left a remainder of the coin, and went as the account closed.
);
