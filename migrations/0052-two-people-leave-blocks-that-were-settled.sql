-- A chain can leave blocks that were taken as settled: a final one of Ethereum, or more of Bitcoin's than are remembered. Then the
-- watcher stops. It goes on, on the branch that was looked at and no other, when two people have said so.
-- docs/decisions/0046-two-people-leave-blocks-that-were-settled.md says why.

create table chain_departures (
  id uuid primary key,
  chain text not null references chain_positions,
  -- The newest block that was read, and what the source has at that height instead.
  old_height integer not null,
  old_hash text collate "C" not null,
  new_hash text collate "C" not null,
  -- Where reading begins again: after the last block that both branches are known to have.
  fork_height integer not null,
  fork_hash text collate "C" not null,
  reason text not null constraint departures_have_a_reason check (reason = btrim(reason) and length(reason) between 1 and 1000),
  state text not null default 'open'
    constraint departures_are_in_a_known_state check (state in ('open', 'confirmed', 'declined', 'done')),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null references audit_log,
  proposed_at timestamptz not null,
  decided_by uuid references operators,
  decided_by_act uuid references audit_log,
  decided_at timestamptz,
  -- The branch that was left.
  reorg_id uuid references chain_reorgs constraint one_branch_per_departure unique,
  constraint departures_go_back check (fork_height < old_height and fork_height >= 0),
  constraint departures_go_to_another_branch check (new_hash <> old_hash),
  constraint decided_departures_say_by_whom
    check (num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint departures_need_two_people check (state not in ('confirmed', 'done') or decided_by <> proposed_by),
  constraint done_departures_name_their_branch check ((state = 'done') = (reorg_id is not null))
);
-- What was left once can be read again, and left again.
create unique index one_departure_from_a_branch on chain_departures (chain, old_hash, new_hash) where state in ('open', 'confirmed');
create index chain_departures_newest_first on chain_departures (proposed_at desc, id desc);

create function guard_chain_departure() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  subject text := 'chain:' || new.chain;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'open' or not did_as(new.proposed_by, new.proposed_by_act, 'chain/propose-departure', subject) then
      raise exception 'A departure begins with somebody who proposes it.'
        using errcode = 'check_violation', constraint = 'departures_begin_as_proposals';
    end if;
    if not exists (select from chain_positions p
                    where p.chain = new.chain and (p.height, p.hash) = (new.old_height, new.old_hash)) then
      raise exception 'What is left is what was read last.'
        using errcode = 'check_violation', constraint = 'departures_are_from_what_was_read';
    end if;
    return new;
  end if;
  if to_jsonb(new) - '{state,decided_by,decided_by_act,decided_at,reorg_id}'::text[]
       <> to_jsonb(old) - '{state,decided_by,decided_by_act,decided_at,reorg_id}'::text[]
     or (old.state, new.state) not in (('open', 'confirmed'), ('open', 'declined'), ('confirmed', 'done'))
     or old.state = 'confirmed' and (new.decided_by, new.decided_by_act, new.decided_at)
                                    is distinct from (old.decided_by, old.decided_by_act, old.decided_at) then
    raise exception 'A departure is decided once and never rewritten.'
      using errcode = 'check_violation', constraint = 'departures_are_decided_once';
  end if;
  if new.state = 'confirmed' and not did_as(new.decided_by, new.decided_by_act, 'chain/confirm-departure', subject)
     or new.state = 'declined' and not did_as(new.decided_by, new.decided_by_act, 'chain/decline-departure', subject) then
    raise exception 'A departure is decided by an act of staff.'
      using errcode = 'check_violation', constraint = 'departures_are_decided_by_staff_acts';
  end if;
  if new.state = 'confirmed' then
    perform require_proposer_is_staff(new.proposed_by);
  end if;
  if new.state = 'done' and not exists (
       select from chain_reorgs r
        where r.id = new.reorg_id and r.chain = new.chain
          and (r.fork_height, r.old_height, r.old_hash) = (new.fork_height, new.old_height, new.old_hash)) then
    raise exception 'A departure leaves what two people said.'
      using errcode = 'check_violation', constraint = 'departures_leave_what_was_said';
  end if;
  return new;
end
$$;
create trigger departures_are_decided_once before insert or update on chain_departures
  for each row execute function guard_chain_departure();
create trigger chain_departures_are_kept before delete or truncate on chain_departures
  for each statement execute function refuse_to_rewrite('chain_departures_are_kept');
alter table chain_departures enable always trigger departures_are_decided_once;
alter table chain_departures enable always trigger chain_departures_are_kept;

-- As in 0034, and what was final is left where two people said so, back to the block that they named and no further.
create or replace function guard_finality() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.finalized_height is not null
     and (new.finalized_height is null or new.finalized_height < old.finalized_height
          or new.finalized_height = old.finalized_height and new.finalized_hash <> old.finalized_hash)
     and not exists (select from chain_departures d
                      where d.chain = new.chain and d.state = 'confirmed' and d.old_hash = old.hash
                        and (d.fork_height, d.fork_hash) = (new.height, new.hash)
                        and (d.fork_height, d.fork_hash) = (new.finalized_height, new.finalized_hash)) then
    raise exception 'What was final stays final.' using errcode = 'check_violation', constraint = 'final_blocks_stay_final';
  end if;
  if not exists (select from chain_blocks b
                  where b.chain = new.chain and b.height = new.finalized_height and b.hash = new.finalized_hash) then
    raise exception 'Final is a block that was read.' using errcode = 'check_violation', constraint = 'final_blocks_are_known';
  end if;
  return new;
end
$$;

revoke execute on function guard_chain_departure from public;
grant select, insert on chain_departures to assay_app;
grant update (state, decided_by, decided_by_act, decided_at, reorg_id) on chain_departures to assay_app;
