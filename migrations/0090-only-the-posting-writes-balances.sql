-- Entries and balances are written by ledger_post alone. While it writes, the transaction says so in a setting that holds this
-- word and how deep in triggers the posting is: a statement that somebody sends, a trigger of another table, and a trigger that
-- the posting itself reaches have another depth, or not the word. Each installation has a word of its own.
-- What this does and does not stop: docs/decisions/0057.
do $$
begin
  execute format('create function ledger_token() returns text language sql immutable as %L',
                 format('select %L::text', encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex')));
end
$$;
revoke execute on function ledger_token from public;

-- The verification asks whether seals note numbers that were never drawn (reading the last draws none), and how long clocks stood.
grant select on ledger_transfer_numbers to assay_app;
grant execute on function clocks_stood to assay_app;
