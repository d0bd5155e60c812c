-- The ledger's half is read here, not typed: of the moment that the argument names, or of the end of the day.
create or replace function note_custody() returns trigger language plpgsql security definer as $$
declare
  said jsonb := to_jsonb(new);
  -- Of a day, its last moment: the first one after it is not of it.
  moment timestamptz := coalesce((said ->> tg_argv[0])::timestamptz,
                                 ((said ->> 'day')::date + 1)::timestamp at time zone 'UTC' - interval '1 microsecond');
begin
  perform demand('custody_is_noted_after_the_day', (said ->> 'noted_at')::timestamptz > moment, says => 'The day is not over.');
  said := (select jsonb_object_agg(b.account, b.units::text) from house_balances(moment) b where b.asset = new.asset);
  return jsonb_populate_record(new, jsonb_build_object('accounts', said, 'custody_units', -(said ->> 'custody')::numeric));
end $$;
create or replace trigger custody_comes_from_the_ledger before insert on custody_days for each row execute function note_custody();
create or replace trigger holdings_are_compared_with_the_ledger before insert on custody_holdings
  for each row execute function note_custody('as_of');
create or replace trigger readings_are_compared_with_the_ledger before insert on wallet_readings
  for each row execute function note_custody('read_at');

create or replace trigger counts_are_decided_once before insert or update on custody_counts
  for each row execute function guard_what_two_decide('counts_are_staff_acts', 'counts_are_staff_acts', 'count:', 'id',
    'rejection_reason', 'new>open reconciliation/count', 'open>confirmed reconciliation/confirm-count',
    'open>rejected reconciliation/reject-count', 'open>withdrawn reconciliation/withdraw-count');
-- One piece of evidence proves one thing: an adjustment or a count.
call check_rows('custody_counts', 'before insert', 'counts_have_evidence_of_their_own', 'evidence_is_of_who_counts',
  'exists (select from adjustment_evidence where id = new.evidence_id and operator_id = new.proposed_by and used_at is not null)',
  'wait for', $$'evidence:' || new.evidence_id$$,
  'evidence_proves_one_thing', 'not exists (select from adjustments where evidence_id = new.evidence_id)');
call check_rows('adjustments', 'before insert when (new.evidence_id is not null)', 'evidence_proves_one_thing',
  'wait for', $$'evidence:' || new.evidence_id$$,
  'evidence_proves_one_thing', 'not exists (select from custody_counts where evidence_id = new.evidence_id)');

-- A confirmed count and its holding are written together, and say the same.
call check_rows('custody_counts', 'at commit update when new.state = ''confirmed''', 'confirmed_counts_have_their_holding',
  'counts_need_two_people: A counted holding is what two people confirmed.', $$exists (
    select from custody_holdings h where h.count_id = new.id and (h.asset, h.units, h.as_of, h.block_height)
           is not distinct from (new.asset, new.units, new.as_of, new.block_height))$$);
call check_rows('custody_holdings', 'at commit insert when new.count_id is not null', 'counted_holdings_are_what_was_confirmed',
  'counts_need_two_people: A counted holding is what two people confirmed.', $$exists (
    select from custody_counts c
     where c.id = new.count_id and c.state = 'confirmed' and (c.asset, c.units, c.as_of, c.block_height)
           is not distinct from (new.asset, new.units, new.as_of, new.block_height))$$);

call check_rows('custody_explanations', 'before insert', 'only_differences_are_explained',
  'exists (select from custody_holdings where id = new.holding_id and difference_units <> 0)');
call name_act('custody_explanations', 'act_id', 'reconciliation/explain', 'holding:', 'holding_id', 'operator_id');

-- Why nothing is sold; null: contracts are sold. On the main network each coin that is owed has been counted, and what is owed has been
-- proved in the last three days, by PostgreSQL's clock. Withdrawals do not ask.
create or replace function sales_stop() returns text language sql stable as $$
  select case
    when exists (select from custody_coverage where units < custody_units) then 'coins-missing'
    when not exists (select from installation where network = 'mainnet') then null
    when p.published_at is null or p.published_at < now() - interval '3 days' then 'proof-old'
    when exists (select from (values ('BTC', p.owed_btc), ('ETH', p.owed_eth), ('USDT', p.owed_usdt)) owed (coin, units)
                  where units > 0 and coin not in (select asset from custody_coverage)) then 'not-counted' end
    from (select) one left join lateral (select * from proof_days where root is not null order by day desc limit 1) p on true
$$;
call check_rows('contracts', 'before insert', 'sales_need_full_coverage',
  'sales_need_full_coverage: What is owed to customers is not shown to be there.', 'sales_stop() is null');

-- What is held has its reasons, to the atom: withdrawals that go on, and credits that are to be taken back.
create or replace function held_has_its_reasons(customer uuid) returns boolean language sql stable as $$
  select not exists (
    select from unnest('{BTC,ETH,USDT}'::text[]) coin
     where coalesce((select balance from ledger_accounts where owner_id = customer and account = 'held' and asset = coin), 0)
        <> (select coalesce(sum(units), 0) from withdrawals where customer_id = customer and asset = coin and ended_at is null)
         + (select coalesce(sum(held_units), 0) from deposits
             where customer_id = customer and coin_of(method) = coin and held_units > 0))
$$;
call check_rows('deposits', 'at commit update when (new.held_units <> old.held_units)', 'what_is_put_aside_is_held',
  'what_is_held_has_its_reasons', 'held_has_its_reasons(new.customer_id)');
create or replace function require_held_reasons(transfer ledger_transfers) returns void language sql as $$
  select demand('what_is_held_has_its_reasons', held_has_its_reasons(transfer.owner_id))
$$;
insert into ledger_document_checks (kind, of_reversal, place, check_function) values
  ('hold', false, 2, 'require_held_reasons'), ('hold-release', false, 2, 'require_held_reasons');

call keep_rows('{custody_counts}', 'the_list_of_counts_only_grows');
call write_once('{wallet_readings}', 'readings_are_written_once');
call write_once('{custody_days}', 'the_list_of_custody_days_only_grows');
call write_once('{custody_explanations}', 'the_list_of_explanations_only_grows');
call write_once('{custody_holdings}', 'the_list_of_holdings_only_grows');

-- What an address signs over a day: its block, and the root of what is owed. Null where the day has none.
create or replace function reserve_message(d proof_days) returns text language sql stable as $$
  select 'Assay reserves 1: day ' || iso_day(d.day) || ', block ' || d.block_height || ' ' || d.block_hash || ', root ' || encode(d.root, 'hex')
$$;
call check_rows('reserve_signatures', 'before insert', 'reserves_sign_a_proof',
  'reserves_sign_a_proof', 'exists (select from proof_days d where d.day = new.day and reserve_message(d) = new.message)');
call change_only('reserve_signatures', 'reserves_stay_what_was_signed', 'seen_at', 'units usdt_units outputs block_height block_hash read_at spent_at');
call keep_rows('{reserve_signatures}');
call name_act('reserve_signatures', 'act_id', 'reconciliation/sign-reserves', 'reserve:', 'id', 'operator_id');
