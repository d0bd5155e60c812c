-- What holds for every function and every trigger that is ours: run after all of them, each time one has changed.

-- Settings --------------------------------------------------------------------------------------------------
-- A function that acts with other rights than its caller's, or that guards a table, reads and writes values in the same way
-- whatever the caller's session has set. What the caller may set and could change a meaning is named here; the test
-- "whatever a session sets, nothing of a day is posted twice" tries all others. Two functions run in every posting, within one that
-- has all of this; they make no text but by iso_day, and setting it all again would cost a tenth of a posting.
do $$
declare of record;
begin
  for of in
    select p.oid::regprocedure as signature, p.proname in ('ledger_post', 'ledger_refuse_sent') as in_every_posting from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and (p.prosecdef or p.prorettype = 'trigger'::regtype)
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', of.signature);
    continue when of.in_every_posting;
    execute format($alter$
      alter function %s
        set datestyle = 'ISO, MDY'
        set timezone = 'UTC'
        set intervalstyle = 'postgres'
        set extra_float_digits = 1
        set bytea_output = 'hex'
        set standard_conforming_strings = on
        set transform_null_equals = off
        set array_nulls = on
    $alter$, of.signature);
  end loop;
end $$;

-- Rights ----------------------------------------------------------------------------------------------------
-- What a function does with other rights than its caller's, it does for those whom its room's text lets call it. A trigger's
-- function is called by its trigger, for which nobody needs a right.
do $$
declare of record;
begin
  for of in
    select p.oid::regprocedure as signature from pg_proc p
     where p.pronamespace = 'public'::regnamespace and (p.prosecdef or p.prorettype = 'trigger'::regtype)
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('revoke execute on function %s from public', of.signature);
  end loop;
end $$;

-- Triggers --------------------------------------------------------------------------------------------------
do $$
declare part regclass;
begin
  for part in select i.inhrelid from pg_inherits i join pg_class c on c.oid = i.inhrelid
               where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace loop
    call guard_part(part);
  end loop;
end $$;

-- Also while a replica applies changes, or a session says that it does.
do $$
declare of record;
begin
  for of in
    select t.tgrelid::regclass as relation, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and t.tgenabled <> 'A'
  loop
    execute format('alter table %s enable always trigger %I', of.relation, of.name);
  end loop;
end $$;
