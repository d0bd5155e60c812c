-- Two things that let others check what the site says: statements that were issued, with a code that anybody can look
-- up, and what lies in the operator's wallets, counted beside the journal.
-- docs/decisions/0025-coins-are-counted-beside-the-journal.md says why it is shaped like this.

-- Statements -----------------------------------------------------------------------------------------------
-- What a printed statement said, without a name. The entries themselves stand in the journal; the hash is over them.

create table issued_statements (
  id uuid primary key,
  -- Letters and digits that nobody mistakes for each other, a hundred bits: whoever has it holds the paper.
  code text collate "C" not null constraint one_issued_statement_per_code unique
    constraint codes_have_twenty_signs check (code ~ '^[2-9A-HJ-NP-Z]{20}$'),
  customer_id uuid not null references customers,
  period text not null constraint statements_are_of_a_known_period check (period in ('month', 'year', 'tax-year')),
  from_day date not null,
  through_day date not null,
  entries integer not null constraint statements_count_their_entries check (entries >= 0),
  sha256 bytea not null constraint statements_are_known_by_their_sha256 check (length(sha256) = 32),
  issued_at timestamptz not null,
  constraint statements_are_of_a_month_or_a_year check (
    extract(day from from_day) between 1 and 28 and through_day = (from_day
      + case period when 'month' then interval '1 month' else interval '1 year' end - interval '1 day')::date),
  -- Asked for again while nothing was added, it is the same statement.
  constraint one_issued_statement_per_content unique (customer_id, period, from_day, sha256)
);

create table issued_statement_coins (
  statement_id uuid not null references issued_statements,
  asset text collate "C" not null constraint statements_are_about_coins check (asset in ('BTC', 'ETH', 'USDT')),
  opening_units numeric(38, 0) not null constraint statements_open_at_zero_or_above check (opening_units >= 0),
  in_units numeric(38, 0) not null constraint what_came_in_is_not_below_zero check (in_units >= 0),
  out_units numeric(38, 0) not null constraint what_went_out_is_not_below_zero check (out_units >= 0),
  closing_units numeric(38, 0) not null constraint statements_close_at_zero_or_above check (closing_units >= 0),
  constraint one_row_per_statement_and_coin primary key (statement_id, asset),
  constraint statements_add_up check (closing_units = opening_units + in_units - out_units)
);

create function refuse_to_reissue() returns trigger language plpgsql as $$
begin
  raise exception 'What was issued is never rewritten.'
    using errcode = 'restrict_violation', constraint = 'statements_are_issued_once';
end
$$;
create trigger statements_are_issued_once before update or delete or truncate on issued_statements
  for each statement execute function refuse_to_reissue();
create trigger statements_are_issued_once before update or delete or truncate on issued_statement_coins
  for each statement execute function refuse_to_reissue();
alter table issued_statements enable always trigger statements_are_issued_once;
alter table issued_statement_coins enable always trigger statements_are_issued_once;
revoke execute on function refuse_to_reissue from public;
grant select, insert on issued_statements, issued_statement_coins to assay_app;

-- What the journal says of custody -------------------------------------------------------------------------

-- Coins in custody by everything that had happened at a moment, of each coin. Sums from the last snapshot before it:
-- whatever lies under a seal had happened when the seal was made.
create function custody_at(p_moment timestamptz) returns table (asset text, units numeric)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  since bigint;
  complete_through bigint;
begin
  select s.number, s.complete_through into since, complete_through
    from ledger_seals s
   where s.sealed_at <= p_moment and exists (select from ledger_house_snapshots h where h.seal_number = s.number)
   order by s.number desc limit 1;
  -- Written out, so that the planner knows how little lies above the number.
  return query execute format($sums$
    select a.asset::text, -(coalesce(before.units, 0) + coalesce(moved.units, 0))
      from ledger_accounts a
      left join ledger_house_snapshots before
        on before.seal_number = %1$s and before.account = a.account and before.asset = a.asset
      left join (select e.asset, sum(e.units) as units
                   from ledger_entries e join ledger_transfers t on t.number = e.transfer_number
                  where e.transfer_number > %2$s and e.sequence is null and e.account = 'custody' and t.occurred_at <= %3$L
                    and not exists (select from ledger_sealed_transfers s
                                     where s.transfer_number = e.transfer_number and s.seal_number <= %1$s)
                  group by e.asset) moved
        on moved.asset = a.asset
     where a.owner_id = '00000000-0000-0000-0000-000000000000' and a.account = 'custody'
  $sums$, coalesce(since, 0), coalesce(complete_through, 0), p_moment);
end
$$;

-- The journal's figure at the end of each UTC day, for the days on which nobody counted as well.
create table custody_days (
  day date not null,
  asset text collate "C" not null constraint custody_is_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  custody_units numeric(38, 0) not null,
  noted_at timestamptz not null,
  constraint one_figure_per_coin_and_day primary key (day, asset)
);

-- Nobody types it: the journal is asked here.
create function note_custody_of_day() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.noted_at < (new.day + 1)::timestamp at time zone 'UTC' then
    raise exception 'Day % is not over.', new.day
      using errcode = 'check_violation', constraint = 'custody_is_noted_after_the_day';
  end if;
  -- The first moment after the day is not of it.
  new.custody_units := (select c.units from custody_at((new.day + 1)::timestamp at time zone 'UTC' - interval '1 microsecond') c
                         where c.asset = new.asset);
  return new;
end
$$;
create trigger custody_comes_from_the_journal before insert on custody_days
  for each row execute function note_custody_of_day();

-- Counts ---------------------------------------------------------------------------------------------------
-- What a member of staff read in the operator's wallets, with evidence. Somebody else confirms it, once and for good.

create table custody_counts (
  id uuid primary key,
  -- Minted with the form: however often the same form arrives, it is one count.
  submission_key uuid not null,
  asset text collate "C" not null constraint counts_are_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  units numeric(38, 0) not null constraint counts_are_not_below_zero check (units >= 0),
  -- The moment that the wallets were read for, and the block then; null: it was not said.
  as_of timestamptz not null,
  block_height integer constraint blocks_of_counts_have_a_height check (block_height >= 0),
  -- Which wallets, and how they were read.
  wallets text not null constraint counts_name_their_wallets
    check (length(trim(wallets)) between 1 and 400 and wallets !~ '[[:cntrl:]]'),
  evidence_id uuid not null references adjustment_evidence constraint one_count_per_evidence unique,
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null references audit_log constraint one_count_per_proposing_act unique,
  proposed_at timestamptz not null,
  state text not null default 'open'
    constraint counts_have_a_known_state check (state in ('open', 'confirmed', 'rejected', 'withdrawn')),
  decided_by uuid references operators,
  decided_by_act uuid references audit_log constraint one_decision_on_a_count_per_act unique,
  decided_at timestamptz,
  rejection_reason text constraint rejections_of_counts_say_why
    check (length(trim(rejection_reason)) between 1 and 1000),
  constraint one_count_per_submission unique (proposed_by, submission_key),
  constraint counts_are_of_the_last_week check (as_of <= proposed_at and as_of > proposed_at - interval '7 days'),
  constraint counts_are_decided_by_an_act
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint who_counted_does_not_confirm
    check (state not in ('confirmed', 'rejected') or decided_by <> proposed_by),
  constraint only_who_counted_withdraws check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint only_rejections_of_counts_say_why check ((state = 'rejected') = (rejection_reason is not null))
);
create index counts_that_wait on custody_counts (proposed_at, id) where state = 'open';
create index counts_by_time on custody_counts (proposed_at desc, id desc);

create function guard_count() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person uuid := case tg_op when 'INSERT' then new.proposed_by else new.decided_by end;
  act_of_person uuid := case tg_op when 'INSERT' then new.proposed_by_act else new.decided_by_act end;
  verb text := case new.state when 'open' then 'count' when 'confirmed' then 'confirm-count'
                              when 'rejected' then 'reject-count' else 'withdraw-count' end;
begin
  if tg_op = 'INSERT' and new.state <> 'open' then
    raise exception 'A count is entered before it is decided.'
      using errcode = 'check_violation', constraint = 'counts_are_entered_first';
  end if;
  if tg_op = 'UPDATE' then
    if old.state <> 'open' or new.state = 'open' then
      raise exception 'Count % has been decided.', old.id
        using errcode = 'check_violation', constraint = 'counts_are_decided_once';
    end if;
    if to_jsonb(new) - '{state,decided_by,decided_by_act,decided_at,rejection_reason}'::text[]
       <> to_jsonb(old) - '{state,decided_by,decided_by_act,decided_at,rejection_reason}'::text[] then
      raise exception 'What was counted is never rewritten.'
        using errcode = 'check_violation', constraint = 'counts_are_never_rewritten';
    end if;
  end if;
  if not exists (select from operators where id = person and state = 'active') or not exists (
       select from audit_log a
        where a.id = act_of_person and a.operator_id = person and a.subject = 'count:' || new.id
          and a.act = 'reconciliation/' || verb) then
    raise exception 'A count is entered and decided by acts of staff on this very count.'
      using errcode = 'check_violation', constraint = 'counts_are_staff_acts';
  end if;
  if new.state = 'confirmed' then
    perform require_proposer_is_staff(new.proposed_by);
  end if;
  if tg_op = 'INSERT' and not exists (
       select from adjustment_evidence e
        where e.id = new.evidence_id and e.operator_id = new.proposed_by and e.stored_at is not null
          and e.used_at is not null and e.discarded_at is null) then
    raise exception 'Evidence is brought by who counts.'
      using errcode = 'check_violation', constraint = 'evidence_is_of_who_counts';
  end if;
  return new;
end
$$;
create trigger counts_are_decided_once before insert or update on custody_counts
  for each row execute function guard_count();

-- One piece of evidence proves one thing: an adjustment or a count.
create function refuse_evidence_twice() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.evidence_id is null then
    return new;
  end if;
  perform lock_fact('evidence:' || new.evidence_id);
  if tg_table_name = 'custody_counts' and exists (select from adjustments where evidence_id = new.evidence_id)
     or tg_table_name = 'adjustments' and exists (select from custody_counts where evidence_id = new.evidence_id) then
    raise exception 'This evidence proves something else already.'
      using errcode = 'unique_violation', constraint = 'evidence_proves_one_thing';
  end if;
  return new;
end
$$;
create trigger evidence_proves_one_thing before insert on custody_counts
  for each row execute function refuse_evidence_twice();
create trigger evidence_proves_one_thing before insert on adjustments
  for each row execute function refuse_evidence_twice();

-- Holdings -------------------------------------------------------------------------------------------------
-- What lay in the operator's wallets at a moment, beside what the journal said of that moment. However the figure on
-- chain was found: counted and confirmed by two people, or seen by a watcher.

create table custody_holdings (
  id uuid primary key,
  asset text collate "C" not null constraint holdings_are_of_a_coin check (asset in ('BTC', 'ETH', 'USDT')),
  units numeric(38, 0) not null constraint holdings_are_not_below_zero check (units >= 0),
  as_of timestamptz not null,
  block_height integer constraint blocks_of_holdings_have_a_height check (block_height >= 0),
  source text not null constraint holdings_have_a_known_source check (source in ('count', 'watcher')),
  count_id uuid references custody_counts constraint one_holding_per_count unique,
  custody_units numeric(38, 0) not null,
  difference_units numeric(38, 0) generated always as (units - custody_units) stored,
  recorded_at timestamptz not null,
  constraint counted_holdings_name_their_count check ((source = 'count') = (count_id is not null)),
  constraint holdings_are_not_of_the_future check (as_of <= recorded_at)
);
create index holdings_by_coin on custody_holdings (asset, as_of desc, recorded_at desc, id desc);

-- Nobody types the journal's half: it is asked here.
create function compare_holding() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.custody_units := (select c.units from custody_at(new.as_of) c where c.asset = new.asset);
  return new;
end
$$;
create trigger holdings_are_compared_with_the_journal before insert on custody_holdings
  for each row execute function compare_holding();

-- A confirmed count and its holding are written together, and say the same.
create function match_count_and_holding() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_count uuid := case tg_table_name when 'custody_counts' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'count_id' end;
begin
  if not exists (
       select from custody_counts c join custody_holdings h on h.count_id = c.id
        where c.id = of_count and c.state = 'confirmed'
          and (h.asset, h.units, h.as_of) = (c.asset, c.units, c.as_of)
          and h.block_height is not distinct from c.block_height) then
    raise exception 'A counted holding is what two people confirmed.'
      using errcode = 'check_violation', constraint = 'counts_need_two_people';
  end if;
  return null;
end
$$;
create constraint trigger counts_need_two_people after insert on custody_holdings
  deferrable initially deferred for each row when (new.count_id is not null) execute function match_count_and_holding();
create constraint trigger counts_need_two_people after update on custody_counts
  deferrable initially deferred for each row when (new.state = 'confirmed') execute function match_count_and_holding();

-- Whatever differs is explained, by an act. That changes no figure: only another holding does.
create table custody_explanations (
  holding_id uuid primary key references custody_holdings,
  words text not null constraint explanations_say_something check (length(trim(words)) between 1 and 1000),
  operator_id uuid not null references operators,
  act_id uuid not null references audit_log constraint one_explanation_per_act unique,
  explained_at timestamptz not null
);

create function guard_explanation() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from custody_holdings h where h.id = new.holding_id and h.difference_units <> 0) then
    raise exception 'Only a difference is explained.'
      using errcode = 'check_violation', constraint = 'only_differences_are_explained';
  end if;
  if not exists (
       select from audit_log a
        where a.id = new.act_id and a.operator_id = new.operator_id and a.act = 'reconciliation/explain'
          and a.subject = 'holding:' || new.holding_id) then
    raise exception 'A difference is explained by an act.'
      using errcode = 'check_violation', constraint = 'explanations_are_staff_acts';
  end if;
  return new;
end
$$;
create trigger explanations_are_staff_acts before insert on custody_explanations
  for each row execute function guard_explanation();

create trigger custody_days_only_grow before update or delete or truncate on custody_days
  for each statement execute function refuse_to_delete();
create trigger custody_counts_only_grow before delete or truncate on custody_counts
  for each statement execute function refuse_to_delete();
create trigger custody_holdings_only_grow before update or delete or truncate on custody_holdings
  for each statement execute function refuse_to_delete();
create trigger custody_explanations_only_grow before update or delete or truncate on custody_explanations
  for each statement execute function refuse_to_delete();
alter table custody_days enable always trigger custody_days_only_grow;
alter table custody_counts enable always trigger custody_counts_only_grow;
alter table custody_holdings enable always trigger custody_holdings_only_grow;
alter table custody_explanations enable always trigger custody_explanations_only_grow;

-- Sales ----------------------------------------------------------------------------------------------------

-- Per coin the newest holding: what is known of the coverage.
create view custody_coverage as
  select distinct on (asset) id as holding_id, asset, units, custody_units, as_of, block_height, source, recorded_at
    from custody_holdings order by asset, as_of desc, recorded_at desc, id desc;

-- Nothing is sold while less lies in the wallets than customers were told. Withdrawals do not ask.
create function refuse_uncovered_sale() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from custody_coverage where units < custody_units) then
    raise exception 'Less lies in the wallets than the journal says.'
      using errcode = 'check_violation', constraint = 'sales_need_full_coverage';
  end if;
  return new;
end
$$;
create trigger sales_need_full_coverage before insert on contracts
  for each row execute function refuse_uncovered_sale();
alter table contracts enable always trigger sales_need_full_coverage;

revoke execute on function custody_at, note_custody_of_day, guard_count, refuse_evidence_twice, compare_holding,
  match_count_and_holding, guard_explanation, refuse_uncovered_sale from public;
grant execute on function custody_at to assay_app;
grant select, insert on custody_days, custody_counts, custody_holdings, custody_explanations to assay_app;
grant update (state, decided_by, decided_by_act, decided_at, rejection_reason) on custody_counts to assay_app;
grant select on custody_coverage to assay_app;
