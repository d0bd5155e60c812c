-- The console searches by parts of names and addresses. Trigrams make that quick; a PostgreSQL that comes without them
-- searches all the same, only slower.
do $$
begin
  create extension if not exists pg_trgm;
  create index users_by_part_of_name_or_email on users
    using gin ((name || ' ' || email) gin_trgm_ops);
exception
  when undefined_file or feature_not_supported or insufficient_privilege or undefined_object then
    raise notice 'pg_trgm is not available: searching customers reads them all';
end
$$;

create index customers_newest_first on customers (created_at desc, id desc);
create index audit_log_by_act on audit_log (act, position desc);
create index audit_log_by_time on audit_log (occurred_at);
create index mails_by_state on mails (state, id desc);
create index deposits_by_decision on deposits (state, reviewed_at desc, id desc) where state <> 'pending';
