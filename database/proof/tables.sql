-- A digest for each UTC day that is over: one hash over the newest of the ledger's seals, the newest link of the audit log, what is owed
-- to customers, and the digest of the day before. Whoever keeps one can tell whether what it stands on is still there.
create table proof_days (
  day ledger_day primary key,
  previous_digest bytea not null constraint previous_digests_have_32_bytes check (length(previous_digest) = 32),
  -- Null: there was none yet.
  seal_number bigint references ledger_seals, seal_hash bytea,
  audit_link bigint, audit_hash bytea,
  digest bytea not null constraint one_digest_per_day unique, published_at ledger_time not null,
  -- The root of the tree of what is owed, with its sums; null: the day was made up for later. The newest block that our node had read
  -- then, null where it reads none.
  root bytea, leaves integer, owed_btc numeric(38, 0), owed_eth numeric(38, 0), owed_usdt numeric(38, 0),
  block_height integer, block_hash text collate "C",
  constraint digests_name_seal_and_link_with_their_hashes
    check ((seal_number is null) = (seal_hash is null) and (audit_link is null) = (audit_hash is null)),
  constraint roots_have_their_sums check (num_nulls(root, leaves, owed_btc, owed_eth, owed_usdt) in (0, 5)),
  constraint digests_name_a_block_with_its_hash check ((block_height is null) = (block_hash is null))
);

-- The tree of a day, each node with the sums of what is below it. Leaves are at height 0, in the order of their hashes.
create table proof_nodes (
  day ledger_day, height smallint, place integer, hash bytea not null,
  btc numeric(38, 0) not null, eth numeric(38, 0) not null, usdt numeric(38, 0) not null,
  constraint nobody_owes_us_in_a_tree check (least(btc, eth, usdt) >= 0), constraint one_node_per_place primary key (day, height, place)
);

-- Whose leaf is where, and what it is made of: balances, available and held, and the part of contracts' prices that is not served yet.
create table proof_leaves (
  day ledger_day, customer_id uuid, place integer not null, nonce uuid not null,
  btc_balance numeric(38, 0) not null, btc_prepaid numeric(38, 0) not null,
  eth_balance numeric(38, 0) not null, eth_prepaid numeric(38, 0) not null,
  usdt_balance numeric(38, 0) not null, usdt_prepaid numeric(38, 0) not null,
  -- How many entries the customer's accounts had: what came later moved the balances since.
  entry_counts jsonb not null,
  constraint nobody_owes_us_in_a_leaf
    check (least(btc_balance, btc_prepaid, eth_balance, eth_prepaid, usdt_balance, usdt_prepaid) >= 0),
  constraint one_leaf_per_customer_and_day primary key (customer_id, day)
);
comment on column proof_leaves.entry_counts is 'ts: Record<string, number>';
create index proof_leaves_by_day on proof_leaves (day);
