-- Whoever knows a password and signs in at the very moment when the first second factor is added must not keep a session
-- that rests on the password alone. A change of factors locks the person's row, so looking for a factor waits for it here,
-- and sees what it did; one that comes later finds the session, and ends it.
create or replace function refuse_a_session_by_password_alone() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for share;
  if exists (select from operators where id = new.user_id) or has_second_factor(new.user_id) then
    raise exception 'a second factor is needed'
      using errcode = 'check_violation', constraint = 'a_second_factor_is_asked_of_who_has_one_and_of_staff';
  end if;
  return new;
end
$$;

-- Who is suspended has no session to come back to: not by a sign-in that was half done, nor by one at that very moment.
delete from sessions s using operators o where o.id = s.user_id and o.state = 'suspended';
create function refuse_a_session_of_the_suspended() returns trigger language plpgsql as $$
begin
  perform from operators where id = new.user_id for share;
  if exists (select from operators where id = new.user_id and state = 'suspended') then
    raise exception 'this operator is suspended'
      using errcode = 'check_violation', constraint = 'suspended_staff_have_no_sessions';
  end if;
  return new;
end
$$;
create trigger suspended_staff_have_no_sessions before insert on sessions
  for each row execute function refuse_a_session_of_the_suspended();
