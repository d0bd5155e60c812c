-- A session ends when nobody has used it for so long, whatever time it has left: soon for staff, later for customers,
-- latest where a customer wants to be remembered (core/security-terms.ts).
alter table sessions
  add column last_used_at timestamptz not null default now(),
  add column unused_minutes int not null default 30
    constraint sessions_end_unused check (unused_minutes between 1 and 43200);
update sessions s set unused_minutes = case
    when u.kind = 'operator' then 30
    when s.expires_at - s.created_at > interval '12 hours' then 20160
    else 60
  end
  from users u where u.id = s.user_id;

-- Which of the keys derived from AUTH_SECRET a secret is sealed with. Null: sealed before keys had names.
alter table totp_secrets
  add column key_name text constraint keys_have_short_names check (key_name ~ '^[0-9a-f]{8}$');
grant update (sealed_secret, key_name) on totp_secrets to assay_app;

-- Sealing a secret with another key changes nothing about the account: a frozen one takes part, or its app would be
-- worthless once the old key is gone.
drop trigger frozen_accounts_get_no_authenticator_app on totp_secrets;
create trigger frozen_accounts_get_no_authenticator_app
  before insert or update of user_id, created_at, confirmed_at, last_step on totp_secrets
  for each row execute function refuse_while_frozen();
