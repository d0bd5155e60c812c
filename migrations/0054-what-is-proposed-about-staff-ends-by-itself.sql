-- A proposal about somebody who was changed without it (suspended on the server, say) stood open for the rest of its week,
-- and so did what an owner had proposed who is one no more, though nobody could confirm it. Both end with the change itself,
-- whoever makes it, and name the act that did it.
alter table staff_changes
  add column ended_by_act uuid references audit_log,
  drop constraint staff_changes_have_a_known_state,
  add constraint staff_changes_have_a_known_state
    check (state in ('open', 'confirmed', 'declined', 'withdrawn', 'ended')),
  drop constraint decisions_have_an_act,
  add constraint decisions_have_an_act check (
    case state
      when 'open' then num_nonnulls(decided_by, decided_by_act, ended_by_act, decided_at) = 0
      when 'ended' then num_nonnulls(decided_by, decided_by_act) = 0 and num_nonnulls(ended_by_act, decided_at) = 2
      else ended_by_act is null and num_nonnulls(decided_by, decided_by_act, decided_at) = 3 end);

create or replace function guard_staff_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person uuid := case tg_op when 'INSERT' then new.proposed_by else new.decided_by end;
  act_of_person uuid := case tg_op when 'INSERT' then new.proposed_by_act else new.decided_by_act end;
  -- As core/permissions.ts and server/identity/staff-change.ts call it.
  name_of_act text := case new.state
    when 'open' then 'identity/propose-staff-change'
    when 'declined' then 'identity/decline-staff-change'
    when 'withdrawn' then 'identity/withdraw-staff-change'
    else case new.kind when 'invite' then 'identity/invite-operator' when 'suspend' then 'identity/suspend-operator'
                       when 'reinstate' then 'identity/reinstate-operator' else 'identity/change-role' end end;
  -- Whoever is invited gets the id of the proposal.
  subject_of_act text := case when new.kind <> 'invite' then 'operator:' || new.operator_id
                              when new.state = 'confirmed' then 'operator:' || new.id else 'staff-change:' || new.id end;
begin
  if tg_op = 'UPDATE' and new.state = 'ended' then
    if not exists (select from operators o
                    where o.changed_by_act = new.ended_by_act
                      and (o.id = new.operator_id
                           or o.id = new.proposed_by and (o.role <> 'owner' or o.state <> 'active'))) then
      raise exception 'a proposal ends by itself when whom it concerns is changed, or who proposed it is no owner any more'
        using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if not exists (select from operators where id = person and role = 'owner' and state = 'active') then
    raise exception 'only owners decide about staff' using errcode = 'insufficient_privilege';
  end if;
  if not exists (select from audit_log
                  where id = act_of_person and operator_id = person and act = name_of_act and subject = subject_of_act) then
    raise exception 'a decision about staff is an act of who decides' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'INSERT' and new.state <> 'open' then
    raise exception 'a change of staff is proposed before it is decided' using errcode = 'insufficient_privilege';
  end if;
  if new.state = 'confirmed'
     and not exists (select from operators where id = new.proposed_by and role = 'owner' and state = 'active') then
    raise exception 'who proposed it is no owner any more' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;

-- What is confirmed by the same act is decided before it is carried out, and stands.
create function end_proposals_about_staff() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update staff_changes c set state = 'ended', ended_by_act = a.id, decided_at = a.occurred_at
    from audit_log a
   where a.id = new.changed_by_act and c.state = 'open' and c.expires_at > a.occurred_at
     and (c.operator_id = new.id or c.proposed_by = new.id and (new.role <> 'owner' or new.state <> 'active'));
  return null;
end
$$;
create trigger proposals_end_with_a_change_of_staff after update of role, state on operators
  for each row when (new.role <> old.role or new.state <> old.state)
  execute function end_proposals_about_staff();
alter table operators enable always trigger proposals_end_with_a_change_of_staff;
revoke execute on function end_proposals_about_staff from public;

-- Those that stand open already.
update staff_changes c set state = 'ended', ended_by_act = a.id, decided_at = a.occurred_at
  from operators o join audit_log a on a.id = o.changed_by_act
 where c.state = 'open' and a.occurred_at > c.proposed_at and a.occurred_at < c.expires_at
   and (c.operator_id = o.id or c.proposed_by = o.id and (o.role <> 'owner' or o.state <> 'active'));
