-- A batch of Bitcoin whose anchor is not in the chain any more could wait for ever: two people end it after 100 blocks, and at any
-- time a batch of either chain that was never taken away to be signed. And a batch may pay the wallet itself, so that many small coins become one.
-- Why: docs/decisions/0061-two-people-end-a-batch-whose-coin-is-gone.md.

alter table withdrawal_batches
  add column purpose text not null default 'withdrawals'
    constraint batches_have_a_listed_purpose check (purpose in ('withdrawals', 'consolidation')),
  -- The height at which the node had neither the anchor nor a block that spends it for the first time; null: it has one of them.
  add column anchor_gone_height integer,
  -- Up to which block nothing has spent the anchor.
  add column searched_height integer,
  add column searched_hash text collate "C",
  add column abandonment_id uuid constraint one_batch_per_abandonment unique,
  drop constraint failed_batches_were_overtaken_in_a_block,
  add constraint failed_batches_were_overtaken_in_a_block
    check (state <> 'failed' or chain = 'ethereum' or (mined_hash is null) <> (abandonment_id is null) and mined_version_id is null),
  add constraint consolidations_need_two_people check (purpose = 'withdrawals' or chain = 'bitcoin' and needs_two),
  add constraint searched_blocks_have_a_hash check ((searched_height is null) = (searched_hash is null));
alter table withdrawal_batches alter column purpose drop default;

create table withdrawal_abandonments (
  id uuid primary key,
  batch_id uuid not null references withdrawal_batches,
  reason text not null constraint abandonments_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open'
    constraint abandonments_are_in_a_known_state check (state in ('open', 'confirmed', 'declined')),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null references audit_log constraint one_abandonment_per_act unique,
  proposed_at timestamptz not null,
  decided_by uuid references operators,
  decided_by_act uuid references audit_log constraint one_decision_on_an_abandonment_per_act unique,
  decided_at timestamptz,
  constraint decided_abandonments_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint abandonments_need_two_people check (state <> 'confirmed' or decided_by <> proposed_by)
);
create unique index one_abandonment_per_batch on withdrawal_abandonments (batch_id) where state <> 'declined';
create index withdrawal_abandonments_of_a_batch on withdrawal_abandonments (batch_id, proposed_at);
alter table withdrawal_batches add constraint batches_are_abandoned_as_was_said
  foreign key (abandonment_id) references withdrawal_abandonments;

-- Whether no version of a batch can be mined: the anchor has been gone for 100 blocks, or no version was ever taken away to be signed.
create function may_be_abandoned(batch withdrawal_batches) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(batch.searched_height - batch.anchor_gone_height >= 100, false)
    or not exists (select from withdrawal_batch_versions v where v.batch_id = batch.id and v.signed_at is not null)
       and not exists (select from audit_log a where a.subject = 'withdrawal-batch:' || batch.id and a.act = 'withdrawals/download-psbt')
$$;

create function guard_withdrawal_abandonment() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  subject text := 'withdrawal-batch:' || new.batch_id;
  batch withdrawal_batches;
begin
  -- Waits for a version that is being taken away or brought back.
  select * into batch from withdrawal_batches where id = new.batch_id for update;
  if tg_op = 'INSERT' then
    if new.state <> 'open' or not did_as(new.proposed_by, new.proposed_by_act, 'withdrawals/propose-abandonment', subject) then
      raise exception 'Ending a batch begins with a proposal.'
        using errcode = 'check_violation', constraint = 'abandonments_begin_as_proposals';
    end if;
    if batch.ended_at is not null or not may_be_abandoned(batch) then
      raise exception 'People end a batch when no version of it can be mined.'
        using errcode = 'check_violation', constraint = 'abandonments_are_about_lost_batches';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{state,decided_by,decided_by_act,decided_at}'::text[] <> to_jsonb(old) - '{state,decided_by,decided_by_act,decided_at}'::text[]
     -- What was confirmed can be called off until it is carried out: the payment may have come back.
     or old.state = 'declined' or old.state = 'confirmed' and (new.state <> 'declined' or batch.ended_at is not null) then
    raise exception 'A proposal to end a batch is decided once and never rewritten.'
      using errcode = 'check_violation', constraint = 'abandonments_are_decided_once';
  end if;
  if new.state = 'confirmed' and not did_as(new.decided_by, new.decided_by_act, 'withdrawals/confirm-abandonment', subject)
     or new.state = 'declined' and not did_as(new.decided_by, new.decided_by_act, 'withdrawals/decline-abandonment', subject) then
    raise exception 'A proposal to end a batch is decided by an act of staff.'
      using errcode = 'check_violation', constraint = 'abandonments_are_decided_by_staff_acts';
  end if;
  if new.state = 'confirmed' then
    perform require_proposer_is_staff(new.proposed_by);
  end if;
  return new;
end
$$;
create trigger abandonments_are_decided_once before insert or update on withdrawal_abandonments
  for each row execute function guard_withdrawal_abandonment();
create trigger withdrawal_abandonments_are_kept before delete or truncate on withdrawal_abandonments
  for each statement execute function refuse_to_rewrite('withdrawal_abandonments_are_kept');
alter table withdrawal_abandonments enable always trigger abandonments_are_decided_once;
alter table withdrawal_abandonments enable always trigger withdrawal_abandonments_are_kept;

revoke execute on function guard_withdrawal_abandonment from public;
grant select, insert on withdrawal_abandonments to assay_app;
grant update (state, decided_by, decided_by_act, decided_at) on withdrawal_abandonments to assay_app;
grant update (anchor_gone_height, searched_height, searched_hash, abandonment_id) on withdrawal_batches to assay_app;
revoke execute on function may_be_abandoned from public;
grant execute on function may_be_abandoned to assay_app;
