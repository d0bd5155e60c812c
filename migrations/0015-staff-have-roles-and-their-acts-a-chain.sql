-- The audit log's chain ------------------------------------------------------------------------------------
-- Every act is a link: its hash covers the link before and all that its row says. Who changes, drops or
-- inserts an act has to compute every later link anew, and whoever kept one hash sees it:
-- docs/decisions/0012-staff-acts-form-a-chain.md. Links are made when a transaction commits, so that acts
-- wait for one another no longer than a commit takes, and a transaction that waits holds nothing that the
-- other one needs.

create table audit_chain (
  -- From 1, without gaps, in the order of the commits.
  link bigint primary key constraint links_count_from_one check (link >= 1),
  act_id uuid not null constraint one_link_per_act unique references audit_log,
  -- 32 zero bytes before the first.
  previous_hash bytea not null constraint previous_hashes_have_32_bytes check (length(previous_hash) = 32),
  hash bytea not null constraint one_link_per_hash unique constraint hashes_have_32_bytes check (length(hash) = 32)
);
create trigger audit_chain_only_grows before update or delete or truncate on audit_chain
  for each statement execute function refuse_to_change_the_audit_log();
alter table audit_chain enable always trigger audit_chain_only_grows;

create function audit_hash(link bigint, previous_hash bytea, act audit_log) returns bytea language sql stable as $$
  select sha256(convert_to(
    ledger_field('assay act 1') || ledger_field(link::text) || ledger_field(encode(previous_hash, 'hex'))
    || ledger_field(act.id::text) || ledger_field(act.position::text) || ledger_field(act.act)
    || ledger_field(act.operator_id::text) || ledger_field(act.customer_id::text) || ledger_field(act.subject)
    || ledger_field(act.detail::text) || ledger_field(act.request_id) || ledger_field(ledger_moment(act.occurred_at)),
    'UTF8'))
$$;

create function chain_act(act audit_log) returns void language plpgsql as $$
declare
  head audit_chain;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', 0));
  -- A statement of its own, so that it sees what was committed while the lock was waited for.
  select * into head from audit_chain order by link desc limit 1;
  head.link := coalesce(head.link, 0) + 1;
  head.previous_hash := coalesce(head.hash, decode(repeat('00', 32), 'hex'));
  insert into audit_chain (link, act_id, previous_hash, hash)
  values (head.link, act.id, head.previous_hash, audit_hash(head.link, head.previous_hash, act));
end
$$;

-- What was written before there was a chain.
do $$
declare
  act audit_log;
begin
  for act in select * from audit_log order by position loop
    perform chain_act(act);
  end loop;
end
$$;

-- The application cannot write links: this runs with the rights of who owns the tables.
create function chain_new_act() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform chain_act(new);
  return null;
end
$$;
create constraint trigger audit_log_is_chained after insert on audit_log
  deferrable initially deferred for each row execute function chain_new_act();
alter table audit_log enable always trigger audit_log_is_chained;

revoke execute on function audit_hash, chain_act, chain_new_act from public;
grant select on audit_chain to assay_app;

-- Changes of staff -----------------------------------------------------------------------------------------
-- With two owners or more, nobody lets somebody in, suspends, reinstates or changes a role alone: one owner
-- proposes, another one confirms. Only owners who have set a password count, else an invitation that is
-- never accepted would block everything.

create function owners_who_can_act() returns setof uuid language sql stable
security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id from operators o
   where o.role = 'owner' and o.state = 'active'
     and exists (select from credentials c where c.user_id = o.id and c.password is not null)
$$;

create table staff_changes (
  id uuid primary key,
  kind text not null constraint staff_changes_are_of_a_known_kind
    check (kind in ('invite', 'suspend', 'reinstate', 'change-role')),
  -- Whom it concerns: an operator, or who is to become one.
  operator_id uuid references operators,
  email text,
  first_name text,
  last_name text,
  role text constraint staff_changes_give_a_known_role check
    (role in ('support', 'verifier', 'treasurer', 'approver', 'content', 'auditor', 'owner')),
  reason text not null default '' constraint reasons_are_short check (length(reason) <= 500),
  proposed_by uuid not null references operators,
  proposed_by_act uuid not null references audit_log constraint one_proposal_per_act unique,
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'open' constraint staff_changes_have_a_known_state
    check (state in ('open', 'confirmed', 'declined', 'withdrawn')),
  decided_by uuid references operators,
  decided_by_act uuid references audit_log constraint one_decision_per_act unique,
  decided_at timestamptz,
  constraint staff_changes_say_whom_they_concern check (
    case when kind = 'invite' then num_nonnulls(email, first_name, last_name, role) = 4
         else operator_id is not null and num_nonnulls(email, first_name, last_name) = 0
              and (role is not null) = (kind = 'change-role') end),
  constraint staff_changes_expire_after_7_days check (expires_at = proposed_at + interval '168 hours'),
  constraint decisions_have_an_act check (
    num_nonnulls(decided_by, decided_by_act, decided_at) = case state when 'open' then 0 else 3 end),
  constraint nobody_confirms_his_own_proposal check (state not in ('confirmed', 'declined') or decided_by <> proposed_by),
  constraint nobody_decides_about_himself check (state not in ('confirmed', 'declined') or decided_by <> operator_id),
  constraint who_proposed_may_withdraw check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint nothing_is_confirmed_too_late check (state <> 'confirmed' or decided_at < expires_at)
);
create index staff_changes_that_are_open on staff_changes (proposed_at) where state = 'open';

create function refuse_to_decide_twice() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state = 'open' then return new; end if;
  raise exception 'a decision about staff is for good' using errcode = 'insufficient_privilege';
end
$$;
create trigger staff_changes_are_decided_once before update or delete on staff_changes
  for each row execute function refuse_to_decide_twice();
alter table staff_changes enable always trigger staff_changes_are_decided_once;

-- Owners alone propose and decide, each in his own act.
create function guard_staff_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person uuid := case tg_op when 'INSERT' then new.proposed_by else new.decided_by end;
  act_of_person uuid := case tg_op when 'INSERT' then new.proposed_by_act else new.decided_by_act end;
begin
  if not exists (select from operators where id = person and role = 'owner' and state = 'active') then
    raise exception 'only owners decide about staff' using errcode = 'insufficient_privilege';
  end if;
  if not exists (select from audit_log where id = act_of_person and operator_id = person) then
    raise exception 'a decision about staff is an act of who decides' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'INSERT' and new.state <> 'open' then
    raise exception 'a change of staff is proposed before it is decided' using errcode = 'insufficient_privilege';
  end if;
  if new.state = 'confirmed'
     and not exists (select from operators where id = new.proposed_by and role = 'owner' and state = 'active') then
    raise exception 'who proposed it is no owner any more' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger staff_changes_are_for_owners before insert or update on staff_changes
  for each row execute function guard_staff_change();
alter table staff_changes enable always trigger staff_changes_are_for_owners;

-- The rule itself, whoever writes the row: an act of an owner, confirmed by a second one where there are two;
-- or a command on the server, which only who holds the machine can run.
create function guard_operator() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  act audit_log;
begin
  -- Two who suspend the last two owners at the same moment must see one another.
  perform lock_fact('operators');
  if tg_op = 'UPDATE' then
    if new.role = old.role and new.state = old.state then
      if (new.created_by_act, new.changed_by_act) is not distinct from (old.created_by_act, old.changed_by_act) then return new; end if;
      raise exception 'who is not changed names no other act' using errcode = 'insufficient_privilege';
    end if;
    if new.created_by_act <> old.created_by_act or new.role <> old.role and new.state <> old.state then
      raise exception 'one thing about staff is changed at a time' using errcode = 'insufficient_privilege';
    end if;
    if old.role = 'owner' and old.state = 'active' and (new.role <> 'owner' or new.state <> 'active')
       and not exists (select from operators o where o.id <> old.id and o.role = 'owner' and o.state = 'active'
                          and (o.id in (select owners_who_can_act()) or old.id not in (select owners_who_can_act()))) then
      raise exception 'the last owner stays' using errcode = 'check_violation', constraint = 'the_last_owner_stays';
    end if;
  end if;
  select * into act from audit_log
   where id = case tg_op when 'INSERT' then new.created_by_act else new.changed_by_act end;
  if act.id is null or act.subject <> 'operator:' || new.id
     or act.act <> (case when tg_op = 'INSERT' then 'identity/invite-operator'
                         when new.role <> old.role then 'identity/change-role'
                         when new.state = 'suspended' then 'identity/suspend-operator' else 'identity/reinstate-operator' end)
     or act.act in ('identity/invite-operator', 'identity/change-role') and act.detail ->> 'role' is distinct from new.role
     or tg_op = 'INSERT' and (new.state <> 'active' or new.changed_by_act is not null)
     -- An act that was carried out once is not carried out again after another one.
     or tg_op = 'UPDATE' and exists (
          select from audit_log a
           where a.subject = act.subject and a.position > act.position
             and a.act in ('identity/change-role', 'identity/suspend-operator', 'identity/reinstate-operator')) then
    raise exception 'staff are changed by the last act on them, which says the same' using errcode = 'insufficient_privilege';
  end if;
  if act.operator_id is null then return new; end if;
  if not exists (select from operators where id = act.operator_id and role = 'owner' and state = 'active') then
    raise exception 'only owners change staff' using errcode = 'insufficient_privilege';
  end if;
  if (select count(*) from owners_who_can_act()) >= 2 and not exists (
    select from staff_changes c
     where c.decided_by_act = act.id and c.state = 'confirmed'
       and case
             when tg_op = 'INSERT' then c.kind = 'invite' and c.role = new.role
                  and c.email = (select email from users where id = new.id)
             when new.role <> old.role then c.kind = 'change-role' and c.operator_id = new.id and c.role = new.role
                  and new.state = old.state
             else c.operator_id = new.id
                  and c.kind = case new.state when 'suspended' then 'suspend' else 'reinstate' end
           end) then
    raise exception 'a change of staff needs a second owner'
      using errcode = 'check_violation', constraint = 'a_change_of_staff_needs_a_second_owner';
  end if;
  return new;
end
$$;
create trigger staff_are_changed_by_owners before insert or update on operators
  for each row execute function guard_operator();
alter table operators enable always trigger staff_are_changed_by_owners;

revoke execute on function owners_who_can_act, guard_staff_change, guard_operator, refuse_to_decide_twice from public;
grant execute on function owners_who_can_act to assay_app;
grant select, insert on staff_changes to assay_app;
grant update (state, decided_by, decided_by_act, decided_at) on staff_changes to assay_app;
