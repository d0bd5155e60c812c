create table notices (
  id uuid primary key, customer_id uuid not null references customers,
  key text not null constraint notice_keys_are_short check (length(key) between 1 and 300) constraint told_once unique,
  kind text not null, title text not null constraint notices_have_a_title check (length(title) between 1 and 300),
  body text not null constraint notices_are_short check (length(body) <= 2000),
  path text not null constraint notices_lead_into_the_account check (path ~ '^/account(/[a-z0-9/-]*)?$'),
  created_at timestamptz not null, read_at timestamptz
);
create index notices_newest_first on notices (customer_id, id desc);
create index notices_to_read on notices (customer_id) where read_at is null;
