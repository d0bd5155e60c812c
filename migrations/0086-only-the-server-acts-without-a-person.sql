-- An act without an operator is a command on the server, run by whoever holds the machine. The application's role could write such a row
-- and make an owner by it. Now only the login that owns the tables writes it, which `npm run operator` uses, and for these acts alone.
-- The last two are PostgreSQL's own notes of the passkeys that staff have (0087).
create function guard_machine_act() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.act not in ('identity/invite-operator', 'identity/suspend-operator', 'identity/unfreeze-account',
                     'identity/reset-second-factors', 'identity/note-passkey-added', 'identity/note-passkey-removed')
     or not pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage') then
    raise exception 'Only the server''s own commands act without a person.'
      using errcode = 'insufficient_privilege', constraint = 'only_the_server_acts_without_a_person';
  end if;
  return new;
end
$$;
create trigger only_the_server_acts_without_a_person before insert on audit_log
  for each row when (new.operator_id is null) execute function guard_machine_act();
alter table audit_log enable always trigger only_the_server_acts_without_a_person;
revoke execute on function guard_machine_act from public;
