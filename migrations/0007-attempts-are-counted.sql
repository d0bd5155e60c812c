-- How often somebody tried something within a window of time. The key is a hash: it names nobody.
create table attempts (
  key bytea primary key,
  count integer not null,
  window_ends_at timestamptz not null
);
create index attempts_by_end on attempts (window_ends_at);
grant select, insert, update, delete on attempts to assay_app;
