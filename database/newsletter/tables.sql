create table newsletter_subscriptions (
  id uuid primary key, email text constraint emails_of_subscribers_are_one_line -- Null: who left has been forgotten, by rule.
    check (length(email) between 3 and 254 and email = lower(email) and email !~ '[[:cntrl:][:space:]]'),
  state text not null constraint subscriptions_are_pending_confirmed_or_ended check (state in ('pending', 'confirmed', 'ended')),
  -- Consent: when, on which page, to which words.
  asked_at timestamptz not null, source text not null constraint sources_are_paths check (source ~ '^/[a-z0-9/-]{0,100}$'),
  text_version integer not null, confirmation_sha256 bytea constraint one_subscription_per_confirmation unique,
  confirmation_expires_at timestamptz not null, confirmed_at timestamptz,
  -- In every issue's mail, for as long as the mail exists: it can do nothing but end the subscription.
  leaving_token text not null constraint one_subscription_per_leaving_token unique, ended_at timestamptz,
  ended_by text constraint subscriptions_end_by_page_or_by_mail_program check (ended_by in ('page', 'one-click')),
  constraint confirmed_subscriptions_have_a_time check (state <> 'confirmed' or confirmed_at is not null),
  constraint ended_subscriptions_have_a_time_and_a_way check (num_nonnulls(ended_at, ended_by) = case state when 'ended' then 2 else 0 end),
  constraint only_who_left_is_forgotten check (email is not null or state = 'ended')
);
create unique index one_live_subscription_per_address on newsletter_subscriptions (email) where state <> 'ended';
create index newsletter_subscriptions_confirmed on newsletter_subscriptions (id) where state = 'confirmed';
create index newsletter_subscriptions_newest_first on newsletter_subscriptions (state, asked_at desc, id desc);

create table newsletter_issues (
  id uuid primary key, subject text not null
    constraint subjects_of_issues_are_one_short_line check (length(subject) between 1 and 150 and subject !~ '[[:cntrl:]]'),
  body text not null constraint issues_are_not_empty_nor_books check (length(body) between 1 and 20000), state text not null default 'draft'
    constraint issues_are_drafts_sending_sent_or_stopped check (state in ('draft', 'sending', 'sent', 'stopped')),
  created_at timestamptz not null, changed_at timestamptz not null, changed_by_act uuid not null references audit_log,
  -- The revision grows with every change: what is sent is what was looked at. The imprint is the sender, as many countries'
  -- law requires: company and postal address at that moment.
  revision integer not null default 0, imprint text not null default '', started_at timestamptz, finished_at timestamptz,
  sent_by_act uuid constraint one_issue_per_sending unique references audit_log, stopped_by_act uuid references audit_log,
  constraint issues_are_sent_by_an_act check ((state = 'draft') = (sent_by_act is null) and (state = 'draft') = (started_at is null)),
  constraint issues_are_stopped_by_an_act check ((state = 'stopped') = (stopped_by_act is not null)),
  constraint issues_that_went_have_an_end check ((state in ('sent', 'stopped')) = (finished_at is not null))
);

-- One row for each recipient of an issue, written with the mail: no one gets it twice.
create table newsletter_deliveries (
  issue_id uuid references newsletter_issues, subscription_id uuid references newsletter_subscriptions,
  queued_at timestamptz not null, mail_id uuid constraint one_delivery_per_mail unique references mail_keys on delete set null,
  -- What became of the mail, where the mail itself has been forgotten; null: the mail's own row says it.
  outcome text constraint deliveries_are_sent_failed_or_withdrawn check (outcome in ('sent', 'failed', 'withdrawn')),
  primary key (issue_id, subscription_id)
);
create index newsletter_deliveries_of_a_subscription on newsletter_deliveries (subscription_id);

-- The mails about a subscription itself: they go with its address.
create table newsletter_mails (
  mail_id uuid primary key references mail_keys on delete cascade,
  subscription_id uuid not null references newsletter_subscriptions on delete cascade
);
create index newsletter_mails_of_a_subscription on newsletter_mails (subscription_id);
