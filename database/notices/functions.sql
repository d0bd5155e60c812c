create or replace trigger notices_are_never_rewritten before update on notices for each row execute function keep_columns('', 'read_at');
