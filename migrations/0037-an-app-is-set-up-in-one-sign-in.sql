-- The secret of an authenticator app was kept from the first look at it until it was confirmed, whoever looked: who had
-- once known the password could read it, and had the second factor that the owner set up later, with the same secret,
-- under a new password. It now belongs to the session, or half session, that began it; another one begins anew.
delete from totp_secrets where confirmed_at is null;
alter table totp_secrets
  add column begun_in uuid,
  add constraint an_app_is_set_up_in_one_sign_in check (confirmed_at is not null or begun_in is not null);
