create or replace trigger sent_issues_are_never_rewritten before update on newsletter_issues for each row
  when (old.state <> 'draft' and (new.subject, new.body, new.imprint, new.started_at, new.sent_by_act)
        is distinct from (old.subject, old.body, old.imprint, old.started_at, old.sent_by_act))
  execute function refuse_to_rewrite('sent_issues_are_never_rewritten', 'What was sent is never rewritten');
create or replace trigger issues_are_sent_once before update on newsletter_issues for each row
  when (old.state in ('sent', 'stopped') and new.state <> old.state) execute function refuse_to_rewrite();
call name_act('newsletter_issues', 'changed_by_act', 'newsletter/save-issue', 'newsletter:', 'id');
call name_act('newsletter_issues', 'sent_by_act', 'newsletter/send-issue', 'newsletter:', 'id');
call name_act('newsletter_issues', 'stopped_by_act', 'newsletter/stop-issue', 'newsletter:', 'id');
