create table contact_threads (
  id uuid primary key, created_at timestamptz not null, waiting_since timestamptz not null, last_at timestamptz not null,
  -- What people quote on the telephone. Random: it says nothing of how many write.
  reference text not null constraint references_are_short check (reference ~ '^[0-9A-Z]{4}-[0-9A-Z]{4}$')
    constraint one_thread_per_reference unique,
  sender_name text not null
    constraint names_of_senders_are_one_short_line check (length(sender_name) between 1 and 100 and sender_name !~ '[[:cntrl:]]'),
  sender_email text not null
    constraint emails_of_senders_are_one_line check (length(sender_email) between 3 and 254 and sender_email !~ '[[:cntrl:][:space:]]'),
  subject text not null constraint subjects_are_one_short_line check (length(subject) between 1 and 150 and subject !~ '[[:cntrl:]]'),
  customer_id uuid references customers, -- Only if the writer was signed in; an address alone proves nothing.
  state text not null constraint threads_are_open_answered_closed_or_spam check (state in ('open', 'answered', 'closed', 'spam')),
  is_suspected boolean not null default false, -- What the form's own traps caught. Staff may find that it was a person.
  -- The revision grows with every change: an answer to an older state is refused.
  revision integer not null default 0, changed_by_act uuid references audit_log,
  constraint threads_are_answered_closed_or_marked_by_an_act
    check (state = 'open' or changed_by_act is not null or (state = 'spam' and is_suspected))
);
create index contact_threads_that_wait on contact_threads (waiting_since, id) where state = 'open';
create index contact_threads_newest_first on contact_threads (state, last_at desc, id desc);
create index contact_threads_by_sender on contact_threads (sender_email);

create table contact_messages (
  id uuid primary key, thread_id uuid not null references contact_threads on delete cascade, created_at timestamptz not null,
  -- Of the form's token and of what was written: the same form sent twice is one message.
  submission_sha256 bytea not null constraint submissions_are_known_by_their_sha256 check (length(submission_sha256) = 32)
    constraint one_message_per_submission unique,
  body text not null constraint messages_are_not_empty_nor_books check (length(body) between 1 and 5000),
  proven text not null constraint messages_come_with_work_with_patience_or_by_link check (proven in ('work', 'patience', 'link'))
);
create index contact_messages_of_a_thread on contact_messages (thread_id, created_at);

create table contact_replies (
  id uuid primary key, thread_id uuid not null references contact_threads on delete cascade, submission_key uuid not null,
  body text not null constraint replies_are_not_empty_nor_books check (length(body) between 1 and 10000),
  act_id uuid not null constraint one_reply_per_act unique references audit_log, created_at timestamptz not null,
  constraint one_reply_per_submission unique (thread_id, submission_key)
);

-- The mails that hold what was written: they go with their thread.
create table contact_mails (
  mail_id uuid primary key references mail_keys on delete cascade, thread_id uuid not null references contact_threads on delete cascade
);
create index contact_mails_of_a_thread on contact_mails (thread_id);

-- Solved challenges that were used, until they would have expired anyway.
create table contact_spent_proofs (signature_sha256 bytea primary key, expires_at timestamptz not null);
