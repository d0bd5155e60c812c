-- Why the last look at a batch of withdrawals failed, and since when looks fail for that reason. The first that succeeds ends it.
create table withdrawal_batch_troubles (
  batch_id uuid primary key references withdrawal_batches,
  condition text not null constraint troubles_of_batches_have_a_listed_condition check (condition in (
    'unreachable', 'unauthorized', 'warming-up', 'syncing', 'stale', 'behind', 'pruned', 'another-chain', 'lying',
    'reorg-too-deep', 'not-finalizing', 'wrong-token', 'no-traces')),
  detail text not null constraint details_of_batches_troubles_are_short check (length(detail) <= 300),
  since timestamptz not null,
  looked_at timestamptz not null constraint troubles_of_batches_last_forwards check (looked_at >= since)
);
grant select, insert, update, delete on withdrawal_batch_troubles to assay_app;
