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
