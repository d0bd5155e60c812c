-- Each pass over the mempool asks which payments left the chain, in case they wait again: there are few of them among many.
create index chain_payments_that_left on chain_payments (chain) where state = 'orphaned';
