create table news_sources (
  id uuid primary key, name text not null constraint names_of_sources_are_short check (length(trim(name)) between 1 and 80),
  url text not null constraint sources_are_read_over_https check (url ~ '^https://' or url ~ '^http://127[.]0[.]0[.]1[:/]')
    constraint addresses_of_sources_are_short check (length(url) <= 1000),
  -- The revision counts up with every change by staff: of two changes to the same state, the second is refused.
  enabled boolean not null default true, revision integer not null default 1, removed_at timestamptz, created_at timestamptz not null,
  created_by_act uuid not null references audit_log, changed_by_act uuid not null references audit_log,
  -- The worker's side: how reading goes, and why it failed last, as a code of ours.
  next_read_at timestamptz not null, read_at timestamptz, succeeded_at timestamptz,
  failures integer not null default 0 constraint failures_are_counted_from_zero check (failures >= 0),
  last_failure text, skipped integer not null default 0, etag text, last_modified text
);
create unique index one_source_per_url on news_sources (url) where removed_at is null;

create table news_items (
  id uuid primary key, source_id uuid not null references news_sources,
  -- What the feed calls the item, else its address.
  key_sha256 bytea not null constraint keys_are_known_by_their_sha256 check (length(key_sha256) = 32),
  title text not null constraint titles_of_news_have_1_to_200_characters check (length(title) between 1 and 200),
  url text not null constraint news_lead_to_web_pages check (url ~ '^https?://')
    constraint addresses_of_news_are_short check (length(url) <= 2000),
  summary text not null constraint summaries_of_news_are_short check (length(summary) <= 400),
  -- What the feed says, if it is not in the future; else when it was first seen.
  published_at timestamptz not null, first_seen_at timestamptz not null, constraint one_item_per_key unique (source_id, key_sha256)
);
create index news_items_newest_first on news_items (published_at desc, id);
