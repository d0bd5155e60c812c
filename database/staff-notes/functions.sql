create or replace function guard_flag() returns trigger language plpgsql security definer as $$
begin
  perform demand('staff_words_are_staff_acts', case tg_op
    when 'UPDATE' then did_as(new.lifted_by, new.lifted_by_act, 'staff-notes/lift-flag', 'customer:' || new.customer_id)
    else new.lifted_at is null and did_as(new.raised_by, new.raised_by_act, 'staff-notes/raise-flag', 'customer:' || new.customer_id) end);
  if tg_op = 'INSERT' then
    perform lock_fact('customer_flags:' || new.customer_id);
    perform demand('one_flag_of_a_kind_at_a_time', code => 'unique_violation', holds => not exists (
      select from customer_flags f
       where f.customer_id = new.customer_id and f.kind = new.kind and f.lifted_at is null and f.ends_at > new.raised_at));
  end if;
  return new;
end $$;
call change_only('customer_flags', 'flags_are_lifted_once', once => 'lifted_by lifted_by_act lifted_at');
create or replace trigger flags_are_staff_acts before insert or update on customer_flags for each row execute function guard_flag();
call check_rows('customer_flags', 'before delete', 'flags_go_with_the_account', 'staff_words_go_with_the_account',
  'exists (select from customers where id = old.customer_id and closed_at is not null)');

call refuse_always('update', '{staff_notes}', 'notes_are_never_rewritten', null);
call check_rows('staff_notes', 'before insert or delete', 'notes_are_kept', 'staff_words_are_staff_acts',
  $$tg_op = 'DELETE' or did_as(new.written_by, new.written_by_act, 'staff-notes/write-note', 'customer:' || new.customer_id)$$,
  'staff_words_go_with_the_account',
  $$tg_op = 'INSERT' or exists (select from customers where id = old.customer_id and closed_at is not null)$$);
