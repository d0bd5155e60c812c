create table withdrawal_addresses (
  id uuid primary key, customer_id uuid not null references customers,
  asset text not null constraint addresses_are_of_a_coin_that_leaves check (asset in ('BTC', 'ETH', 'USDT')),
  address text collate "C" not null constraint addresses_are_short check (length(address) between 14 and 100),
  label text not null constraint addresses_have_a_label check (length(trim(label)) between 1 and 60 and label !~ '[[:cntrl:]]'),
  added_at timestamptz not null,
  usable_from timestamptz not null, -- Nothing leaves to it before: a thief with a session for an hour cannot use an address of their own.
  removed_at timestamptz,
  constraint new_addresses_cool_down check (usable_from >= added_at + interval '24 hours'),
  constraint ethereum_addresses_are_whole check (asset = 'BTC' or address ~ '^0x[0-9a-fA-F]{40}$')
);
create index withdrawal_addresses_by_address on withdrawal_addresses (address);
create unique index one_address_in_the_book on withdrawal_addresses (customer_id, asset, address) where removed_at is null;

create table coin_scans (
  id uuid primary key, wallet_id uuid not null references wallets,
  asked_by uuid not null references operators, asked_by_act uuid not null constraint one_scan_per_act unique references audit_log,
  asked_at timestamptz not null, finished_at timestamptz, height integer,
  coins jsonb, -- Of the whole unspent set at that height: txid, vout, units, branch, index, blockHash, coinbase.
  fault text,
  constraint finished_scans_found_coins_or_a_fault check (case when finished_at is null then num_nonnulls(height, coins, fault) = 0
                else (fault is null) = (coins is not null) and (coins is null) = (height is null) end)
);
comment on column coin_scans.coins is 'ts: ScannedCoin[] from #server/withdrawals/bitcoin/coin.ts';
create unique index one_scan_at_a_time on coin_scans (wallet_id) where finished_at is null;
create index coin_scans_of_a_wallet on coin_scans (wallet_id, asked_at desc);

create table withdrawal_batches (
  id uuid primary key, submission_key uuid not null constraint one_batch_per_submission unique,
  wallet_id uuid references wallets, day date not null,
  needs_two boolean not null, -- Whether another person must order the broadcast than formed it: the total was above the limit.
  change_index integer constraint change_goes_to_a_plain_index check (change_index >= 0), -- Of the wallet's branch for change.
  anchor_txid text collate "C", anchor_vout integer,
  formed_height integer not null, -- The tip when it was formed: no version can be in an earlier block.
  formed_by uuid not null references operators,
  formed_by_act uuid not null constraint one_withdrawal_batch_per_act unique references audit_log, formed_at timestamptz not null,
  state text not null default 'formed' constraint batches_have_a_known_state check (state in ('formed', 'broadcast', 'settled', 'failed')),
  broadcast_at timestamptz,
  mined_height integer, mined_hash text collate "C", -- The block in which the anchor is spent, as far as the node said last.
  mined_version_id uuid, ended_at timestamptz,
  fee_transfer_id uuid constraint one_batch_per_fee_transfer unique references ledger_keys (id),
  chain text not null constraint batches_are_on_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  -- Of Ethereum: the address that pays, whose nonces are taken, on which chain (EIP-155).
  chain_id bigint constraint chains_have_a_number check (chain_id > 0),
  hot_wallet text collate "C" constraint hot_wallets_are_whole_addresses check (hot_wallet ~ '^0x[0-9a-fA-F]{40}$'),
  purpose text not null constraint batches_have_a_listed_purpose check (purpose in ('withdrawals', 'consolidation')),
  anchor_gone_height integer, -- The height at which the node first had neither the anchor nor a block that spends it; null: it has one.
  searched_height integer, searched_hash text collate "C", -- The block up to which nothing has spent the anchor.
  abandonment_id uuid constraint one_batch_per_abandonment unique,
  constraint batches_are_of_their_day check (day = (formed_at at time zone 'UTC')::date),
  constraint broadcast_batches_say_when check (state <> 'broadcast' or broadcast_at is not null),
  constraint blocks_have_height_and_hash check ((mined_height is null) = (mined_hash is null)),
  constraint ended_batches_say_when check ((state in ('settled', 'failed')) = (ended_at is not null)),
  constraint one_change_address_per_batch unique (wallet_id, change_index),
  constraint batches_know_what_excludes_their_versions
    check (num_nonnulls(wallet_id, change_index, anchor_txid, anchor_vout) = case chain when 'bitcoin' then 4 else 0 end
           and num_nonnulls(chain_id, hot_wallet) = case chain when 'bitcoin' then 0 else 2 end),
  constraint settled_batches_are_in_a_block
    check (state <> 'settled' or chain = 'ethereum' or num_nonnulls(mined_hash, mined_version_id, fee_transfer_id) = 3),
  -- Each payment has its own block.
  constraint batches_of_ethereum_are_in_many_blocks
    check (chain = 'bitcoin' or num_nonnulls(mined_height, mined_hash, mined_version_id, fee_transfer_id) = 0),
  constraint failed_batches_were_overtaken_in_a_block
    check (state <> 'failed' or chain = 'ethereum' or (mined_hash is null) <> (abandonment_id is null) and mined_version_id is null),
  constraint consolidations_need_two_people check (purpose = 'withdrawals' or chain = 'bitcoin' and needs_two),
  constraint searched_blocks_have_a_hash check ((searched_height is null) = (searched_hash is null))
);
comment on column withdrawal_batches.chain_id is 'ts: number';
create index withdrawal_batches_that_go_on on withdrawal_batches (formed_at) where state in ('formed', 'broadcast');
create index withdrawal_batches_by_time on withdrawal_batches (formed_at desc);
-- Nonces follow each other: what comes later waits for what came before.
create unique index one_batch_of_a_hot_wallet_at_a_time on withdrawal_batches (chain_id, hot_wallet) where state in ('formed', 'broadcast');

create table withdrawal_batch_coins (
  batch_id uuid references withdrawal_batches,
  txid text collate "C" constraint coins_have_a_txid check (txid ~ '^[0-9a-f]{64}$'),
  vout integer constraint coins_have_a_place check (vout >= 0),
  units numeric(38, 0) not null constraint coins_are_worth_something check (units > 0),
  branch integer not null constraint coins_lie_on_a_branch check (branch in (0, 1, 2)),
  derivation_index integer not null constraint coins_lie_at_a_plain_index check (derivation_index >= 0),
  block_hash text collate "C" not null,
  released_at timestamptz, -- When the batch ended without spending it.
  constraint one_coin_once_in_a_batch primary key (batch_id, txid, vout)
);
create unique index one_batch_per_coin on withdrawal_batch_coins (txid, vout) where released_at is null;

create table withdrawal_batch_versions (
  id uuid primary key, batch_id uuid not null references withdrawal_batches,
  number integer not null constraint versions_are_counted_from_one check (number >= 1),
  fee_per_kvb integer constraint fee_rates_are_within_bounds check (fee_per_kvb between 100 and 1000000),
  fee_units numeric(38, 0) not null constraint versions_pay_a_fee check (fee_units > 0),
  change_units numeric(38, 0) not null constraint change_is_no_debt check (change_units >= 0),
  -- `txid:vout` of each coin that it spends, and the withdrawals that it pays, in the order of its inputs and outputs.
  spends text[] collate "C" not null, pays uuid[] not null,
  txid text collate "C" constraint one_version_per_transaction unique, -- Known before it is signed: signatures are in the witness.
  mark bytea, -- The digest of the day (`proof_days`) that it carries in an output of no value.
  unsigned bytea not null,
  reason text, -- Why it takes the place of the one before.
  made_by uuid not null references operators, made_by_act uuid not null constraint one_built_version_per_act unique references audit_log,
  made_at timestamptz not null, raw bytea,
  signed_by uuid references operators, signed_by_act uuid constraint one_signed_version_per_act unique references audit_log,
  signed_at timestamptz,
  alone_at timestamptz, -- When who formed the batch or built this ordered it as well, by PostgreSQL's clock.
  ordered_by uuid references operators, ordered_by_act uuid constraint one_order_per_act unique references audit_log,
  ordered_at timestamptz, sent_at timestamptz, fault text,
  -- Of Ethereum, in wei; `fee_units` is then the most that the network can take, and `spends` the nonces, as hot wallet:nonce.
  max_fee_per_gas numeric(38, 0), max_priority_fee_per_gas numeric(38, 0),
  constraint orders_are_acts check (num_nonnulls(ordered_by, ordered_by_act, ordered_at) in (0, 3)),
  constraint only_signed_versions_are_ordered check (ordered_at is null or signed_at is not null),
  constraint only_ordered_versions_are_sent check (sent_at is null or ordered_at is not null),
  constraint one_built_version_per_number unique (batch_id, number),
  constraint versions_of_one_batch unique (batch_id, id),
  -- A version may pay no withdrawal: on Ethereum it then takes the nonces, of Bitcoin it pays the wallet and spends the anchor.
  constraint versions_pay_somebody check (txid is null or cardinality(pays) >= 1 or change_units > 0),
  constraint signed_versions_hold_the_transaction check (num_nonnulls(signed_by, signed_by_act, signed_at) in (0, 3)
    and (raw is not null) = (signed_at is not null and txid is not null)),
  constraint versions_name_the_fee_of_their_chain
    check (case when txid is not null then fee_per_kvb is not null and num_nonnulls(max_fee_per_gas, max_priority_fee_per_gas) = 0
                else fee_per_kvb is null and max_fee_per_gas is not null and max_priority_fee_per_gas between 0 and max_fee_per_gas end)
);
create index versions_by_mark on withdrawal_batch_versions (mark) where mark is not null;
create index versions_ordered_alone on withdrawal_batch_versions (alone_at) where alone_at is not null;

create table withdrawals (
  id uuid primary key, customer_id uuid not null references customers,
  request_key uuid not null, -- Minted with the form: however often the same form arrives, it is one withdrawal.
  asset text not null constraint withdrawals_are_of_a_coin_that_leaves check (asset in ('BTC', 'ETH', 'USDT')),
  address text collate "C" not null,
  units numeric(38, 0) not null, -- What leaves the balance; the fee is part of it.
  fee_units numeric(38, 0) not null constraint fees_are_no_debt check (fee_units >= 0),
  takes_all boolean not null, -- Whether all that was there was asked for, rather than an amount.
  is_final boolean not null, -- The last payment of an account that is being closed: all that is there, without fee, minimum and limit.
  usd_cents numeric(38, 0), price_id uuid references market_prices, requested_at timestamptz not null,
  payable_from timestamptz not null, -- The end of the address's cool-down.
  due_on date not null,
  confirm_token_sha256 bytea not null constraint tokens_are_known_by_their_sha256 check (length(confirm_token_sha256) = 32)
    constraint one_withdrawal_per_link unique,
  confirm_by timestamptz not null,
  request_transfer_id uuid not null constraint one_withdrawal_per_request_transfer unique references ledger_keys (id),
  state text not null default 'requested' constraint withdrawals_have_a_known_state
    check (state in ('requested', 'confirmed', 'approved', 'batched', 'broadcast', 'settled', 'cancelled', 'rejected', 'returned')),
  confirmed_at timestamptz,
  approved_by uuid references operators, approved_by_act uuid constraint one_approved_withdrawal_per_act unique references audit_log,
  approved_at timestamptz, batch_id uuid references withdrawal_batches, broadcast_at timestamptz, ended_at timestamptz,
  ended_by text constraint withdrawals_are_ended_by_somebody check (ended_by in ('customer', 'mail-link', 'time', 'staff', 'chain')),
  ended_by_act uuid constraint one_rejected_withdrawal_per_act unique references audit_log,
  reason text constraint rejections_of_withdrawals_say_why check (length(trim(reason)) between 1 and 1000),
  end_transfer_id uuid constraint one_withdrawal_per_end_transfer unique references ledger_keys (id),
  constraint final_payments_are_free check (not is_final or fee_units = 0 and takes_all),
  constraint values_of_withdrawals_have_their_price check ((usd_cents is null) = (price_id is null)),
  constraint requests_of_a_day_leave_on_the_next check (due_on = (greatest(requested_at, payable_from) at time zone 'UTC')::date + 1),
  constraint links_work_for_a_day check (confirm_by <= requested_at + interval '24 hours'),
  constraint confirmed_withdrawals_say_when check (state in ('requested', 'cancelled', 'rejected') or confirmed_at is not null),
  constraint nothing_leaves_without_approval check (state in ('requested', 'confirmed', 'cancelled', 'rejected')
           or num_nonnulls(approved_by, approved_by_act, approved_at) = 3),
  constraint withdrawals_leave_in_a_batch check ((state in ('batched', 'broadcast', 'settled', 'returned')) = (batch_id is not null)),
  constraint ended_withdrawals_say_when check (num_nonnulls(ended_at, end_transfer_id)
           = case when state in ('settled', 'cancelled', 'rejected', 'returned') then 2 else 0 end),
  constraint only_rejected_and_returned_withdrawals_have_a_reason check ((state in ('rejected', 'returned')) = (reason is not null)),
  constraint rejections_are_acts check ((state = 'rejected') = (ended_by_act is not null)),
  constraint what_came_back_says_by_whom check ((state in ('cancelled', 'rejected', 'returned')) = (ended_by is not null)),
  constraint one_withdrawal_per_request unique (customer_id, request_key),
  constraint no_output_is_dust check (units - fee_units >= case asset when 'BTC' then 546 else 1 end)
);
create index withdrawals_of_a_customer on withdrawals (customer_id, requested_at desc, id desc);
create index withdrawals_that_wait on withdrawals (requested_at, id)
  where state in ('requested', 'confirmed', 'approved', 'batched', 'broadcast');
create index withdrawals_by_end on withdrawals (ended_at desc, id desc) where ended_at is not null;
create index withdrawals_by_address on withdrawals (address, requested_at desc);
create index withdrawals_of_a_batch on withdrawals (batch_id) where batch_id is not null;

create table withdrawal_holds (
  id uuid primary key, withdrawal_id uuid not null references withdrawals,
  reason text not null constraint holds_have_a_reason check (length(trim(reason)) between 1 and 1000), -- The customer reads it.
  placed_by uuid not null references operators, placed_by_act uuid not null constraint one_hold_per_act unique references audit_log,
  placed_at timestamptz not null, ends_at timestamptz not null,
  lifted_by uuid references operators, lifted_by_act uuid constraint one_lifted_hold_per_act unique references audit_log,
  lifted_at timestamptz,
  constraint holds_have_an_end check (ends_at > placed_at),
  constraint holds_are_lifted_by_an_act check (num_nonnulls(lifted_by, lifted_by_act, lifted_at) in (0, 3))
);
create index withdrawal_holds_of_a_withdrawal on withdrawal_holds (withdrawal_id, placed_at);

-- What the node said would fail when a batch was formed last: it is asked about after everything else, so that it keeps nothing waiting.
create table failing_withdrawals (
  withdrawal_id uuid primary key references withdrawals, said_at timestamptz not null
);

-- Why the last look at a batch of withdrawals failed, and since when looks fail for that reason. The first that succeeds ends it.
create table withdrawal_batch_incidents (
  batch_id uuid primary key references withdrawal_batches,
  health text not null constraint incidents_of_batches_have_a_listed_health check (health in (
    'unreachable', 'unauthorized', 'warming-up', 'syncing', 'stale', 'behind', 'pruned', 'another-chain', 'lying',
    'reorg-too-deep', 'not-finalizing', 'wrong-token', 'no-traces', 'foreign-address')),
  detail text not null constraint details_of_batch_incidents_are_short check (length(detail) <= 300),
  since timestamptz not null, last_polled_at timestamptz not null,
  constraint incidents_of_batches_last_forwards check (last_polled_at >= since)
);

create table withdrawal_abandonments (
  id uuid primary key, batch_id uuid not null references withdrawal_batches,
  reason text not null constraint abandonments_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open' constraint abandonments_are_in_a_known_state check (state in ('open', 'confirmed', 'declined')),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null constraint one_abandonment_per_act unique references audit_log, proposed_at timestamptz not null,
  decided_by uuid references operators, decided_by_act uuid constraint one_decision_on_an_abandonment_per_act unique references audit_log,
  decided_at timestamptz,
  constraint decided_abandonments_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint abandonments_need_two_people check (state <> 'confirmed' or decided_by <> proposed_by)
);
create unique index one_abandonment_per_batch on withdrawal_abandonments (batch_id) where state <> 'declined';
create index withdrawal_abandonments_of_a_batch on withdrawal_abandonments (batch_id, proposed_at);

create table withdrawal_payments (
  withdrawal_id uuid primary key references withdrawals, batch_id uuid not null references withdrawal_batches,
  chain_id bigint not null, hot_wallet text collate "C" not null,
  nonce bigint not null constraint nonces_count_from_zero check (nonce >= 0),
  token text collate "C", -- The contract through which it is paid; null: ether.
  -- The block in which the nonce is taken, and by which transaction, as far as the node said last.
  mined_height integer, mined_hash text collate "C", mined_txid text collate "C",
  -- Reverted: ours, but it moved nothing. Voided: by ours that pays nothing. Overtaken: by a transaction that is not ours.
  outcome text
    constraint payments_end_in_a_known_way check (outcome in ('paid', 'undelivered', 'reverted', 'voided', 'overtaken', 'abandoned')),
  fee_units numeric(38, 0) constraint network_fees_are_no_debt check (fee_units >= 0), -- What the network took for it, in wei.
  fee_transfer_id uuid constraint one_payment_per_fee_transfer unique references ledger_keys (id),
  fault text, -- What is odd about it, so that a person must look; it is then neither settled nor given back.
  ended_at timestamptz,
  resolution_id uuid constraint one_payment_per_resolution unique,
  constraint blocks_of_payments_are_whole check (num_nonnulls(mined_height, mined_hash, mined_txid) in (0, 3)),
  constraint ended_payments_say_when_and_how check (num_nonnulls(outcome, ended_at) in (0, 2)),
  constraint ended_payments_are_in_a_block check (outcome is null or (outcome = 'abandoned') = (mined_hash is null)),
  constraint our_payments_cost_a_fee check (outcome is null or (outcome in ('overtaken', 'abandoned')) = (fee_units is null)),
  constraint fees_of_payments_are_posted check ((coalesce(fee_units, 0) > 0) = (fee_transfer_id is not null)),
  constraint undelivered_payments_were_resolved check (outcome <> 'undelivered' or resolution_id is not null)
);
comment on column withdrawal_payments.chain_id is 'ts: number';
comment on column withdrawal_payments.nonce is 'ts: number';
-- What was never taken away to be signed leaves its nonce to the next.
create unique index one_payment_per_nonce on withdrawal_payments (chain_id, hot_wallet, nonce) where outcome is distinct from 'abandoned';
create index withdrawal_payments_of_a_batch on withdrawal_payments (batch_id, nonce);

create index payments_that_reverted on withdrawal_payments (withdrawal_id) where outcome = 'reverted';

create table withdrawal_transactions (
  version_id uuid references withdrawal_batch_versions, withdrawal_id uuid references withdrawal_payments,
  pays boolean not null, -- False: it takes the nonce and pays nothing.
  gas_limit bigint not null constraint transactions_may_use_gas check (gas_limit >= 21000),
  unsigned bytea not null, raw bytea,
  txid text collate "C" constraint transactions_have_a_hash check (txid ~ '^0x[0-9a-f]{64}$'), -- Of the signed bytes.
  sent_at timestamptz, fault text,
  constraint signed_transactions_have_a_hash check (num_nonnulls(raw, txid) in (0, 2)),
  constraint only_signed_transactions_are_sent check (sent_at is null or raw is not null),
  constraint one_transaction_per_payment_and_version primary key (version_id, withdrawal_id)
);
comment on column withdrawal_transactions.gas_limit is 'ts: number';
create index withdrawal_transactions_of_a_payment on withdrawal_transactions (withdrawal_id);
create index withdrawal_transactions_by_txid on withdrawal_transactions (txid);

create table withdrawal_resolutions (
  id uuid primary key, withdrawal_id uuid not null references withdrawal_payments,
  -- The transaction that was looked at: should another one take the nonce after all, nothing was said of it.
  txid text collate "C" not null,
  says text not null constraint resolutions_say_one_of_two_things check (says in ('paid', 'undelivered')),
  reason text not null constraint resolutions_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open' constraint resolutions_are_in_a_known_state check (state in ('open', 'confirmed', 'declined')),
  proposed_by uuid not null references operators, proposed_by_act uuid not null references audit_log, proposed_at timestamptz not null,
  decided_by uuid references operators, decided_by_act uuid references audit_log, decided_at timestamptz,
  constraint decided_resolutions_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint resolutions_need_two_people check (state <> 'confirmed' or decided_by <> proposed_by)
);
create unique index one_resolution_per_payment on withdrawal_resolutions (withdrawal_id, txid) where state <> 'declined';

alter table withdrawal_batches
  add constraint batches_are_abandoned_as_was_said foreign key (abandonment_id) references withdrawal_abandonments,
  add constraint what_was_mined_is_a_version_of_the_batch
    foreign key (id, mined_version_id) references withdrawal_batch_versions (batch_id, id);
alter table withdrawal_payments add constraint withdrawal_payments_resolution_id_fkey
  foreign key (resolution_id) references withdrawal_resolutions;
