create or replace function check_changed_notice() returns trigger language plpgsql as $$
begin
  if old.read_at is not null or (to_jsonb(new) - 'read_at') is distinct from (to_jsonb(old) - 'read_at') then
    raise exception 'A notice is read once, and says what it said.'
      using errcode = 'check_violation', constraint = 'notices_are_never_rewritten';
  end if;
  return new;
end
$$;
create or replace trigger notices_are_never_rewritten before update on notices for each row execute function check_changed_notice();
