-- Balances of a demo or of a test network are not money. A database remembers what it was begun as, and no start can make
-- another thing of it. And what somebody agreed to when he signed up is known to the letter.

create table installation (
  only_one boolean primary key default true constraint there_is_one_installation check (only_one),
  network text not null constraint installations_are_on_a_listed_network check (network in ('regtest', 'testnet', 'mainnet')),
  demo boolean not null constraint demos_are_on_test_networks check (not demo or network <> 'mainnet'),
  begun_at timestamptz not null
);
create trigger installations_stay_what_they_are before update or delete or truncate on installation
  for each statement execute function refuse_to_rewrite('installations_stay_what_they_are');
grant select, insert on installation to assay_app;

create table accepted_texts (
  customer_id uuid not null references customers,
  text text not null constraint texts_that_are_accepted_are_listed check (text in ('terms', 'privacy')),
  version text not null,
  -- Of the plain text that applied: core/legal/plain-text.ts.
  sha256 bytea not null constraint accepted_texts_are_known_by_their_sha256 check (length(sha256) = 32),
  accepted_at timestamptz not null,
  constraint a_version_is_accepted_once primary key (customer_id, text, version)
);
create trigger accepted_texts_are_written_once before update or delete or truncate on accepted_texts
  for each statement execute function refuse_to_rewrite('accepted_texts_are_written_once');
grant select, insert on accepted_texts to assay_app;
