-- A column that names an act says by its name, its subject and its person what was done: an act of another name lets nobody do anything. What
-- somebody proposed who is not on the staff any more is confirmed by nobody. And the hashrate of a payout, which decides how a day is shared,
-- is looked at like its amount. Why: docs/decisions/0069-hashrate-is-looked-at-like-the-amount.md.

-- Acts --------------------------------------------------------------------------------------------------------
-- For the columns whose table has no guard of its own, or one that compares less: the acts, what the subject may begin with, which
-- column ends it, and the column of the person.
create function guard_named_act() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  said jsonb := to_jsonb(new);
  before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) end;
  column_of_act text := tg_argv[0];
  column_of_person text := tg_argv[4];
begin
  if said ->> column_of_act is null
     or tg_op = 'UPDATE' and said ->> column_of_act is not distinct from before ->> column_of_act
        and (column_of_person is null or said ->> column_of_person is not distinct from before ->> column_of_person) then
    return new;
  end if;
  if not exists (
       select from audit_log a
        where a.id = (said ->> column_of_act)::uuid and a.act = any (string_to_array(tg_argv[1], ' '))
          and exists (select from unnest(string_to_array(tg_argv[2], ' ')) begins
                       where a.subject = begins || coalesce(said ->> tg_argv[3], ''))
          and (column_of_person is null or a.operator_id = (said ->> column_of_person)::uuid)) then
    raise exception 'The act that % of % names did something else.', column_of_act, tg_table_name
      using errcode = 'check_violation', constraint = 'acts_are_what_they_are_named_for';
  end if;
  return new;
end
$$;

do $$
declare
  of record;
begin
  for of in select * from (values
    ('customers', 'dashboard_message_act', 'identity/set-dashboard-message', 'customer:', 'id', null),
    ('mails', 'resent_by_act', 'mail/resend', 'mail:', 'id', null),
    ('deposits', 'review_action_id', 'deposits/approve deposits/reject', 'deposit:', 'id', null),
    ('contact_threads', 'changed_by_act', 'contact/reply contact/close contact/mark-as-spam contact/reopen', 'message:', 'id', null),
    ('contact_replies', 'act_id', 'contact/reply', 'message:', 'thread_id', null),
    ('newsletter_issues', 'changed_by_act', 'newsletter/save-issue', 'newsletter:', 'id', null),
    ('newsletter_issues', 'sent_by_act', 'newsletter/send-issue', 'newsletter:', 'id', null),
    ('newsletter_issues', 'stopped_by_act', 'newsletter/stop-issue', 'newsletter:', 'id', null),
    ('testimonials', 'invited_by_act', 'content/invite-testimonial', 'testimonial:', 'id', null),
    ('testimonials', 'withdrawn_by_act', 'content/withdraw-invitation', 'testimonial:', 'id', null),
    ('testimonials', 'published_by_act', 'content/publish-testimonial', 'testimonial:', 'id', null),
    ('testimonials', 'unpublished_by_act', 'content/unpublish-testimonial', 'testimonial:', 'id', null),
    ('news_sources', 'created_by_act', 'news/add-source', 'news-source:', 'id', null),
    ('news_sources', 'changed_by_act', 'news/add-source news/change-source news/remove-source', 'news-source:', 'id', null),
    ('account_freezes', 'frozen_by_act', 'identity/freeze-account', 'customer: operator:', 'user_id', null),
    ('account_freezes', 'lifted_by_act', 'identity/unfreeze-account', 'customer: operator:', 'user_id', null),
    ('sites', 'action_id', 'fleet/add-site', 'site:', 'id', null),
    ('site_energy_prices', 'action_id', 'fleet/set-energy-price', 'site:', 'site_id', null),
    ('machine_batches', 'action_id', 'fleet/add-batch', 'batch:', 'id', null),
    ('machine_batch_states', 'action_id', 'fleet/add-batch fleet/record-batch-state', 'batch:', 'batch_id', null),
    ('fleet_reserves', 'action_id', 'fleet/set-reserve', 'fleet', null, null),
    ('plan_versions', 'created_action_id', 'plans/draft', 'plan-version:', 'id', null),
    ('maintenance_changes', 'action_id', 'contracts/announce-maintenance', 'plan-version:', 'plan_version_id', null),
    ('maintenance_changes', 'withdrawn_action_id', 'contracts/withdraw-maintenance', 'plan-version:', 'plan_version_id', null),
    ('pools', 'action_id', 'payouts/add-pool', 'pool:', 'id', null),
    ('pool_statements', 'action_id', 'payouts/keep-statement', 'statement:', 'id', null),
    ('payout_limits', 'action_id', 'payouts/set-limit', 'payouts', null, null),
    ('mining_settings', 'action_id', 'mining/set-automatic', 'mining', null, null),
    ('mining_runs', 'action_id', 'mining/post-day', 'mining-day:', 'day', null),
    ('coin_scans', 'asked_by_act', 'withdrawals/look-for-coins', 'wallet:', 'wallet_id', 'asked_by'),
    ('withdrawals', 'ended_by_act', 'withdrawals/reject', 'withdrawal:', 'id', null)
  ) each (relation, of_act, acts, subject, ends, person)
  loop
    -- By its name after the guards of the table itself.
    execute format('create trigger %I before insert or update on %I for each row execute function guard_named_act(%L, %L, %L, %L%s)',
      'zz_' || of.of_act || '_is_what_it_names', of.relation, of.of_act, of.acts, of.subject, coalesce(of.ends, ''),
      coalesce(', ' || quote_literal(of.person), ''));
  end loop;
end
$$;

-- A correction may say the end as well, by its own act (0047).
create trigger zz_end_action_id_is_what_it_names before insert or update on outages
  for each row when (new.corrects is null or new.end_action_id is distinct from new.action_id)
  execute function guard_named_act('end_action_id', 'fleet/end-outage', 'outage:', 'id');
create trigger zz_action_id_is_what_it_names before insert on outages
  for each row when (new.corrects is null) execute function guard_named_act('action_id', 'fleet/record-outage', 'outage:', 'id');

-- Those whose act is not on the row alone: a text's version is an act on its piece, a question that is moved moves the others, a plan
-- begins with its first version, and a payout may come from a file.
create function guard_act_elsewhere() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- One condition each: the other tables' columns are not there.
  if tg_table_name = 'content_versions' then
    if exists (select from audit_log a join content_pieces c on a.subject = 'content:' || c.kind || '/' || c.slug
                where c.id = new.piece_id and a.id = new.act_id
                  and a.act = case new.state when 'draft' then 'content/save-draft' when 'published' then 'content/publish'
                                             else 'content/withdraw' end) then
      return new;
    end if;
  elsif tg_table_name = 'content_pieces' then
    if exists (select from audit_log a
                where a.id = new.created_by_act
                  and (a.act in ('content/save-draft', 'content/publish', 'content/withdraw') and a.subject = 'content:' || new.kind || '/' || new.slug
                       or a.act = 'content/move' and starts_with(a.subject, 'content:' || new.kind || '/')))
       and (new.moved_by_act is null or exists (
         select from audit_log a
          where a.id = new.moved_by_act and a.act = 'content/move' and starts_with(a.subject, 'content:' || new.kind || '/'))) then
      return new;
    end if;
  elsif tg_table_name = 'pool_payouts' then
    if (new.proposal_action_id is null or who_proposed_payout(new) is not null)
       and (new.decision_action_id is null or new.decision_action_id = new.proposal_action_id or staff_did(
         new.decision_action_id, case new.state when 'refused' then 'payouts/refuse' else 'payouts/confirm' end, 'payout:' || new.id)) then
      return new;
    end if;
  elsif exists (select from plans p where p.id = new.plan_id and p.action_id = new.created_action_id) then
    return new;
  end if;
  raise exception 'The act that % names did something else.', tg_table_name
    using errcode = 'check_violation', constraint = 'acts_are_what_they_are_named_for';
end
$$;
create trigger zz_act_is_what_it_names before insert on content_versions
  for each row execute function guard_act_elsewhere();
create trigger zz_acts_are_what_they_name before insert or update on content_pieces
  for each row execute function guard_act_elsewhere();
create trigger zz_acts_are_what_they_name before insert or update on pool_payouts
  for each row execute function guard_act_elsewhere();
create trigger zz_plan_begins_with_its_act before insert on plan_versions
  for each row when (new.version = 1) execute function guard_act_elsewhere();

-- Proposals ---------------------------------------------------------------------------------------------------

-- What changes of staff do by themselves (0054), everything else that two people decide asks here. Waits for a suspension that is
-- under way. Declining stays possible.
create function require_proposer_is_staff(p_person uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from operators where id = p_person and state = 'active' for share;
  if not found then
    raise exception 'Who proposed this is not on the staff any more.'
      using errcode = 'check_violation', constraint = 'who_proposed_is_on_the_staff';
  end if;
end
$$;

-- Hashrate ----------------------------------------------------------------------------------------------------

-- Whether what was paid fits the hashrate that it was paid for: between half and twice of what the network paid on that day.
-- What was asked of the network within an hour counts, and the median of it: no figure that is brought later decides, and none alone.
create function payout_fits_hashrate(p_units numeric, p_ghs numeric, p_day date) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_units = 0 and p_ghs = 0 or coalesce((
    select p_units * 2 >= p_ghs * of_a_ghs.sats and p_units <= p_ghs * of_a_ghs.sats * 2
      from (select percentile_disc(0.5) within group (
                     order by 1000000000::numeric * 86400 * (n.subsidy_sats + n.fees_per_block_sats) / (n.difficulty * 4294967296)) as sats
              from network_figures n
             where n.observed_at > p_day::timestamp at time zone 'UTC' and n.observed_at <= (p_day + 1)::timestamp at time zone 'UTC'
               and n.recorded_at <= n.observed_at + interval '1 hour') of_a_ghs), false)
$$;

-- Whether a second person looks at a payout because of its hashrate: where there are two, one by a person that is of nothing, or that
-- does not fit; one that the worker read if it does not fit and two could stand for it.
create function payout_hashrate_needs_two(p_person uuid, p_units numeric, p_ghs numeric, p_day date) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case when p_person is not null
              then another_person_decides(p_person) and (p_units = 0 or not payout_fits_hashrate(p_units, p_ghs, p_day))
              else not payout_fits_hashrate(p_units, p_ghs, p_day) and exists (
                     select from operators o join credentials c on c.user_id = o.id
                      where o.state = 'active' and o.role in ('treasurer', 'owner') and c.password is not null
                        and another_person_decides(o.id)) end
$$;

revoke execute on function guard_named_act, guard_act_elsewhere, require_proposer_is_staff, payout_fits_hashrate, payout_hashrate_needs_two from public;
grant execute on function require_proposer_is_staff, payout_fits_hashrate, payout_hashrate_needs_two to assay_app;
