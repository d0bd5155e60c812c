-- Two people were two ids, and the application's role writes both. What is approved is signed with a passkey now, by whoever has one: the
-- audit row holds the signature, which npm run verify -- audit checks without trusting this database. Why: docs/decisions/0066.

-- core/permissions.ts says the same; a test holds the two together.
create function is_approval(p_act text) returns boolean language sql immutable
set search_path = pg_catalog, public, pg_temp as $$
  select p_act in ('withdrawals/order-broadcast', 'withdrawals/confirm-ruling', 'withdrawals/confirm-abandonment',
                   'deposits/confirm-ruling', 'payouts/confirm', 'adjustments/approve', 'identity/invite-operator',
                   'identity/suspend-operator', 'identity/reinstate-operator', 'identity/change-role')
$$;

create function in_base64url(p_bytes bytea) returns text language sql immutable
set search_path = pg_catalog, public, pg_temp as $$
  select translate(encode(p_bytes, 'base64'), E'+/=\n', '-_')
$$;

-- PostgreSQL cannot check the signature itself. It refuses an approval without one from a person who has a passkey, and one by
-- another person's passkey.
create function guard_approval() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.detail ? 'passkey' then
    if not exists (select from passkeys p
                    where p.user_id = new.operator_id
                      and in_base64url(p.credential_id) = new.detail -> 'passkey' ->> 'credential') then
      raise exception 'An act is signed with a passkey of the person who did it.'
        using errcode = 'check_violation', constraint = 'acts_are_signed_with_ones_own_passkey';
    end if;
  elsif is_approval(new.act) and exists (select from passkeys where user_id = new.operator_id) then
    raise exception 'Whoever has a passkey signs approvals with it.'
      using errcode = 'check_violation', constraint = 'approvals_are_signed_where_there_is_a_passkey';
  end if;
  return new;
end
$$;
create trigger approvals_are_signed_where_there_is_a_passkey before insert on audit_log
  for each row when (new.operator_id is not null) execute function guard_approval();
alter table audit_log enable always trigger approvals_are_signed_where_there_is_a_passkey;

-- One signature approves once.
create unique index one_act_per_signature on audit_log ((detail -> 'passkey' ->> 'asked')) where detail ? 'passkey';

-- Which passkeys staff had, and when, is in the chain as well: whoever checks a signature later must not have to believe the table.
create function note_staff_passkey() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  passkey passkeys := case tg_op when 'INSERT' then new else old end;
begin
  -- Waits for an act of this person that is under way, so that the chain tells which came first.
  perform from operators where id = passkey.user_id for no key update;
  if found then
    insert into audit_log (id, act, subject, detail, occurred_at)
    values (gen_random_uuid(), case tg_op when 'INSERT' then 'identity/note-passkey-added' else 'identity/note-passkey-removed' end,
            'operator:' || passkey.user_id,
            jsonb_build_object('name', passkey.name, 'credential', in_base64url(passkey.credential_id),
                               'publicKey', in_base64url(passkey.public_key), 'signCount', passkey.sign_count),
            case tg_op when 'INSERT' then passkey.created_at else now() end);
  end if;
  return null;
end
$$;
create trigger passkeys_of_staff_are_noted after insert or delete on passkeys
  for each row execute function note_staff_passkey();
alter table passkeys enable always trigger passkeys_of_staff_are_noted;

-- A passkey is added and removed, never another one in its place.
create function refuse_another_passkey() returns trigger language plpgsql as $$
begin
  raise exception 'A passkey is never changed into another.'
    using errcode = 'check_violation', constraint = 'passkeys_stay_what_they_are';
end
$$;
create trigger passkeys_stay_what_they_are before update on passkeys
  for each row when ((new.user_id, new.credential_id, new.public_key) is distinct from (old.user_id, old.credential_id, old.public_key))
  execute function refuse_another_passkey();
alter table passkeys enable always trigger passkeys_stay_what_they_are;

-- Those that are there already.
insert into audit_log (id, act, subject, detail, occurred_at)
select gen_random_uuid(), 'identity/note-passkey-added', 'operator:' || p.user_id,
       jsonb_build_object('name', p.name, 'credential', in_base64url(p.credential_id),
                          'publicKey', in_base64url(p.public_key), 'signCount', p.sign_count), p.created_at
  from passkeys p join operators o on o.id = p.user_id;

revoke execute on function is_approval, in_base64url, guard_approval, note_staff_passkey, refuse_another_passkey from public;
grant execute on function is_approval, in_base64url to assay_app;
