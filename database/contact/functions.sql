call name_act('contact_threads', 'changed_by_act', 'contact/reply contact/close contact/mark-as-spam contact/reopen', 'message:', 'id');
call name_act('contact_replies', 'act_id', 'contact/reply', 'message:', 'thread_id');
