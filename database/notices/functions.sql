call change_only('notices', 'notices_are_never_rewritten', once => 'read_at');
