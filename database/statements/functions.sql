create or replace function refuse_to_reissue() returns trigger language plpgsql as $$
begin
  raise exception 'What was issued is never rewritten.'
    using errcode = 'restrict_violation', constraint = 'statements_are_issued_once';
end
$$;
create or replace trigger statements_are_issued_once before update or delete or truncate on issued_statements
  for each statement execute function refuse_to_reissue();
create or replace trigger statements_are_issued_once before update or delete or truncate on issued_statement_coins
  for each statement execute function refuse_to_reissue();
