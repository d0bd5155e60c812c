-- The ledger: double-entry transfers that PostgreSQL itself keeps balanced, complete, append-only and never below zero for a
-- customer. The application may read these tables; it writes only by calling the functions beside this file. What is
-- refused, and where: posting.sql.
-- docs/decisions/0002-the-ledger.md says why it is shaped like this.

-- Types ----------------------------------------------------------------------------------------------------
-- Domains hold the rules that concern one value: PostgreSQL keeps their checks parsed, and would parse a table's for every statement, a
-- fifth of a posting. Fractions of a unit are rounded away before any check.

create domain ledger_asset as text collate "C" constraint an_account_holds_a_coin check (value in ('BTC', 'ETH', 'USDT'));
create domain ledger_balance as numeric(38, 0) constraint customers_never_below_zero check (value >= 0);
-- Signed: positive credits, negative debits.
create domain ledger_units as numeric(38, 0) constraint an_entry_moves_something check (value <> 0);
create type ledger_leg as (account text collate "C", asset text collate "C", units numeric(38, 0));
create domain ledger_legs as ledger_leg[] constraint a_transfer_has_two_sides check (cardinality(value) between 2 and 100)
  constraint legs_are_a_list_from_one check (array_ndims(value) = 1 and array_lower(value, 1) = 1);
create domain ledger_key as text collate "C" constraint a_key_is_short check (length(value) between 1 and 200);
create domain ledger_source as text constraint a_source_is_named check (length(value) between 1 and 200);
create domain ledger_memo as text constraint a_memo_is_short check (length(value) <= 500);

-- Bitcoin's first block is of 2009: no fact of this ledger is older, and none is of a day that no calendar has.
create domain ledger_day as date constraint a_day_is_in_the_calendar check (value between '2009-01-03' and '9999-12-31');

-- The same for moments, which may be `infinity` otherwise. Whoever writes a time that a caller gives casts it to this first.
create domain ledger_time as timestamptz constraint a_time_is_in_the_calendar
  check (value >= '2009-01-03 00:00:00+00' and value < '10000-01-01 00:00:00+00');

create table ledger_account_kinds (
  account text collate "C" primary key,
  owner text not null constraint an_account_is_a_customers_or_the_houses check (owner in ('customer', 'house')),
  side text not null constraint an_account_has_a_side check (side in ('credit', 'debit', 'both')), -- For readers; nothing asks for it.
  holds text not null
);
insert into ledger_account_kinds (account, owner, side, holds) values
  ('available',              'customer', 'credit', 'what the customer can use now'),
  ('held',                   'customer', 'credit', 'reserved: requested withdrawals, holds with a reason and an end date'),
  ('custody',                'house',    'debit',  'coins in the operator''s wallets for customers'),
  ('pool_receivable',        'house',    'credit', 'a day''s pool payout not yet distributed; only evidence can fund it'),
  ('rounding',               'house',    'credit', 'remainders carried to the next run'),
  ('contract_prepaid',       'house',    'credit', 'contract price not yet earned'),
  ('contract_revenue',       'house',    'credit', 'the operator''s income from contract days served'),
  ('maintenance_revenue',    'house',    'credit', 'the operator''s income from maintenance fees'),
  ('inactivity_revenue',     'house',    'credit', 'the operator''s income from inactivity fees'),
  ('withdrawal_fee_revenue', 'house',    'credit', 'the operator''s income from withdrawal fees'),
  ('network_fee_expense',    'house',    'debit',  'miners'' and gas fees paid'),
  ('operator_equity',        'house',    'credit', 'the operator''s own money; subsidies and goodwill come only from here'),
  ('operator_drawings',      'house',    'debit',  'what the operator took out: of the equity, and of the income'),
  ('conversion',             'house',    'both',   'the two sides of a conversion, one per asset');

-- The business facts that move value, and what each may debit and credit. Nothing else can be posted. A
-- reversal is the exact mirror of the transfer it reverses.
create table ledger_transfer_kinds (
  kind text collate "C" primary key, debits text[] collate "C" not null, credits text[] collate "C" not null
);
insert into ledger_transfer_kinds (kind, debits, credits) values
  ('deposit',              '{custody}',                                     '{available}'),
  ('withdrawal-request',   '{available}',                                   '{held}'),
  ('withdrawal-cancelled', '{held}',                                        '{available}'),
  ('withdrawal-sent',      '{held}',                                        '{custody,withdrawal_fee_revenue}'),
  ('network-fee',          '{network_fee_expense}',                         '{custody}'),
  ('hold',                 '{available}',                                   '{held}'),
  ('hold-release',         '{held}',                                        '{available}'),
  ('contract-purchase',    '{available}',                                   '{contract_prepaid}'),
  ('contract-day',         '{contract_prepaid}',                            '{contract_revenue}'),
  ('contract-refund',      '{contract_prepaid}',                            '{available}'),
  ('contract-forfeit',     '{contract_prepaid}',                            '{contract_revenue}'),
  ('pool-payout',          '{custody}',                                     '{pool_receivable}'),
  ('mining-credit',        '{pool_receivable}',                             '{available,rounding}'),
  ('rounding-carry',       '{pool_receivable,rounding}',                    '{pool_receivable,rounding}'),
  -- What the operator's own machines earned beside those that customers rent.
  ('operator-share',       '{pool_receivable}',                             '{operator_equity}'),
  -- A payout turned out to be another: what each had too much goes back, as far as it is there; the rest is the operator's loss.
  ('mining-correction',    '{available,operator_equity,pool_receivable}',   '{available,operator_equity,pool_receivable}'),
  ('maintenance-fee',      '{available}',                                   '{maintenance_revenue}'),
  ('inactivity-fee',       '{available}',                                   '{inactivity_revenue}'),
  ('goodwill',             '{operator_equity}',                             '{available}'),
  ('subsidy',              '{operator_equity}',                             '{available}'),
  ('equity-funding',       '{custody}',                                     '{operator_equity}'),
  ('equity-drawing',       '{network_fee_expense,operator_drawings}',       '{custody}'),
  ('wallet-transfer',      '{network_fee_expense}',                         '{custody}'),
  -- An amount too small to send, which a leaving customer leaves to the operator.
  ('remainder-left',       '{available}',                                   '{operator_equity}'),
  ('reversal',             '{}',                                            '{}');

-- What must stand behind a transfer of a kind, or behind its reversal: functions of the rooms that build on this one, which take the
-- transfer and raise an exception. Written when functions are applied, by nobody else.
create table ledger_document_checks (
  kind text collate "C" references ledger_transfer_kinds, of_reversal boolean, place integer, check_function regproc not null,
  primary key (kind, of_reversal, place)
);

create table ledger_accounts (
  owner_id uuid, account text collate "C", asset ledger_asset, balance ledger_balance, entry_count bigint,
  constraint one_account_per_owner_kind_and_asset primary key (owner_id, account, asset)
) with (fillfactor = 60); -- The house's have neither balance nor count: they are summed (house_balances).
insert into ledger_accounts (owner_id, account, asset)
select '00000000-0000-0000-0000-000000000000', kinds.account, coins.asset
  from ledger_account_kinds kinds cross join (values ('BTC'), ('ETH'), ('USDT')) coins (asset)
 where kinds.owner = 'house';

-- Numbers begin anew with each month, at its year, its month and ten zeros: 202611 0000000000. Transfers and entries are kept by
-- months of numbers, so that old ones can be taken out (`detach_ledger_month`). What is posted before any month was opened has numbers
-- of January 2009, when Bitcoin began.
create sequence ledger_transfer_numbers start 2009010000000000 minvalue 2009010000000000;

-- Every transfer that was ever posted, also of months that were taken out: no id and no key comes twice, and documents refer to these.
create table ledger_keys (
  number bigint constraint one_key_per_transfer primary key, kind text collate "C" not null, reverses uuid,
  id uuid not null constraint one_transfer_per_id unique, key ledger_key not null constraint one_transfer_per_key unique
);
comment on column ledger_accounts.account is 'ts: AccountKind from #server/ledger/account.ts';
create unique index one_reversal_per_transfer on ledger_keys (reverses) where reverses is not null;

create table ledger_transfers (
  -- The order in the ledger. A transaction has its id before it draws a number: `claim_block` in sealing.sql counts on it.
  number bigint primary key
    default nextval(case when pg_current_xact_id() is not null then 'ledger_transfer_numbers'::regclass end),
  id uuid not null, key ledger_key not null, -- Found by these through ledger_keys.
  kind text collate "C" not null, owner_id uuid not null,
  day ledger_day not null, occurred_at ledger_time not null, created_at timestamptz not null default now(),
  source ledger_source not null, memo ledger_memo not null, reverses uuid, legs ledger_legs not null
) partition by range (number);
comment on column ledger_transfers.kind is 'ts: TransferKind from #server/ledger/transfer.ts';
create table ledger_transfers_2009_01 partition of ledger_transfers for values from (2009010000000000) to (2009020000000000);

-- One row per leg. Every entry carries its transfer's owner, so the customer's account that an entry can
-- touch is that customer's and nobody else's.
create table ledger_entries (
  owner_id uuid not null, transfer_number bigint not null,
  account text collate "C" not null, asset ledger_asset not null, units ledger_units not null,
  -- Of customers' accounts only: the entry's place in its account, from 1, and the balance after it.
  sequence bigint, balance_after ledger_balance
) partition by range (transfer_number);
create table ledger_entries_2009_01 partition of ledger_entries for values from (2009010000000000) to (2009020000000000);
-- `months` is in platform/months.sql.
insert into months (parent, month) values ('ledger_transfers', '2009-01-01'), ('ledger_entries', '2009-01-01');
-- Customers' entries are found here, by account and in the order of the ledger. The house's are found in their transfer's legs,
-- and summed in the order they lie in: that of their numbers, which takes a few bytes per range and nothing per entry.
create unique index one_entry_per_account_and_transfer
  on ledger_entries (owner_id, account, asset, transfer_number) where account in ('available', 'held');
create index ledger_entries_by_number on ledger_entries using brin (transfer_number) with (autosummarize = on);

-- Where customers' accounts stood after the months that were taken out, and what had moved them.
create table ledger_openings (
  owner_id uuid, account text collate "C", asset ledger_asset, balance ledger_balance not null, entry_count bigint not null,
  primary key (owner_id, account, asset)
);
create table ledger_opening_totals (
  owner_id uuid, kind text collate "C", asset ledger_asset, units numeric(38, 0) not null, entries bigint not null,
  primary key (owner_id, kind, asset)
);

-- What moved customers' accounts, reversals as the kind that they reverse: entries one by one, and those of former months summed up.
create view ledger_movements as
  select e.transfer_number, e.owner_id, coalesce(reversed.kind, t.kind) as kind, e.asset, e.units, 1 as entries
    from ledger_entries e join ledger_transfers t on t.number = e.transfer_number left join ledger_keys reversed on reversed.id = t.reverses
   where e.account in ('available', 'held')
  union all
  select 0, owner_id, kind, asset, units, entries from ledger_opening_totals;
comment on view ledger_movements is 'ts: nothing may be null';
comment on column ledger_movements.kind is 'ts: PostedKind from #server/ledger/transfer.ts';

create table ledger_seals (
  number bigint constraint seals_count_from_one check (number >= 1) primary key,
  previous_hash bytea not null,
  transfer_count integer not null constraint a_seal_covers_transfers check (transfer_count > 0),
  -- The numbers of its transfers, which are its leaves in this order.
  covers int8multirange not null constraint a_seal_covers_numbers check (not isempty(covers)),
  merkle_root bytea not null, sealed_at ledger_time not null, hash bytea not null constraint one_seal_per_hash unique,
  -- Where the next search may start: every transfer up to this number is under this seal or an older one.
  complete_through bigint not null,
  -- When a sealer last looked: the highest number that was drawn, and the id of its own transaction. Once all lower ids have ended, no
  -- transfer up to that number is still to come.
  watched_through bigint not null, watched_before bigint not null,
  constraint one_seal_per_transfer exclude using gist (covers with &&)
);

-- What is claimed to be sealed and is not yet: its number is that of its seal.
create table ledger_blocks (
  number bigint primary key, covers int8multirange not null, transfer_count integer not null,
  -- As the seal will have them.
  complete_through bigint not null, watched_through bigint not null, watched_before bigint not null,
  merkle_root bytea, -- Null: it waits to be hashed.
  newest_at timestamptz -- The time of its newest fact, but for what is said to be of the future.
);

-- The balances of the house's accounts over all transfers up to a seal, so that nobody sums from the beginning.
create table ledger_house_snapshots (
  seal_number bigint references ledger_seals, account text collate "C", asset ledger_asset, units numeric(38, 0) not null,
  primary key (seal_number, account, asset)
);

-- Entries and balances are written by ledger_post alone. While it writes, the transaction says so in a setting that holds this
-- word and how deep in triggers the posting is: a statement that somebody sends, a trigger of another table, and a trigger that
-- the posting itself reaches have another depth, or not the word. Each installation has a word of its own.
-- What this does and does not stop: docs/decisions/0057.
do $$
begin
  execute format('create function ledger_token() returns text language sql immutable as %L',
                 format('select %L::text', encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex')));
end $$;
revoke execute on function ledger_token from public;
