-- A contract that was served, or was cancelled for what it owed, has its ending, which the engine alone writes: whoever may update
-- a contract cannot end it so. What is given back has its reversal (migration 0030).
create function require_ending() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from contract_endings e
                  where e.contract_id = new.id and (e.customer_id, e.reason, e.ended_at) = (new.customer_id, new.end_reason, new.ended_at)) then
    raise exception 'A contract ends when its term is served or its clock has run out.'
      using errcode = 'check_violation', constraint = 'contracts_end_by_the_engine';
  end if;
  return null;
end
$$;
create constraint trigger contracts_end_by_the_engine after update of end_reason on contracts
  deferrable initially deferred for each row when (new.end_reason in ('served', 'unpaid-maintenance'))
  execute function require_ending();
alter table contracts enable always trigger contracts_end_by_the_engine;
