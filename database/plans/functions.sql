-- A plan begins with its first version, by one act for both. A version is drafted, published and retired, in this order and by acts of
-- staff on it; once published it is never rewritten.
create or replace function check_plan_version() returns trigger language plpgsql as $$
declare
  publisher uuid;
begin
  if tg_op = 'INSERT' then
    if new.version = 1 and not exists (select from plans p where p.id = new.plan_id and p.action_id = new.created_action_id) then
      raise check_violation using constraint = 'acts_are_what_they_are_named_for',
        message = 'A plan and its first version name one act.';
    end if;
    return new;
  end if;
  if old.state <> 'draft'
     and to_jsonb(new) - '{state,published_at,published_action_id,retired_at,retired_action_id}'::text[]
         <> to_jsonb(old) - '{state,published_at,published_action_id,retired_at,retired_action_id}'::text[] then
    raise check_violation using constraint = 'published_plans_are_never_rewritten',
      message = 'A published plan changes by a new version.';
  end if;
  if (old.state, new.state) not in (('draft', 'draft'), ('draft', 'published'), ('published', 'published'),
                                    ('published', 'retired'), ('retired', 'retired'))
     or (new.plan_id, new.version) <> (old.plan_id, old.version)
     or (new.published_at, new.published_action_id) is distinct from (old.published_at, old.published_action_id) and old.state <> 'draft'
     or (new.retired_at, new.retired_action_id) is distinct from (old.retired_at, old.retired_action_id) and old.state = 'retired' then
    raise check_violation using constraint = 'plans_go_one_way', message = 'A plan is drafted, published, retired, in this order.';
  end if;
  if old.state <> new.state
     and not staff_did(case new.state when 'published' then new.published_action_id else new.retired_action_id end,
                       case new.state when 'published' then 'plans/publish' else 'plans/retire' end, 'plan-version:' || new.id) then
    -- A version that another takes the place of is retired by the act that published the other.
    if not (new.state = 'retired' and exists (
         select from audit_log a join plan_versions next on a.subject = 'plan-version:' || next.id
          where a.id = new.retired_action_id and a.act = 'plans/publish' and next.plan_id = new.plan_id)) then
      raise check_violation using constraint = 'plans_are_published_by_staff_acts',
        message = 'Plans are published and retired by staff acts on them.';
    end if;
  end if;
  if old.state = 'draft' and new.state = 'published' then
    select operator_id into publisher from audit_log where id = new.published_action_id;
    if another_person_decides(publisher) and publisher = (
         select operator_id from audit_log
          where act = 'plans/draft' and subject = 'plan-version:' || new.id order by position desc limit 1) then
      raise check_violation using constraint = 'plans_are_published_by_another_person',
        message = 'A plan is published by another person than who wrote it last.';
    end if;
  end if;
  return new;
end
$$;
create or replace trigger published_plans_are_never_rewritten before insert or update on plan_versions
  for each row execute function check_plan_version();

create or replace trigger plans_begin_as_drafts before insert on plan_versions
  for each row when (new.state <> 'draft') execute function refuse_to_rewrite('plans_begin_as_drafts', 'A plan begins as a draft');

-- Guards
call keep_rows('{plan_versions}');
call write_once('{plans}', 'plans_are_kept');
call name_act('plan_versions', 'created_action_id', 'plans/draft', 'plan-version:', 'id');
