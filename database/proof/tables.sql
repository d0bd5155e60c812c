-- A digest for each UTC day that is over: one hash over the newest of the ledger's seals, the newest link of the audit log, and the
-- digest of the day before. Whoever keeps one can tell whether what it stands on is still there.
create table proof_days (
  day ledger_day primary key,
  previous_digest bytea not null constraint previous_digests_have_32_bytes check (length(previous_digest) = 32),
  -- Null: there was none yet.
  seal_number bigint references ledger_seals, seal_hash bytea,
  audit_link bigint, audit_hash bytea,
  digest bytea not null constraint one_digest_per_day unique, published_at ledger_time not null,
  constraint digests_name_seal_and_link_with_their_hashes
    check ((seal_number is null) = (seal_hash is null) and (audit_link is null) = (audit_hash is null))
);
