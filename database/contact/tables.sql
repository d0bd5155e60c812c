create table contact_threads (
  id uuid primary key, created_at timestamptz not null, waiting_since timestamptz not null, last_at timestamptz not null,
  reference text not null -- What people quote on the telephone. Random: it says nothing of how many write.
    constraint references_are_short check (reference ~ '^[0-9A-Z]{4}-[0-9A-Z]{4}$') constraint one_thread_per_reference unique,
  sender_name text not null
    constraint names_of_senders_are_one_short_line check (length(sender_name) between 1 and 100 and sender_name !~ '[[:cntrl:]]'),
  sender_email text not null
    constraint emails_of_senders_are_one_line check (length(sender_email) between 3 and 254 and sender_email !~ '[[:cntrl:][:space:]]'),
  subject text not null constraint subjects_are_one_short_line check (length(subject) between 1 and 150 and subject !~ '[[:cntrl:]]'),
  about text constraint threads_are_about_a_case check (about ~ '^(deposit|contract|withdrawal):[0-9a-f-]{36}$'),
  customer_id uuid references customers, -- Only if the writer was signed in; an address alone proves nothing.
  has_news boolean not null default false, -- Whether staff answered what its customer has not opened since.
  state text not null constraint threads_are_open_answered_closed_or_spam check (state in ('open', 'answered', 'closed', 'spam')),
  -- What a customer wrote is deleted no earlier than other words: it may be a complaint.
  constraint customers_write_no_spam check (state <> 'spam' or customer_id is null),
  is_suspected boolean not null default false, -- What the form's own traps caught. Staff may find that it was a person.
  -- The revision grows with every change: an answer to an older state is refused.
  revision integer not null default 0, changed_by_act uuid references audit_log, constraint threads_are_answered_closed_or_marked_by_an_act
    check (state = 'open' or changed_by_act is not null or (state = 'spam' and is_suspected))
);
create index contact_threads_that_wait on contact_threads (waiting_since, id) where state = 'open';
create index contact_threads_newest_first on contact_threads (state, last_at desc, id desc);
create index contact_threads_by_sender on contact_threads (sender_email);
create index contact_threads_of_a_customer on contact_threads (customer_id, last_at desc, id desc) where customer_id is not null;
create index contact_threads_with_news on contact_threads (customer_id) where has_news;
create table contact_messages (
  id uuid primary key, thread_id uuid not null references contact_threads on delete cascade, created_at timestamptz not null,
  -- Of the form's token and of what was written: the same form sent twice is one message.
  submission_sha256 bytea not null constraint submissions_are_known_by_their_sha256 check (length(submission_sha256) = 32)
    constraint one_message_per_submission unique,
  body text not null constraint messages_are_not_empty_nor_books check (length(body) between 1 and 5000),
  proven text not null constraint messages_come_with_a_known_proof check (proven in ('work', 'patience', 'link', 'session'))
);
create index contact_messages_of_a_thread on contact_messages (thread_id, created_at);
-- What a customer sent along. Of no message: being written, or its thread was deleted; a sweep then deletes the file, then the row.
create table contact_files (
  id uuid primary key, customer_id uuid not null references customers, message_id uuid references contact_messages on delete set null,
  file_key text collate "C" not null constraint one_contact_file_per_key unique, created_at timestamptz not null,
  original_name text not null constraint names_of_contact_files_are_short check (length(original_name) <= 200),
  media_type text not null constraint contact_files_are_pictures_or_pdfs check (media_type in ('image/jpeg', 'application/pdf')),
  byte_size integer not null, sha256 bytea not null constraint contact_files_are_known_by_their_sha256 check (length(sha256) = 32)
);
create index contact_files_of_a_message on contact_files (message_id, created_at);
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
