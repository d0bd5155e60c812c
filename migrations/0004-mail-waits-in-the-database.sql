-- Every mail is a row first, written in the transaction of what it tells about, and sent by a job after
-- that transaction committed: a mail server that is down delays it and loses nothing.
create table mails (
  id uuid primary key,
  user_id uuid references users,
  -- For what is told once, however often the job that tells it runs.
  key text constraint one_mail_per_key unique,
  recipient text not null,
  template text not null,
  subject text not null,
  body_text text,
  body_html text,
  holds_link boolean not null default false,
  state text not null default 'queued'
    constraint mails_are_queued_sent_or_failed check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  last_error text,
  -- Until then one worker is at it: another one leaves it alone.
  sending_until timestamptz,
  sent_via text constraint mails_leave_by_smtp_or_outbox check (sent_via in ('smtp', 'outbox')),
  created_at timestamptz not null,
  sent_at timestamptz,
  constraint mails_keep_their_bodies_until_sent
    check (state = 'sent' or (body_text is not null and body_html is not null)),
  constraint mails_are_sent_at_a_time check ((state = 'sent') = (sent_at is not null and sent_via is not null))
);
create index mails_newest_first on mails (created_at desc, id desc);
create index mails_of_a_user on mails (user_id, created_at desc);

grant select, insert on mails to assay_app;
grant update (body_text, body_html, state, attempts, last_error, sending_until, sent_via, sent_at)
  on mails to assay_app;
