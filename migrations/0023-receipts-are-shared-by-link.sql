-- A receipt can be shown to somebody by a link that names nobody and can be taken back. And nobody's account closes over a
-- contract that runs, or whose price is still to be settled. Why it is like this: docs/decisions/0021.

create table receipt_links (
  -- What the address holds: whoever has it may read this one receipt.
  token text collate "C" primary key constraint tokens_of_links_are_random check (token ~ '^[A-Za-z0-9_-]{22}$'),
  contract_id uuid not null references contracts,
  day date not null,
  created_at timestamptz not null,
  ended_at timestamptz constraint links_end_after_they_begin check (ended_at >= created_at)
);
create unique index one_open_link_per_receipt on receipt_links (contract_id, day) where ended_at is null;

create function check_changed_receipt_link() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null or (to_jsonb(new) - 'ended_at') is distinct from (to_jsonb(old) - 'ended_at') then
    raise exception 'A link is only ever taken back.'
      using errcode = 'check_violation', constraint = 'links_are_only_taken_back';
  end if;
  return new;
end
$$;
create trigger links_are_only_taken_back before update on receipt_links
  for each row execute function check_changed_receipt_link();

grant select, insert on receipt_links to assay_app;
grant update (ended_at) on receipt_links to assay_app;

create or replace function something_is_owed(customer uuid) returns boolean language sql stable as $$
  select exists (select from ledger_accounts where owner_id = customer and balance <> 0)
      or exists (select from deposits where customer_id = customer and state = 'pending')
      or exists (select from contracts where customer_id = customer and last_day is null)
      or exists (select from contract_endings where customer_id = customer and settled_at is null)
$$;
