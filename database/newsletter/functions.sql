call check_rows('newsletter_issues', 'before update when (old.state <> ''draft'')', 'sent_issues_are_never_rewritten',
  'sent_issues_are_never_rewritten: What was sent is never rewritten',
  '(new.subject, new.body, new.imprint, new.started_at, new.sent_by_act)
   is not distinct from (old.subject, old.body, old.imprint, old.started_at, old.sent_by_act)',
  'issues_are_sent_once', 'old.state = ''sending'' or new.state = old.state');
call name_act('newsletter_issues', 'changed_by_act', 'newsletter/save-issue', 'newsletter:', 'id');
call name_act('newsletter_issues', 'sent_by_act', 'newsletter/send-issue', 'newsletter:', 'id');
call name_act('newsletter_issues', 'stopped_by_act', 'newsletter/stop-issue', 'newsletter:', 'id');
