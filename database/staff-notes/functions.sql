create or replace function guard_staff_words() returns trigger language plpgsql security definer as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from customers where id = old.customer_id and closed_at is not null) then return old; end if;
    raise check_violation using constraint = 'staff_words_go_with_the_account',
      message = 'What staff wrote goes with the account only.';
  end if;
  if tg_table_name = 'staff_notes' then
    if tg_op = 'UPDATE' then
      raise check_violation using constraint = 'notes_are_never_rewritten', message = 'A note is never rewritten.';
    end if;
    if not is_act_on_customer(new.written_by_act, 'staff-notes/write-note', new.written_by, new.customer_id) then
      raise check_violation using constraint = 'staff_words_are_staff_acts', message = 'A note is an act of who writes it.';
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if old.lifted_at is not null or new.lifted_at is null
       or to_jsonb(new) - '{lifted_by,lifted_by_act,lifted_at}'::text[] <> to_jsonb(old) - '{lifted_by,lifted_by_act,lifted_at}'::text[] then
      raise check_violation using constraint = 'flags_are_lifted_once', message = 'A flag is lifted once and never rewritten.';
    end if;
    if not is_act_on_customer(new.lifted_by_act, 'staff-notes/lift-flag', new.lifted_by, new.customer_id) then
      raise check_violation using constraint = 'staff_words_are_staff_acts', message = 'A flag is lifted by an act.';
    end if;
    return new;
  end if;
  if new.lifted_at is not null
     or not is_act_on_customer(new.raised_by_act, 'staff-notes/raise-flag', new.raised_by, new.customer_id) then
    raise check_violation using constraint = 'staff_words_are_staff_acts', message = 'A flag is raised by an act.';
  end if;
  perform lock_fact('customer_flags:' || new.customer_id);
  if exists (select from customer_flags f
              where f.customer_id = new.customer_id and f.kind = new.kind and f.lifted_at is null and f.ends_at > new.raised_at) then
    raise unique_violation using constraint = 'one_flag_of_a_kind_at_a_time', message = 'This flag stands already.';
  end if;
  return new;
end
$$;
create or replace trigger staff_notes_are_kept before insert or update or delete on staff_notes
  for each row execute function guard_staff_words();
create or replace trigger customer_flags_are_kept before insert or update or delete on customer_flags
  for each row execute function guard_staff_words();
