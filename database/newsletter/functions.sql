create or replace function check_changed_issue() returns trigger language plpgsql as $$
begin
  if old.state <> 'draft' and (new.subject, new.body, new.imprint, new.started_at, new.sent_by_act)
     is distinct from (old.subject, old.body, old.imprint, old.started_at, old.sent_by_act) then
    raise exception 'What was sent is never rewritten.'
      using errcode = 'check_violation', constraint = 'sent_issues_are_never_rewritten';
  end if;
  if old.state in ('sent', 'stopped') and new.state <> old.state then
    raise exception 'An issue is sent once.'
      using errcode = 'check_violation', constraint = 'issues_are_sent_once';
  end if;
  return new;
end
$$;
create or replace trigger sent_issues_stay before update on newsletter_issues
  for each row execute function check_changed_issue();

-- Guards
create or replace trigger zz_changed_by_act_is_what_it_names before insert or update on newsletter_issues
  for each row execute function guard_named_act('changed_by_act', 'newsletter/save-issue', 'newsletter:', 'id');
create or replace trigger zz_sent_by_act_is_what_it_names before insert or update on newsletter_issues
  for each row execute function guard_named_act('sent_by_act', 'newsletter/send-issue', 'newsletter:', 'id');
create or replace trigger zz_stopped_by_act_is_what_it_names before insert or update on newsletter_issues
  for each row execute function guard_named_act('stopped_by_act', 'newsletter/stop-issue', 'newsletter:', 'id');
