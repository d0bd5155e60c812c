create table wallets (
  id uuid primary key, chain text not null constraint wallets_are_on_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  network text not null constraint wallets_are_on_a_listed_network check (network in ('regtest', 'testnet', 'mainnet')),
  -- The public key, the kind of its addresses and their path, in one way of writing.
  descriptor text collate "C" not null constraint wallets_hold_no_private_key check (descriptor !~ '\m[xyztuvYZUV]prv'),
  first_seen_at timestamptz not null,
  -- Above every index that was given out, on whatever branch: how far a node has to look.
  next_index integer not null default 0 constraint indexes_are_not_hardened check (next_index >= 0),
  compared_at timestamptz, compared_action_id uuid references audit_log,
  constraint comparing_a_wallet_is_an_act check ((compared_at is null) = (compared_action_id is null)),
  constraint one_wallet_per_descriptor unique (network, descriptor)
);

-- How far a chain was read. Reading the next block holds this row.
create table chain_positions (
  chain text constraint positions_are_on_a_listed_chain check (chain in ('bitcoin', 'ethereum')) primary key,
  began_at_height integer not null, -- Older blocks were not read.
  height integer not null, hash text collate "C" not null, block_time timestamptz not null, -- By its own clock.
  read_at timestamptz not null,
  -- The newest block that was read and that the chain calls final; null where a chain has no such thing, or not yet.
  finalized_height integer, finalized_hash text collate "C",
  constraint positions_stand_where_they_began_or_later check (height >= began_at_height - 1),
  constraint final_blocks_were_read check (finalized_height <= height),
  constraint final_blocks_have_a_hash check ((finalized_height is null) = (finalized_hash is null))
);

-- The newest blocks that were read, to find where another branch leaves the one that we know.
create table chain_blocks (
  chain text references chain_positions, height integer, hash text collate "C" not null,
  bits bigint, -- How hard it was to find, as the block says it; null where a chain has no such thing.
  constraint one_block_per_height primary key (chain, height)
);
comment on column chain_blocks.bits is 'ts: number';

-- The source that is asked about a chain, and whether its answers can be used. Nothing is credited unless it is `following`.
create table chain_sources (
  chain text constraint sources_are_of_a_listed_chain check (chain in ('bitcoin', 'ethereum')) primary key,
  health text not null constraint sources_have_a_listed_health check (health in (
    'following', 'catching-up', 'unreachable', 'unauthorized', 'warming-up', 'syncing', 'stale', 'behind', 'pruned',
    'another-chain', 'lying', 'reorg-too-deep', 'not-finalizing', 'wrong-token', 'no-traces', 'foreign-address')),
  detail text not null constraint details_of_sources_are_short check (length(detail) <= 300),
  since timestamptz not null, asked_at timestamptz not null, tip_height integer -- What it says; null: it never said anything.
);

-- From when to when a source could not be used. Open ones have no end.
create table chain_incidents (
  id bigint generated always as identity primary key,
  chain text not null, health text not null, detail text not null, began_at timestamptz not null, ended_at timestamptz,
  constraint incidents_end_after_they_begin check (ended_at >= began_at)
);
comment on column chain_incidents.chain is 'ts: WalletChain from #core/wallet/wallet-key.ts';
comment on column chain_incidents.health is 'ts: SourceHealth from #core/payments/source-health.ts';
create unique index one_open_incident_per_chain on chain_incidents (chain) where ended_at is null;
create index chain_incidents_newest_first on chain_incidents (began_at desc, id desc);

-- The bytes of transactions that paid our addresses: the evidence, and what a hardware wallet asks for when it spends.
create table chain_transactions (
  chain text constraint transactions_are_of_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  txid text collate "C", raw bytea, first_seen_at timestamptz not null,
  spends text[] collate "C", -- Bitcoin: `txid:output` of each coin that it spends.
  constraint txids_have_the_shape_of_their_chain check (txid ~ case chain when 'bitcoin' then '^[0-9a-f]{64}$' else '^0x[0-9a-f]{64}$' end),
  constraint one_row_per_transaction primary key (chain, txid),
  constraint transactions_of_bitcoin_are_kept_whole check (num_nonnulls(raw, spends) = 2 and spends <> '{}' or chain <> 'bitcoin')
);

-- What was built to spend the wallet's coins, sent or not: what is left of them comes back to the wallet.
create table own_transactions (
  txid text collate "C" constraint own_transactions_are_bitcoins check (txid ~ '^[0-9a-f]{64}$') primary key
);

-- Branches that were left, and what they took along.
create table chain_reorgs (
  id uuid primary key, chain text not null, fork_height integer not null, -- The last block that both branches have.
  old_height integer not null, old_hash text collate "C" not null, payments integer not null, found_at timestamptz not null,
  constraint reorgs_take_blocks_away check (old_height > fork_height)
);
comment on column chain_reorgs.chain is 'ts: WalletChain from #core/wallet/wallet-key.ts';
create index chain_reorgs_newest_first on chain_reorgs (found_at desc, id desc);

create table chain_deep_reorgs (
  id uuid primary key, chain text not null references chain_positions,
  -- The newest block that was read, and what the source has at that height instead.
  old_height integer not null, old_hash text collate "C" not null, new_hash text collate "C" not null,
  -- Where reading begins again: after the last block that both branches are known to have.
  fork_height integer not null, fork_hash text collate "C" not null,
  reason text not null constraint deep_reorgs_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open' constraint deep_reorgs_are_in_a_known_state check (state in ('open', 'confirmed', 'declined', 'done')),
  proposed_by uuid not null references operators, proposed_by_act uuid not null references audit_log, proposed_at timestamptz not null,
  decided_by uuid references operators, decided_by_act uuid references audit_log, decided_at timestamptz,
  reorg_id uuid constraint one_branch_per_deep_reorg unique references chain_reorgs, -- The branch that was left.
  constraint deep_reorgs_go_back check (fork_height < old_height and fork_height >= 0),
  constraint deep_reorgs_go_to_another_branch check (new_hash <> old_hash),
  constraint decided_deep_reorgs_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint deep_reorgs_need_two_people check (state not in ('confirmed', 'done') or decided_by <> proposed_by),
  constraint done_deep_reorgs_name_their_branch check ((state = 'done') = (reorg_id is not null))
);
-- What was left once can be read again, and left again.
create unique index one_deep_reorg_from_a_branch on chain_deep_reorgs (chain, old_hash, new_hash) where state in ('open', 'confirmed');
create index chain_deep_reorgs_newest_first on chain_deep_reorgs (proposed_at desc, id desc);

-- Every address that is watched: the next ones for customers, written before they are given out, and the operator's own.
create table wallet_addresses (
  address text collate "C" primary key, wallet_id uuid not null references wallets,
  -- 0: what the wallet itself shows for receiving; 2: customers'.
  branch integer not null constraint addresses_are_on_a_branch_for_receiving check (branch in (0, 2)),
  derivation_index integer not null constraint watched_indexes_are_not_hardened check (derivation_index >= 0),
  purpose text not null constraint addresses_are_for_customers_or_the_operators_own check (purpose in ('customers', 'own')),
  written_at timestamptz not null,
  asked_at timestamptz, -- When a node was last asked whether anything had ever happened there; null: never, or its chain is only watched.
  seen_at timestamptz, -- Since when something has been there, in a block or waiting for one.
  constraint one_address_per_place unique (wallet_id, branch, derivation_index)
);

create table deposit_addresses (
  wallet_id uuid references wallets, derivation_index integer, customer_id uuid not null references customers,
  address text collate "C" not null constraint one_customer_per_address unique
    constraint addresses_were_watched_before references wallet_addresses, issued_at timestamptz not null, branch integer,
  constraint one_address_per_customer_and_wallet unique (customer_id, wallet_id),
  constraint one_address_per_index primary key (wallet_id, branch, derivation_index)
);
comment on column deposit_addresses.branch is 'ts: 0 | 2';

-- What an output pays to when it pays an address of ours: blocks are matched against it in one question each.
create table chain_scripts (
  script bytea constraint scripts_are_not_empty check (length(script) between 1 and 10000) primary key,
  address text collate "C" not null constraint one_script_per_address unique
    constraint scripts_are_of_watched_addresses references wallet_addresses
);

create table chain_payments (
  id uuid primary key, chain text not null, txid text collate "C" not null,
  -- Bitcoin: the output. Ethereum: the place in the transaction's receipt.
  output_index integer not null constraint payments_are_counted_from_zero check (output_index >= 0),
  asset text not null, address text collate "C" not null constraint payments_are_to_watched_addresses references wallet_addresses,
  units numeric(38, 0) not null constraint payments_are_above_zero check (units > 0),
  coinbase boolean not null default false, -- New coins of a block, which cannot be spent before 100 blocks more.
  from_own boolean not null default false, -- At an address of the operator's own: nothing came from outside, it spends the wallet's coins.
  -- seen: waits for a block; mined: in a block of the chain; dropped: no node has it any more; orphaned: its block left the chain.
  state text not null constraint payments_have_a_listed_state check (state in ('seen', 'mined', 'dropped', 'orphaned')),
  block_height integer, block_hash text collate "C", block_time timestamptz,
  seen_at timestamptz not null, changed_at timestamptz not null, orphaned_at timestamptz, -- When a block that held it left the chain last.
  -- Since when it is counted in the ledger; null: it is not. What ought to be settled is what the chain and this disagree on.
  settled_at timestamptz,
  -- When it is settled next. A refused one is asked for again when its cause changes, and slowly otherwise: it keeps no other waiting.
  ask_at timestamptz not null default now(),
  refusals integer not null default 0 constraint refusals_of_payments_are_counted check (refusals >= 0),
  refusal text constraint refusals_of_payments_are_short check (length(refusal) between 1 and 200), refused_at timestamptz,
  -- The customer whose address it was when the payment was first seen; null: not given out, or the operator's own.
  customer_id uuid references customers,
  resolution_id uuid, -- What two people said of it.
  resolved_as text constraint payments_are_resolved_in_one_of_three_ways check (resolved_as in ('customers', 'operators', 'set-aside')),
  counts boolean not null -- Whether it ought to be in the ledger.
    generated always as (state = 'mined' and customer_id is not null and (resolved_as is null or resolved_as = 'customers')) stored,
  constraint payments_are_of_their_chains_coins check ((chain, asset) in (('bitcoin', 'BTC'), ('ethereum', 'ETH'), ('ethereum', 'USDT'))),
  constraint refused_payments_say_why check (num_nonnulls(refusal, refused_at) = case refusals when 0 then 0 else 2 end),
  constraint resolved_payments_name_their_resolution check ((resolution_id is null) = (resolved_as is null)),
  constraint mined_payments_name_their_block
    check (num_nonnulls(block_height, block_hash, block_time) = case state when 'mined' then 3 else 0 end),
  constraint orphaned_payments_say_since_when check (state <> 'orphaned' or orphaned_at is not null),
  constraint payments_have_their_transaction foreign key (chain, txid) references chain_transactions,
  constraint one_payment_per_output_and_content unique (chain, txid, output_index, asset, address, units),
  constraint only_bitcoin_is_mined_to_addresses check (chain = 'bitcoin' or not coinbase)
);
comment on column chain_payments.asset is 'ts: Coin from #core/asset.ts';
create index chain_payments_of_an_address on chain_payments (address, seen_at desc);
create index chain_payments_by_block on chain_payments (chain, block_height) where state = 'mined';
create index chain_payments_that_wait on chain_payments (chain) where state = 'seen';
create index chain_payments_to_settle on chain_payments (chain, (refusals > 0), ask_at, id) where counts <> (settled_at is not null);
create index chain_payments_newest_first on chain_payments (seen_at desc, id desc);
create unique index one_standing_payment_per_output on chain_payments (chain, txid, output_index) where state in ('seen', 'mined');
-- Each pass over the mempool asks which payments left the chain, in case they wait again: there are few of them among many.
create index chain_payments_that_left on chain_payments (chain) where state = 'orphaned';
-- What arrived at the operator's own addresses, and at addresses that had not been given out.
create index chain_payments_of_nobody on chain_payments (seen_at desc, id desc) where customer_id is null;
