-- The evidence of an adjustment is kept for as long as somebody can ask for it; then its file and its name go. Who
-- brought it and when, how large it was and its hashes stay, beside the adjustment that rests on it: a file that comes
-- up again can still be told from another one.
-- docs/decisions/0026-evidence-goes-when-nobody-can-ask-for-it.md says for how long, and why.

alter table adjustment_evidence add column erased_at timestamptz,
  add constraint erased_evidence_has_no_name check (erased_at is null or original_name = ''),
  add constraint only_used_evidence_is_erased check (erased_at is null or used_at is not null);
create index adjustment_evidence_that_is_kept on adjustment_evidence (used_at) where used_at is not null and erased_at is null;
grant update (erased_at, original_name) on adjustment_evidence to assay_app;

create function check_erased_evidence() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.erased_at, new.original_name) is not distinct from (old.erased_at, old.original_name) then
    return new;
  end if;
  if old.erased_at is not null or new.erased_at is null or not exists (
       select from adjustments a left join customers c on c.id = a.customer_id
        where a.evidence_id = old.id
          and (a.state in ('rejected', 'withdrawn')
               or a.state = 'approved' and (c.erased_at is not null or a.decided_at <= new.erased_at - interval '5 years'))) then
    raise exception 'Evidence is erased once, and not while what it shows may be asked about.'
      using errcode = 'check_violation', constraint = 'evidence_outlives_what_it_shows';
  end if;
  return new;
end
$$;
create trigger evidence_outlives_what_it_shows before update on adjustment_evidence
  for each row execute function check_erased_evidence();
alter table adjustment_evidence enable always trigger evidence_outlives_what_it_shows;
revoke execute on function check_erased_evidence from public;
