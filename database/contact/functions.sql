-- Guards
create or replace trigger zz_changed_by_act_is_what_it_names before insert or update on contact_threads
  for each row execute function guard_named_act(
    'changed_by_act', 'contact/reply contact/close contact/mark-as-spam contact/reopen', 'message:', 'id');
create or replace trigger zz_act_id_is_what_it_names before insert or update on contact_replies
  for each row execute function guard_named_act('act_id', 'contact/reply', 'message:', 'thread_id');
