-- Fees of bitcoin are offered in fractions of a satoshi per virtual byte: what a version pays is kept as satoshis per 1,000.
alter table withdrawal_batch_versions drop constraint fee_rates_are_within_bounds;
alter table withdrawal_batch_versions rename column fee_rate to fee_per_kvb;
alter table withdrawal_batch_versions alter column fee_per_kvb type integer using fee_per_kvb * 1000;
alter table withdrawal_batch_versions
  add constraint fee_rates_are_within_bounds check (fee_per_kvb between 1000 and 1000000);
