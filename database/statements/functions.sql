create or replace trigger statements_are_issued_once before update or delete or truncate on issued_statements
  for each statement execute function refuse_to_rewrite('statements_are_issued_once', 'What was issued is never rewritten');
create or replace trigger statements_are_issued_once before update or delete or truncate on issued_statement_coins
  for each statement execute function refuse_to_rewrite('statements_are_issued_once', 'What was issued is never rewritten');
