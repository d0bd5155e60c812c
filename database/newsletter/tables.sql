create table newsletter_subscriptions (
  id uuid primary key, email text constraint emails_of_subscribers_are_one_line -- Null: who left has been forgotten, by rule.
    check (length(email) between 3 and 254 and email = lower(email) and email !~ '[[:cntrl:][:space:]]'),
  state text not null constraint subscriptions_are_pending_confirmed_or_ended check (state in ('pending', 'confirmed', 'ended')),
  -- Consent: when, on which page, to which words.
  asked_at timestamptz not null, source text not null constraint sources_are_paths check (source ~ '^/[a-z0-9/-]{0,100}$'),
  text_version integer not null, confirmation_sha256 bytea constraint one_subscription_per_confirmation unique,
  confirmation_expires_at timestamptz not null, confirmed_at timestamptz,
  -- In the file of subscribers, and so in every issue: it can do nothing but end the subscription.
  leaving_token text not null constraint one_subscription_per_leaving_token unique, ended_at timestamptz,
  ended_by text constraint subscriptions_end_by_page_or_by_mail_program check (ended_by in ('page', 'one-click')),
  constraint confirmed_subscriptions_have_a_time check (state <> 'confirmed' or confirmed_at is not null),
  constraint ended_subscriptions_have_a_time_and_a_way check (num_nonnulls(ended_at, ended_by) = case state when 'ended' then 2 else 0 end),
  constraint only_who_left_is_forgotten check (email is not null or state = 'ended')
);
create unique index one_live_subscription_per_address on newsletter_subscriptions (email) where state <> 'ended';
create index newsletter_subscriptions_newest_first on newsletter_subscriptions (state, asked_at desc, id desc);

-- The mails about a subscription itself: they go with its address.
create table newsletter_mails (
  mail_id uuid primary key references mail_keys on delete cascade,
  subscription_id uuid not null references newsletter_subscriptions on delete cascade
);
create index newsletter_mails_of_a_subscription on newsletter_mails (subscription_id);
