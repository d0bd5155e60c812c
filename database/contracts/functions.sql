-- A plan begins with its first version, by one act for both. A version is drafted, published and retired, in this order and
-- by acts of staff on it; once published it is never rewritten.
call check_rows('plan_versions', 'before insert', 'plans_begin_as_drafts', 'plans_begin_as_drafts', $$new.state = 'draft'$$,
  'acts_are_what_they_are_named_for',
  'new.version <> 1 or exists (select from plans p where p.id = new.plan_id and p.action_id = new.created_action_id)');
create or replace trigger plans_go_one_way before update on plan_versions
  for each row execute function move_forward('draft: draft published', 'published: published retired', 'retired: retired');
call change_only('plan_versions', 'published_plans_are_never_rewritten',
  'state', once => 'retired_at retired_action_id', condition => 'old.state <> ''draft''');

-- After these two, by its name. A version that another takes the place of is retired by the act that published the other.
-- Who wrote a version last does not publish it where another person could.
call check_rows('plan_versions', 'before update', 'staff_publish_and_retire_plans',
  'plans_go_one_way', '(new.plan_id, new.version) = (old.plan_id, old.version)',
  'plans_are_published_by_staff_acts', $$
  case when new.state = old.state then true
       when new.state = 'published' then staff_did(new.published_action_id, 'plans/publish', 'plan-version:' || new.id)
       else staff_did(new.retired_action_id, 'plans/retire', 'plan-version:' || new.id) or exists (
         select from plan_versions next
          where next.plan_id = new.plan_id and staff_did(new.retired_action_id, 'plans/publish', 'plan-version:' || next.id)) end$$,
  'plans_are_published_by_another_person', $$new.state <> 'published' or old.state <> 'draft' or not exists (
    select from audit_log published where published.id = new.published_action_id and another_person_decides(published.operator_id)
       and published.operator_id = (select operator_id from audit_log
                                     where act = 'plans/draft' and subject = 'plan-version:' || new.id order by position desc limit 1))$$);

call keep_rows('{plan_versions}');
call write_once('{plans}', 'plans_are_kept');
call name_act('plan_versions', 'created_action_id', 'plans/draft', 'plan-version:', 'id');

-- A contract is what was quoted, is paid, and takes hashrate that the fleet has on each of its days. Rooms below ask here whether
-- any contract was sold.
create or replace function contracts_are_sold() returns boolean language sql stable as $$
  select exists (select from contracts)
$$;

-- Whether a transfer pays for a contract, in advance and out of the customer's balance, and does nothing else.
create or replace function is_purchase(t ledger_transfers, c contracts) returns boolean language sql stable as $$
  select t.id = c.transfer_id and t.kind = 'contract-purchase' and t.key = 'contract-purchase:' || c.id and t.owner_id = c.customer_id
     and t.legs = array[('available', c.coin, -c.units), ('contract_prepaid', c.coin, c.units)]::ledger_leg[]
$$;

-- It is bought while its quote stands and its plan is offered.
call check_rows('contracts', 'before insert', 'contracts_are_what_was_quoted',
  'contracts_are_what_was_quoted', $$exists (
    select from contract_quotes q join plan_versions v on v.id = q.plan_version_id
     where q.id = new.quote_id and new.bought_at between q.quoted_at and q.expires_at and v.state = 'published'
       and (q.order_id, q.customer_id, q.plan_version_id, q.quantity, q.usd_cents, q.coin, q.units, v.unit_ghs * q.quantity, v.term_days)
         = (new.order_id, new.customer_id, new.plan_version_id, new.quantity, new.usd_cents, new.coin, new.units, new.ghs, new.term_days))$$,
  'contracts_begin_open', 'new.last_day is null',
  'contracts_are_paid', 'exists (select from ledger_transfer(new.transfer_id) t where is_purchase(t, new))');

-- Sold hashrate follows the contracts, in the statement that changes them. What ends runs no longer under its version, and what ends
-- early is free again from the next day on.
create or replace function move_sold_hashrate() returns trigger language plpgsql security definer as $$
begin
  perform lock_fleet();
  if tg_op = 'INSERT' then
    perform open_fleet_days(min(starts_on), max(planned_last_day)) from new_contracts having count(*) > 0;
    update fleet_days d set sold_ghs = d.sold_ghs + sold.ghs
      from (select each.day, sum(n.ghs) as ghs from new_contracts n
              join fleet_days each on each.day between n.starts_on and n.planned_last_day group by each.day) sold
     where d.day = sold.day;
    perform demand('hashrate_is_sold_once', not exists (
      select from sales_bounds() most cross join new_contracts n join fleet_days d on d.day between n.starts_on and n.planned_last_day
       where d.sold_ghs + d.owed_ghs > sellable_ghs(d.capacity_ghs, most.seen_ghs, most.reserve_ppm)));
    insert into sold_hashrate as known (plan_version_id, ghs, contracts)
    select plan_version_id, sum(ghs), count(*) from new_contracts group by plan_version_id order by plan_version_id
        on conflict (plan_version_id) do update set ghs = known.ghs + excluded.ghs, contracts = known.contracts + excluded.contracts;
    perform demand('plans_are_sold_as_far_as_offered', not exists (
      select from plan_versions v join sold_hashrate s on s.plan_version_id = v.id
       where v.id in (select plan_version_id from new_contracts) and v.offered_ghs < s.ghs));
  else
    with ended as (
      select n.* from new_contracts n join former_contracts o on o.id = n.id where o.last_day is null and n.last_day is not null
    ), versions as (
      update sold_hashrate s set ghs = s.ghs - gone.ghs, contracts = s.contracts - gone.contracts
        from (select plan_version_id, sum(ghs) as ghs, count(*) as contracts from ended group by plan_version_id) gone
       where s.plan_version_id = gone.plan_version_id
    )
    update fleet_days d set sold_ghs = d.sold_ghs - freed.ghs
      from (select each.day, sum(e.ghs) as ghs from ended e
              join fleet_days each on each.day > e.last_day and each.day <= e.planned_last_day group by each.day) freed
     where d.day = freed.day;
  end if;
  return null;
end $$;
create or replace trigger hashrate_is_sold_once after insert on contracts referencing new table as new_contracts
  for each statement execute function move_sold_hashrate();
create or replace trigger what_ends_early_is_free_again after update on contracts
  referencing new table as new_contracts old table as former_contracts for each statement execute function move_sold_hashrate();

-- What one TH/s costs a day under a version, in millionths of a dollar.
create or replace function maintenance_on(p_version uuid, p_day date) returns numeric language sql stable as $$
  select coalesce((select usd_micros from maintenance_changes
                    where plan_version_id = p_version and effective_from <= p_day and withdrawn_at is null
                    order by effective_from desc limit 1),
                  (select maintenance_usd_micros from plan_versions where id = p_version))
$$;

call check_rows('testimonials',
  'before update when (new.published_consent_id is not null and new.published_consent_id is distinct from old.published_consent_id)',
  'publications_are_agreed_to_and_proven',
  'what_is_shown_was_agreed_to: the customer does not agree to these words any more',
  'not exists (select from testimonial_consents where id = new.published_consent_id and ended_at is not null)',
  'publications_need_an_active_contract',
  'not contracts_are_sold() or exists (select from contracts where id = new.contract_id and customer_id = new.customer_id and last_day is null)');
call check_rows('testimonials', 'before insert or update of contract_id when (new.contract_id is not null)', 'testimonials_are_about_own_contracts',
  'testimonials_are_about_own_contracts', 'exists (select from contracts where id = new.contract_id and customer_id = new.customer_id)');

-- What must explain the transfer of a purchase, and its reversal.
create or replace function require_contract(transfer ledger_transfers) returns void language sql as $$
  select demand('purchases_are_reversed_when_given_back', transfer.reverses is null or exists (
    select from contracts c where c.transfer_id = transfer.reverses and c.end_reason = 'given-back'));
  select demand('only_contracts_are_paid_for', transfer.reverses is not null or exists (
    select from contracts c where c.transfer_id = transfer.id and is_purchase(transfer, c)))
$$;
insert into ledger_document_checks (kind, of_reversal, place, check_function) values
  ('contract-purchase', false, 1, 'require_contract'), ('contract-purchase', true, 1, 'require_contract');

call keep_rows('{contracts}');
call keep_rows('{sold_hashrate}', 'sold_hashrate_is_kept');
call change_only('contracts', 'contracts_are_never_rewritten', once => 'last_day end_reason ended_at');
call change_only('maintenance_changes', 'announced_changes_are_never_rewritten', once => 'withdrawn_at withdrawn_action_id');
call change_only('receipt_links', 'links_are_only_taken_back', once => 'ended_at');
call check_rows('contract_quotes', 'before insert or update of quoted_at, expires_at', 'quotes_stand_for_thirty_seconds',
  'exists (select from terms_in_force where new.expires_at = new.quoted_at + quote)');
call check_rows('maintenance_changes', 'before insert', 'changes_of_fees_are_small',
  'changes_are_made_now', 'new.made_at = now()',
  -- Up to a cent a fee is free to move.
  'one_person_changes_a_fee_by_half', $$coalesce((
    select not another_person_decides(a.operator_id)
           or is_decider(a.operator_id) and new.usd_micros * 2 <= greatest(before * 3, 20000)
              and (new.usd_micros * 2 >= before or before <= 10000) and not exists (
                select from maintenance_changes m join audit_log b on b.id = m.action_id
                 where m.plan_version_id = new.plan_version_id and b.operator_id = a.operator_id and m.withdrawn_at is null
                   and m.made_at > now() - interval '4 weeks')
      from audit_log a, maintenance_on(new.plan_version_id, new.effective_from) as before where a.id = new.action_id), true)$$);
-- Taken back, a change that lowers the fee would raise it without notice, and one below another would make that one larger.
call check_rows('maintenance_changes', 'before update when (old.withdrawn_at is null and new.withdrawn_at is not null)',
  'changes_are_taken_back_in_order',
  'later_changes_are_taken_back_first', $$not exists (
    select from maintenance_changes m where m.plan_version_id = new.plan_version_id and m.effective_from > new.effective_from
       and m.withdrawn_at is null)$$,
  'no_fee_rises_at_short_notice', $$
    new.usd_micros >= maintenance_on(new.plan_version_id, new.effective_from - 1) or exists (
      select from terms_in_force
       where new.effective_from::timestamp at time zone 'UTC' >= new.withdrawn_at + maintenance_notice)$$);
call check_rows('maintenance_changes', 'before insert', 'changes_of_fees_name_no_address', 'not names_an_address(new.reason)');
call check_rows('maintenance_changes', 'before insert', 'changes_are_announced_seven_days_ahead', $$
  exists (select from terms_in_force
           where new.effective_from::timestamp at time zone 'UTC' >= new.announced_at + maintenance_notice)$$);
call check_rows('contracts', 'before insert', 'closed_accounts_buy_nothing',
  '(select closed_at is null from customers where id = new.customer_id for share)');
call name_act('maintenance_changes', 'action_id', 'contracts/announce-maintenance', 'plan-version:', 'plan_version_id');
call name_act('maintenance_changes', 'withdrawn_action_id', 'contracts/withdraw-maintenance', 'plan-version:', 'plan_version_id');
