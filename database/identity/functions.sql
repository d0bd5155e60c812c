-- Acts of staff -----------------------------------------------------------------------------------------------
-- Whether an act of staff, or a command on the server itself, was written down as this.
create or replace function staff_did(p_action uuid, p_act text, p_subject text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from audit_log where id = p_action and act = p_act and subject = p_subject)
$$;

-- The same of the person who did it. An act on a customer names them twice: in the subject, and in a column.
create or replace function did_as(p_operator uuid, p_action uuid, p_act text, p_subject text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from audit_log where id = p_action and act = p_act and subject = p_subject and operator_id = p_operator
                    and (not starts_with(p_subject, 'customer:') or p_subject = 'customer:' || customer_id))
$$;

-- For columns whose table has no guard of its own, or one that compares less: the column of the act, the acts, what the
-- subject may begin with, which column ends it, and the column of the person. What stays was compared when it was written.
create or replace function guard_named_act() returns trigger language plpgsql security definer as $$
declare said jsonb := to_jsonb(new); before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) end;
begin
  if said ->> tg_argv[0] is not null
     and (said ->> tg_argv[0], said ->> tg_argv[4]) is distinct from (before ->> tg_argv[0], before ->> tg_argv[4]) then
    perform demand('acts_are_what_they_are_named_for', exists (
      select from audit_log a, unnest(string_to_array(tg_argv[2], ' ')) begins
       where a.id = (said ->> tg_argv[0])::uuid and a.act = any (string_to_array(tg_argv[1], ' '))
         and a.subject = begins || coalesce(said ->> tg_argv[3], '')
         and (tg_argv[4] is null or a.operator_id = (said ->> tg_argv[4])::uuid)));
  end if;
  return new;
end $$;

create or replace procedure name_act(relation text, of_act text, acts text, begins text, ends text, person text default null)
language plpgsql as $$
begin
  execute format('create or replace trigger zz_%s_is_what_it_names before insert or update on %I for each row '
    'execute function guard_named_act(%L, %L, %L, %L%s)', of_act, relation, of_act, acts, begins, ends, ', ' || quote_literal(person));
end $$;
call name_act('customers', 'dashboard_message_act', 'identity/set-dashboard-message', 'customer:', 'id');
-- As answers to messages: what a customer pays to stands on the page of deposits.
call check_rows('customers', 'before insert or update of dashboard_message', 'dashboard_messages_name_no_address',
  'not names_an_address(new.dashboard_message)');
call check_rows('account_freezes', 'before insert or update of lift_reason', 'freezes_name_no_address',
  $$not names_an_address(new.reason || ' ' || coalesce(new.lift_reason, ''))$$);
call check_rows('customer_views', 'before insert', 'reasons_of_views_name_no_address', 'not names_an_address(new.reason)');
call name_act('mails', 'resent_by_act', 'mail/resend', 'mail:', 'id');
call name_act('account_freezes', 'frozen_by_act', 'identity/freeze-account', 'customer: operator:', 'user_id');
call name_act('account_freezes', 'lifted_by_act', 'identity/unfreeze-account', 'customer: operator:', 'user_id');

-- Whatever two people decide asks here, but changes of staff, which ask for owners. It waits for a suspension that is under
-- way. Declining stays possible.
create or replace function require_proposer_is_staff(p_person uuid) returns void language sql security definer as $$
  select demand('who_proposed_is_on_the_staff', exists (select from operators where id = p_person and state = 'active' for share))
$$;

-- The rule of two people. One proposes and another decides, once. Each is on the staff and does it by an act of their own,
-- of the right name, on the right subject, and the proposal is never rewritten. That they are two is a CHECK of each table;
-- what else it needs is for a trigger of its room. This one is named for the rule that it is decided once. Its arguments:
--   the rule that the proposal is such an act, and the rule that the decision is,
--   how the act's subject begins, and the column that ends it,
--   the columns that may change with the decision,
--   the moves with their acts: 'open>confirmed chain/confirm-deep-reorg'. A move without an act keeps the decision.
create or replace function guard_what_two_decide() returns trigger language plpgsql security definer as $$
declare
  said jsonb := to_jsonb(new);
  before jsonb := case tg_op when 'INSERT' then said else to_jsonb(old) end;
  move text := case tg_op when 'INSERT' then 'new' else old.state end || '>' || new.state;
  act_of_move text := (select split_part(each, ' ', 2) from unnest(tg_argv) each where split_part(each, ' ', 1) = move);
  person uuid := case tg_op when 'INSERT' then new.proposed_by else new.decided_by end;
  act_of_person uuid := case tg_op when 'INSERT' then new.proposed_by_act else new.decided_by_act end;
  changing text[] := string_to_array(
    'state ' || tg_argv[4] || case when act_of_move <> '' then ' decided_by decided_by_act decided_at' else '' end, ' ');
begin
  perform demand(tg_name, act_of_move is not null and said - changing = before - changing);
  if act_of_move = '' then return new; end if;
  perform demand(tg_argv[case tg_op when 'INSERT' then 0 else 1 end], exists (
    select from audit_log a join operators o on o.id = a.operator_id and o.state = 'active'
     where a.id = act_of_person and a.act = act_of_move and a.operator_id = person and a.subject = tg_argv[2] || (said ->> tg_argv[3])
       and (not said ? 'customer_id' or a.customer_id::text is not distinct from said ->> 'customer_id')),
    says => 'Two people decide by acts of staff on this very row.');
  if new.state in ('confirmed', 'approved') then
    perform require_proposer_is_staff(new.proposed_by);
  end if;
  return new;
end $$;

-- Whether a person may decide what others prepared; and whether another one may (approvers and owners) and has set a password. An invitation that
-- is never accepted blocks nothing, as with owners_who_can_act().
create or replace function is_decider(p_person uuid) returns boolean language sql stable as $$
  select exists (select from operators where id = p_person and state = 'active' and role in ('approver', 'owner'))
$$;

create or replace function another_person_decides(p_person uuid) returns boolean language sql stable security definer as $$
  select exists (select from operators o join credentials c on c.user_id = o.id
                  where o.id <> p_person and o.state = 'active' and o.role in ('approver', 'owner') and c.password is not null)
$$;

-- The audit log ----------------------------------------------------------------------------------------------
call write_once('{audit_log,audit_chain}', 'the_audit_log_only_grows');

create or replace function audit_hash(link bigint, previous_hash bytea, act audit_log) returns bytea language sql stable as $$
  select sha256(convert_to(
    field_to_hash('assay act 1') || field_to_hash(link::text) || field_to_hash(encode(previous_hash, 'hex'))
    || field_to_hash(act.id::text) || field_to_hash(act.position::text) || field_to_hash(act.act)
    || field_to_hash(act.operator_id::text) || field_to_hash(act.customer_id::text) || field_to_hash(act.subject)
    || field_to_hash(act.detail::text) || field_to_hash(act.request_id) || field_to_hash(moment_to_hash(act.occurred_at)), 'UTF8'))
$$;

-- The application cannot write links: this runs with the rights of the tables' owner.
create or replace function chain_new_act() returns trigger language plpgsql security definer as $$
declare head audit_chain;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', 0));
  -- A statement of its own, so that it sees what was committed while the lock was waited for.
  select * into head from audit_chain order by link desc limit 1;
  head.link := coalesce(head.link, 0) + 1;
  head.previous_hash := coalesce(head.hash, decode(repeat('00', 32), 'hex'));
  insert into audit_chain (link, act_id, previous_hash, hash)
  values (head.link, new.id, head.previous_hash, audit_hash(head.link, head.previous_hash, new));
  return null;
end $$;
call at_commit('audit_log', 'audit_log_is_chained', 'insert', 'chain_new_act');

-- An act without an operator is a command on the server itself. If the application's role could write such a row, it could
-- make an owner. Only the login that owns the tables writes it, which `npm run operator` uses, and for these acts alone.
-- The last two are PostgreSQL's own notes of the passkeys that staff have.
create or replace function guard_machine_act() returns trigger language plpgsql as $$
begin
  perform demand('only_the_server_acts_without_a_person',
    new.act in ('identity/invite-operator', 'identity/suspend-operator', 'identity/unfreeze-account', 'identity/reset-mfa',
                'identity/note-passkey-added', 'identity/note-passkey-removed')
    and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage'), 'insufficient_privilege');
  return new;
end $$;
create or replace trigger only_the_server_acts_without_a_person before insert on audit_log
  for each row when (new.operator_id is null) execute function guard_machine_act();

-- PostgreSQL cannot check the signature itself. It refuses an approval without one from a person who has a passkey, and one
-- by another person's passkey.
call check_rows('audit_log', 'before insert when (new.operator_id is not null)', 'approvals_are_signed_where_there_is_a_passkey',
  'acts_are_signed_with_ones_own_passkey', $$not new.detail ? 'passkey' or exists (
    select from passkeys where user_id = new.operator_id and in_base64url(credential_id) = new.detail -> 'passkey' ->> 'credential')$$,
  'approvals_are_signed_where_there_is_a_passkey', $$new.detail ? 'passkey' or not is_approval(new.act)
    or not exists (select from passkeys where user_id = new.operator_id)$$);

-- Which passkeys staff had, and when, is in the chain as well: a signature can be checked without believing the table.
create or replace function note_staff_passkey() returns trigger language plpgsql security definer as $$
declare passkey passkeys := coalesce(new, old);
begin
  -- Waits for an act of this person that is under way, so that the chain tells which came first.
  insert into audit_log (id, act, subject, detail, occurred_at)
  select gen_random_uuid(), 'identity/note-passkey-' || case tg_op when 'INSERT' then 'added' else 'removed' end, 'operator:' || o.id,
         jsonb_build_object('name', passkey.name, 'credential', in_base64url(passkey.credential_id),
                            'publicKey', in_base64url(passkey.public_key), 'signCount', passkey.sign_count),
         case tg_op when 'INSERT' then passkey.created_at else now() end
    from operators o where o.id = passkey.user_id for no key update;
  return null;
end $$;
create or replace trigger passkeys_of_staff_are_noted after insert or delete on passkeys for each row execute function note_staff_passkey();

-- Who is on the staff ------------------------------------------------------------------------------------------
create or replace function owners_who_can_act() returns setof uuid language sql stable security definer as $$
  select o.id from operators o
   where o.role = 'owner' and o.state = 'active' and exists (select from credentials c where c.user_id = o.id and c.password is not null)
$$;

-- Owners alone propose and decide, each in an act of their own, as core/permissions.ts and server/identity/staff/staff-change.ts
-- call it. A person who is invited gets the id of the proposal.
call check_rows('staff_changes', 'before insert', 'staff_changes_are_proposed_by_owners', 'only_owners_decide_about_staff',
  'exists (select from operators where id = new.proposed_by and role = ''owner'' and state = ''active'')',
  'a_change_of_staff_is_proposed_first', 'new.state = ''open''',
  'a_decision_about_staff_is_an_act_of_who_decides', $$did_as(new.proposed_by, new.proposed_by_act, 'identity/propose-staff-change',
    case new.kind when 'invite' then 'staff-change:' || new.id else 'operator:' || new.operator_id end)$$);
call check_rows('staff_changes', 'before update', 'staff_changes_are_decided_once',
  'a_decision_about_staff_is_for_good', 'old.state = ''open''');
call check_rows('staff_changes', 'before update when (new.state <> ''ended'')', 'staff_changes_are_for_owners',
  'only_owners_decide_about_staff',
  'exists (select from operators where id = new.decided_by and role = ''owner'' and state = ''active'')',
  'a_decision_about_staff_is_an_act_of_who_decides', $$did_as(new.decided_by, new.decided_by_act,
    'identity/' || case new.state when 'declined' then 'decline-staff-change' when 'withdrawn' then 'withdraw-staff-change'
                                  else case new.kind when 'change-role' then new.kind else new.kind || '-operator' end end,
    case when new.kind <> 'invite' then 'operator:' || new.operator_id
         when new.state = 'confirmed' then 'operator:' || new.id else 'staff-change:' || new.id end)$$,
  'who_proposed_a_change_of_staff_is_an_owner', $$new.state <> 'confirmed'
    or exists (select from operators where id = new.proposed_by and role = 'owner' and state = 'active')$$);
call check_rows('staff_changes', 'before update when (new.state = ''ended'')', 'staff_changes_end_with_a_change_of_staff',
  'a_proposal_ends_by_itself_when_one_of_its_people_was_changed', $$exists (
    select from operators o where o.changed_by_act = new.ended_by_act
       and (o.id = new.operator_id or o.id = new.proposed_by and (o.role, o.state) <> ('owner', 'active')))$$);
call keep_rows('{staff_changes}', 'a_decision_about_staff_is_for_good');

-- A proposal that the same act confirmed was decided before the act was carried out, so it is not open and stays confirmed.
create or replace function end_proposals_about_staff() returns trigger language plpgsql security definer as $$
begin
  update staff_changes c set state = 'ended', ended_by_act = a.id, decided_at = a.occurred_at from audit_log a
   where a.id = new.changed_by_act and c.state = 'open' and c.expires_at > a.occurred_at
     and (c.operator_id = new.id or c.proposed_by = new.id and (new.role, new.state) <> ('owner', 'active'));
  return null;
end $$;
create or replace trigger proposals_end_with_a_change_of_staff after update of role, state on operators
  for each row when (new.role <> old.role or new.state <> old.state) execute function end_proposals_about_staff();

-- Staff are changed by an act of an owner, confirmed by a second one where there are two, or by a command on the server itself.
create or replace function guard_operator() returns trigger language plpgsql security definer as $$
declare act audit_log;
begin
  -- Two suspensions of the last two owners at the same moment must see each other.
  perform lock_fact('operators');
  if tg_op = 'UPDATE' then
    if new.role = old.role and new.state = old.state then
      perform demand('who_is_not_changed_names_no_other_act',
        (new.created_by_act, new.changed_by_act) is not distinct from (old.created_by_act, old.changed_by_act));
      return new;
    end if;
    perform demand('one_thing_about_staff_is_changed_at_a_time',
      new.created_by_act = old.created_by_act and (new.role = old.role or new.state = old.state));
    perform demand('the_last_owner_stays', (old.role, old.state) <> ('owner', 'active') or (new.role, new.state) = ('owner', 'active')
      or exists (select from operators o where o.id <> old.id and o.role = 'owner' and o.state = 'active'
                    and (o.id in (select owners_who_can_act()) or old.id not in (select owners_who_can_act()))));
  end if;
  select * into act from audit_log where id = case tg_op when 'INSERT' then new.created_by_act else new.changed_by_act end;
  perform demand('staff_are_changed_by_the_last_act_on_them_which_says_the_same',
    act.id is not null and act.subject = 'operator:' || new.id
    and act.act = case when tg_op = 'INSERT' then 'identity/invite-operator' when new.role <> old.role then 'identity/change-role'
                       when new.state = 'suspended' then 'identity/suspend-operator' else 'identity/reinstate-operator' end
    and (act.act not in ('identity/invite-operator', 'identity/change-role') or act.detail ->> 'role' is not distinct from new.role)
    and (tg_op = 'UPDATE' or new.state = 'active' and new.changed_by_act is null)
    -- An act that was carried out once is not carried out again after another one.
    and (tg_op = 'INSERT' or not exists (
      select from audit_log a where a.subject = act.subject and a.position > act.position
         and a.act in ('identity/change-role', 'identity/suspend-operator', 'identity/reinstate-operator'))));
  if act.operator_id is null then return new; end if;
  perform demand('only_owners_change_staff',
    exists (select from operators where id = act.operator_id and role = 'owner' and state = 'active'));
  perform demand('a_change_of_staff_needs_a_second_owner', (select count(*) from owners_who_can_act()) < 2 or exists (
    select from staff_changes c where c.decided_by_act = act.id and c.state = 'confirmed' and case
      when tg_op = 'INSERT' then c.kind = 'invite' and c.role = new.role and c.email = (select email from users where id = new.id)
      when new.role <> old.role then c.kind = 'change-role' and c.operator_id = new.id and c.role = new.role
      else c.operator_id = new.id and c.kind = case new.state when 'suspended' then 'suspend' else 'reinstate' end end));
  return new;
end $$;
create or replace trigger staff_are_changed_by_owners before insert or update on operators for each row execute function guard_operator();

-- Freezes and holds --------------------------------------------------------------------------------------------
create or replace function is_frozen(person uuid) returns boolean language sql stable as $$
  select exists (select from account_freezes where user_id = person and lifted_at is null)
$$;

-- The lock on the user's row makes a sign-in or a change under way come wholly before the freeze or after it.
create or replace function end_sessions_of_a_frozen_account() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for update;
  delete from sessions where user_id = new.user_id;
  delete from pending_mfa_sessions where user_id = new.user_id;
  return null;
end $$;
create or replace trigger a_freeze_ends_every_session after insert on account_freezes for each row
  execute function end_sessions_of_a_frozen_account();

create or replace function refuse_while_frozen() returns trigger language plpgsql as $$
declare person uuid := coalesce(to_jsonb(new) ->> 'user_id', to_jsonb(new) ->> 'id');
begin
  perform from users where id = person for share;
  perform demand('frozen_accounts_change_nothing', not is_frozen(person));
  return new;
end $$;
create or replace trigger frozen_accounts_keep_their_email before update of email on users
  for each row when (new.email is distinct from old.email) execute function refuse_while_frozen();
-- Whoever could look is not made to disappear: `another_person_decides`.
call change_only('credentials', 'credentials_stay_with_their_person', 'password updated_at');
call check_rows('credentials', 'before update of password when (old.password is not null and new.password is null)', 'staff_keep_their_password',
  'not exists (select from operators where id = new.user_id)');
call check_rows('credentials', 'before delete', 'staff_keep_their_way_in', 'not exists (select from operators where id = old.user_id)');
create or replace trigger frozen_accounts_keep_their_password before update of password on credentials
  for each row execute function refuse_while_frozen();
create or replace trigger frozen_accounts_get_no_authenticator_app
  before insert or update of user_id, created_at, confirmed_at, last_step on totp_secrets
  for each row execute function refuse_while_frozen();
create or replace trigger frozen_accounts_get_no_recovery_codes before insert or update on recovery_codes
  for each row execute function refuse_while_frozen();
create or replace trigger frozen_accounts_get_no_passkey before insert or update on passkeys
  for each row execute function refuse_while_frozen();

-- A change of a way in is committed only together with a hold on the customer's money.
create or replace function demand_a_hold() returns trigger language plpgsql as $$
declare changed jsonb := to_jsonb(coalesce(new, old)); person uuid := coalesce(changed ->> 'user_id', changed ->> 'id');
begin
  perform demand('a_changed_way_in_holds_money', not exists (select from customers where id = person)
    or exists (select from money_holds where user_id = person and written_in = pg_current_xact_id()));
  return null;
end $$;
call at_commit('users', 'a_changed_email_holds_money', 'update of email', 'demand_a_hold', 'new.email is distinct from old.email');
call at_commit('credentials', 'a_changed_password_holds_money', 'update of password', 'demand_a_hold',
  'new.password is distinct from old.password');
call at_commit('totp_secrets', 'a_confirmed_authenticator_app_holds_money', 'update of confirmed_at', 'demand_a_hold',
  'new.confirmed_at is distinct from old.confirmed_at');
call at_commit('totp_secrets', 'a_removed_authenticator_app_holds_money', 'delete', 'demand_a_hold', 'old.confirmed_at is not null');
call at_commit('passkeys', 'a_changed_passkey_holds_money', 'insert or delete', 'demand_a_hold');
call write_once('{money_holds}', 'the_list_of_holds_only_grows');

-- Until when a customer's money stays, or null. What pays out calls require_money_may_leave in its own transaction: that
-- also waits for a change of the account under way.
create or replace function money_held_until(customer uuid, at timestamptz) returns timestamptz language sql stable as $$
  select max(ends_at) from money_holds where user_id = customer and ends_at > at
$$;

create or replace function require_money_may_leave(customer uuid, at timestamptz) returns void language plpgsql as $$
begin
  perform from users where id = customer for share;
  perform demand('frozen_accounts_pay_nothing', not is_frozen(customer));
  perform demand('money_stays_for_a_day_after_a_change', money_held_until(customer, at) is null);
end $$;

-- Ways in ------------------------------------------------------------------------------------------------------
create or replace trigger a_code_works_once before update of last_step on totp_secrets
  for each row when (new.last_step <= old.last_step) execute function refuse_to_rewrite();
create or replace trigger a_recovery_code_works_once before update of used_at on recovery_codes
  for each row when (old.used_at is not null) execute function refuse_to_rewrite('a_code_works_once');
call change_only('passkeys', 'passkeys_stay_what_they_are', 'name sign_count last_used_at');
-- Authenticators that do not count say 0 for ever.
create or replace trigger passkey_counters_never_go_back before update of sign_count on passkeys for each row
  when (new.sign_count <= old.sign_count and not (new.sign_count = 0 and old.sign_count = 0)) execute function refuse_to_rewrite();

create or replace function has_mfa(person uuid) returns boolean language sql stable as $$
  select exists (select from totp_secrets where user_id = person and confirmed_at is not null)
      or exists (select from passkeys where user_id = person)
$$;

-- A person with a second factor gets a session only by showing it. Staff always have to show one. A thief who signs in while
-- the first second factor is added must not keep a session that rests on the password alone: a change of factors locks the
-- person's row, so a session waits for it here and sees what it did; a later one finds the session, and ends it.
create or replace function guard_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.proved_by = 'password' then
    perform from users where id = new.user_id for share;
    perform demand('mfa_is_asked_of_users_who_have_it_and_of_staff', new.proved_by <> 'password'
      or not exists (select from operators where id = new.user_id) and not has_mfa(new.user_id));
  end if;
  if tg_op = 'INSERT' then
    perform demand('frozen_accounts_change_nothing', not is_frozen(new.user_id));
    perform demand('suspended_staff_have_no_sessions', (select state = 'active' from operators where id = new.user_id for share));
  end if;
  return new;
end $$;
create or replace trigger sessions_are_of_who_may_sign_in before insert or update of proved_by on sessions
  for each row execute function guard_session();

-- Counts one more attempt under each key in turn, in one trip, and stops at the first that is over its limit: an attempt
-- that its place may not make counts against nobody's account. Returns when that window ends, which key it is, counted from
-- 1, and how many there are, or nothing.
create or replace function count_attempts(keys bytea[], maxima int[], minutes int[], at timestamptz)
  returns table (window_ends_at timestamptz, which int, so_far int) language plpgsql as $$
declare counted record;
begin
  for i in 1 .. cardinality(keys) loop
    insert into attempts as a (key, count, window_ends_at) values (keys[i], 1, at + make_interval(mins => minutes[i]))
    on conflict (key) do update set
      count = case when a.window_ends_at <= at then 1 else a.count + 1 end,
      window_ends_at = case when a.window_ends_at <= at then excluded.window_ends_at else a.window_ends_at end
    returning a.count, a.window_ends_at as ends_at into counted;
    if counted.count > maxima[i] then return query select counted.ends_at, i, counted.count; return; end if;
  end loop;
end $$;

-- Attackers ask for nothing more often than to sign in, so it costs two trips to the database and the hash between them.
-- The first counts the attempt and, if it may be made, finds its user. No row: no user has this address.
create or replace function begin_sign_in(keys bytea[], maxima int[], minutes int[], moment timestamptz, address text)
  returns table (over_until timestamptz, over_which int, person uuid, kind text, hash text, state text, frozen boolean, has_mfa boolean)
  language plpgsql as $$
#variable_conflict use_column
begin
  select window_ends_at, which into over_until, over_which from count_attempts(keys, maxima, minutes, moment);
  if found then return next; return; end if;
  return query
    select null::timestamptz, null::int, u.id, u.kind, c.password, o.state, is_frozen(u.id), has_mfa(u.id)
      from users u join credentials c on c.user_id = u.id left join operators o on o.id = u.id
     where u.email = address;
end $$;

-- The second opens the session in place of the one that the request came with, notes it in the account's history and ends
-- the counts that the right password has answered. Nothing happens when the account was closed, or the password that was
-- checked was changed: the lock waits for a change under way, and a later one finds the session and ends it. Says whether
-- it opened, and, for a new browser, whether there was a sign-in before.
create or replace function open_session(
    new_session uuid, person uuid, token bytea, token_before bytea, opened_at timestamptz, ends_at timestamptz, unused int, address text,
    browser text, proof text, is_known_browser boolean, history_id uuid, checked_hash text, answered bytea[])
  returns table (opened boolean, signed_in_before boolean) language plpgsql as $$
#variable_conflict use_column
begin
  perform from credentials where user_id = person and password = checked_hash for share;
  opened := (found or checked_hash is null) and not exists (select from customers where id = person and closed_at is not null);
  signed_in_before := opened and not is_known_browser
    and exists (select from account_events where user_id = person and event = 'signed-in');
  if opened then
    delete from attempts where key = any (answered);
    delete from sessions where token_sha256 = token_before;
    insert into sessions (id, user_id, token_sha256, expires_at, ip_address, user_agent, proved_by, proved_at, last_used_at,
        idle_minutes, created_at)
      values (new_session, person, token, ends_at, address, browser, proof, opened_at, opened_at, unused, opened_at);
    insert into account_events (id, user_id, event, by, detail, ip_address, user_agent, occurred_at)
      values (history_id, person, 'signed-in', 'self', jsonb_build_object('by', proof), address, browser, opened_at);
  end if;
  return next;
end $$;

-- Accounts -----------------------------------------------------------------------------------------------------
-- Names from before stay as they are, and are shown as text: only a new or changed one is held to it.
call check_rows('users', 'before insert or update of first_name, last_name', 'names_are_names',
  '(new.first_name, new.last_name) is not distinct from (old.first_name, old.last_name)
   or is_a_name(new.first_name) and is_a_name(new.last_name)');

-- Whether mail to an address reaches who has the account: a customer who has shown it, or staff, whom an owner invited.
-- Until then the name is a stranger's words, and no greeting repeats it. Null: nobody has an account with it.
create or replace function greets_by_name(address text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select email_verified or kind = 'operator' from users where email = lower(address)
$$;

-- Closing an account, and what is refused to a closed one, wait for each other: `for share`.
call check_rows('sessions', 'before insert', 'closed_accounts_have_no_sessions',
  '(select closed_at is null from customers where id = new.user_id for share)');

-- The history of an account stays, without what tells who it was and where from.
call keep_rows('{users}');
call keep_rows('{account_events}', 'the_history_of_an_account_only_grows');
call check_rows('account_events', 'before insert', 'account_events_are_of_a_user', 'exists (select from users where id = new.user_id)');
call check_rows('mails', 'before insert', 'mails_are_of_a_user',
  'new.user_id is null or exists (select from users where id = new.user_id)');
call check_rows('account_events', 'before update', 'account_events_are_only_forgotten', 'the_history_of_an_account_only_grows', $$
  to_jsonb(new) = to_jsonb(old) || '{"ip_address": null, "user_agent": null, "detail": {}}'
  and exists (select from customers where id = old.user_id and closed_at is not null)$$);
call write_once('{accepted_texts}');

call keep_rows('{customer_views}', 'views_are_kept');
call change_only('customer_views', 'views_are_never_rewritten', once => 'ended_at');
call check_rows('customer_views', 'before insert', 'views_are_staff_acts', $$
  new.ended_at is null and exists (select from sessions where id = new.session_id and user_id = new.operator_id)
  and did_as(new.operator_id, new.act_id, 'identity/view-as-customer', 'customer:' || new.customer_id)$$);

grant execute on function owners_who_can_act, another_person_decides, require_proposer_is_staff to assay_app;
