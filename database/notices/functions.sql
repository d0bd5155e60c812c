create or replace trigger notices_are_never_rewritten before update on notices for each row
  when (old.read_at is not null or to_jsonb(new) - 'read_at' <> to_jsonb(old) - 'read_at')
  execute function refuse_to_rewrite('notices_are_never_rewritten', 'A notice is read once, and says what it said');
