-- People sign in as users. Each user is either a customer or an operator, never both: the kind is part
-- of the key that the other tables refer to.
create table users (
  id uuid primary key,
  kind text not null constraint users_are_customers_or_operators check (kind in ('customer', 'operator')),
  email text not null
    constraint emails_are_stored_in_lower_case check (email = lower(email))
    constraint emails_have_at_most_254_characters check (length(email) <= 254),
  first_name text not null
    constraint first_names_have_1_to_100_characters check (length(first_name) between 1 and 100),
  last_name text not null
    constraint last_names_have_1_to_100_characters check (length(last_name) between 1 and 100),
  name text not null generated always as (first_name || ' ' || last_name) stored,
  email_verified boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint one_user_per_email unique (email),
  constraint users_keep_their_kind unique (id, kind)
);

create table customers (
  id uuid primary key,
  kind text not null generated always as ('customer') stored,
  accepted_terms_at timestamptz not null,
  dashboard_message text not null default ''
    constraint dashboard_messages_have_at_most_500_characters check (length(dashboard_message) <= 500),
  dashboard_message_expires_at timestamptz,
  created_at timestamptz not null,
  constraint customers_are_users_of_that_kind foreign key (id, kind) references users (id, kind)
);

create table operators (
  id uuid primary key,
  kind text not null generated always as ('operator') stored,
  role text not null constraint operators_have_a_known_role check
    (role in ('support', 'verifier', 'treasurer', 'approver', 'content', 'auditor', 'owner')),
  state text not null default 'active'
    constraint operators_are_active_or_suspended check (state in ('active', 'suspended')),
  created_at timestamptz not null,
  constraint operators_are_users_of_that_kind foreign key (id, kind) references users (id, kind)
);

-- better-auth calls these "account". A credential holds an Argon2id hash, never a password.
create table credentials (
  id uuid primary key,
  user_id uuid not null references users,
  provider_id text not null,
  account_id text not null,
  password text constraint passwords_are_hashed_with_argon2id check (password like '$argon2id$v=19$%'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint one_credential_per_user_and_provider unique (user_id, provider_id)
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  token text not null constraint one_session_per_token unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sessions_of_a_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

-- What a link in a mail proves: that its reader has the mailbox. Only the token's hash is kept.
-- A used or expired link stays for a while, so that its page can say what happened.
create table mailed_links (
  id uuid primary key,
  user_id uuid not null references users,
  purpose text not null constraint links_have_a_known_purpose
    check (purpose in ('verify-email', 'reset-password', 'operator-invitation')),
  email text not null,
  token_sha256 bytea not null constraint one_link_per_token unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- A newer link of the same purpose, or a changed password, ends the older ones.
  revoked_at timestamptz
);
create index mailed_links_of_a_user on mailed_links (user_id, purpose);

grant select, insert on users, customers, operators to assay_app;
grant update (email, first_name, last_name, email_verified, updated_at) on users to assay_app;
grant update (dashboard_message, dashboard_message_expires_at) on customers to assay_app;
grant update (role, state) on operators to assay_app;
grant select, insert, update, delete on credentials, sessions, mailed_links to assay_app;
