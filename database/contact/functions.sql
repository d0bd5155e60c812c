call name_act('contact_threads', 'changed_by_act', 'contact/reply contact/close contact/mark-as-spam contact/reopen', 'message:', 'id');
call name_act('contact_replies', 'act_id', 'contact/reply', 'message:', 'thread_id');
-- What we answered is kept for as long as other words: nobody writes in our name and lets it be deleted.
call check_rows('contact_threads', 'before update when (new.state = ''spam'' and old.state <> ''spam'')', 'what_was_answered_is_no_spam',
  'not exists (select from contact_replies where thread_id = new.id)');
-- Customers pay to addresses that their own page shows, and to none that support writes.
call check_rows('contact_replies', 'before insert', 'answers_name_no_address', 'not names_an_address(new.body)');
