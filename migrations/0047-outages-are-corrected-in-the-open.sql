-- An outage that was noted wrongly is replaced by another row that names it, or taken back. What was said first stays, and so
-- does every word in between: receipts say what was known when they were posted. Why: docs/decisions/0043.

alter table outages
  add column corrects uuid constraint one_correction_per_outage unique references outages
    constraint outages_do_not_correct_themselves check (corrects <> id),
  add column correction_reason text
    constraint corrections_of_outages_have_a_reason check (length(trim(correction_reason)) between 1 and 300),
  add column withdrawn_at timestamptz,
  add column withdrawal_reason text
    constraint withdrawals_of_outages_have_a_reason check (length(trim(withdrawal_reason)) between 1 and 300),
  add column withdrawal_action_id uuid references audit_log,
  add constraint corrections_of_outages_say_why check ((corrects is null) = (correction_reason is null)),
  add constraint withdrawals_of_outages_say_why check (num_nonnulls(withdrawn_at, withdrawal_reason, withdrawal_action_id) in (0, 3));

-- Who corrects, ends or takes back an outage waits for the others: only what stands can be changed.
create function check_outage_correction() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
declare
  wrong outages;
begin
  select * into wrong from outages where id = new.corrects for update;
  if wrong.withdrawn_at is not null then
    raise exception 'Outage % was taken back.', new.corrects using errcode = 'check_violation', constraint = 'only_standing_outages_change';
  end if;
  if not staff_did(new.action_id, 'fleet/correct-outage', 'outage:' || new.corrects) then
    raise exception 'An outage is corrected by an act of staff on it.'
      using errcode = 'check_violation', constraint = 'outages_are_corrected_by_staff_acts';
  end if;
  return new;
end
$$;
create trigger outages_are_corrected_by_staff_acts before insert on outages
  for each row when (new.corrects is not null) execute function check_outage_correction();

create or replace function check_changed_outage() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
declare
  ended constant boolean := new.ended_at is distinct from old.ended_at;
  may_change constant text[] := case when ended then '{ended_at,end_action_id}' else '{withdrawn_at,withdrawal_reason,withdrawal_action_id}' end;
begin
  if (to_jsonb(new) - may_change) is distinct from (to_jsonb(old) - may_change)
     or (ended and old.ended_at is not null) or (not ended and old.withdrawn_at is not null) then
    raise exception 'An outage is noted once, ended once, and taken back once.'
      using errcode = 'check_violation', constraint = 'outages_end_once';
  end if;
  if old.withdrawn_at is not null or exists (select from outages c where c.corrects = old.id) then
    raise exception 'Outage % does not stand any more.', old.id
      using errcode = 'check_violation', constraint = 'only_standing_outages_change';
  end if;
  if not ended and not staff_did(new.withdrawal_action_id, 'fleet/withdraw-outage', 'outage:' || new.id) then
    raise exception 'An outage is taken back by an act of staff on it.'
      using errcode = 'check_violation', constraint = 'outages_are_withdrawn_by_staff_acts';
  end if;
  return new;
end
$$;

revoke execute on function check_outage_correction from public;
grant update (withdrawn_at, withdrawal_reason, withdrawal_action_id) on outages to assay_app;
