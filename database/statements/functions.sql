call write_once('{issued_statements,issued_statement_coins}', 'statements_are_issued_once', 'What was issued is never rewritten');
