-- The operator's own money can be taken out, as far as it is the operator's; and coins can be moved between the operator's own
-- wallets, which costs what the network takes. Both are adjustments, so two people decide them (0020).
-- Why: docs/decisions/0062-own-money-is-taken-out-by-two-people.md.

-- What credits that are being taken back still lack, per coin: credited, not there any more, and not put aside.
create function lacking_of_deposits() returns table (asset text, units numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select case d.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end, sum(d.quantity_units - d.held_units)
    from deposits d where d.state = 'orphaned' group by d.method
$$;
create index deposits_being_taken_back on deposits (method) where state = 'orphaned';

-- What is the operator's of each coin: what was paid in and earned, without what was spent, given and taken out. What pools paid and
-- nobody has been credited yet is the customers'; where more was credited than paid, the operator owes it. So it does where a credit
-- is being taken back that was spent already: the coins never came, or are booked as the operator's a second time.
create function own_money() returns table (asset text, units numeric)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select b.asset, sum(case
      when b.account in ('operator_equity', 'operator_drawings', 'contract_revenue', 'maintenance_revenue', 'inactivity_revenue',
                         'withdrawal_fee_revenue', 'network_fee_expense') then b.units
      when b.account in ('pool_receivable', 'rounding', 'conversion') then least(b.units, 0)
      else 0 end) - coalesce((select l.units from lacking_of_deposits() l where l.asset = b.asset), 0)
    from house_balances() b group by b.asset
$$;

-- Custody covers what customers own: nobody takes out, or gives away, more than the operator has. The house's accounts keep no
-- balance row, so whoever asks waits here for the one who asked before.
create function require_customers_covered() returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'The operator''s money is counted in a transaction that reads what is committed.'
      using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('ledger.operator_equity', 0));
  if exists (select from own_money() o where o.units < 0) then
    raise exception 'What customers own would not be covered.'
      using errcode = 'check_violation', constraint = 'customers_coins_are_covered';
  end if;
end
$$;

-- What leaves custody for a drawing with its fee, or for a transfer between own wallets: the fee alone. Gas is paid in ether.
create function legs_of_outlay(a adjustments) returns ledger_leg[]
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select array_agg(row (leg.account, leg.asset, leg.units)::ledger_leg order by leg.asset collate "C", leg.account collate "C")
    from (select each.account, each.asset, sum(each.units) as units
            from (values ('custody', a.asset, a.units, a.kind = 'equity-drawing'),
                         ('operator_drawings', a.asset, -a.units, a.kind = 'equity-drawing'),
                         ('custody', case a.asset when 'BTC' then 'BTC' else 'ETH' end, a.fee_units, true),
                         ('network_fee_expense', case a.asset when 'BTC' then 'BTC' else 'ETH' end, -a.fee_units, true))
              each (account, asset, units, counts)
           where each.counts group by each.account, each.asset having sum(each.units) <> 0) leg
$$;

-- The fee of a batch is booked with the batch, unless that failed: what is mined of it all the same has left custody, and is booked here.
create function refuse_batch_as_adjustment(payment text) returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id
              where v.txid = payment and b.state <> 'failed')
     or exists (select from withdrawal_transactions t where t.txid = payment) then
    raise exception 'Transaction % is one of a batch.', payment
      using errcode = 'unique_violation', constraint = 'batches_book_their_own_fee';
  end if;
end
$$;

revoke execute on function require_customers_covered, legs_of_outlay, refuse_batch_as_adjustment, own_money, lacking_of_deposits from public;
grant execute on function require_customers_covered, own_money, lacking_of_deposits, legs_of_outlay to assay_app;
