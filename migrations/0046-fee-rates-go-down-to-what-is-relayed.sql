-- Nodes of bitcoin relay from a tenth of a satoshi per virtual byte on; the operator's own says what it does.
alter table withdrawal_batch_versions drop constraint fee_rates_are_within_bounds;
alter table withdrawal_batch_versions
  add constraint fee_rates_are_within_bounds check (fee_per_kvb between 100 and 1000000);
