-- Customers get addresses on a branch of their own, which no wallet shows as its next one, and an address at which anything was ever
-- seen is given to nobody. docs/decisions/0060-customers-addresses-are-on-a-branch-of-their-own.md says why.

-- Every address that is watched: the next ones for customers, written before they are given out, and the operator's own.
create table wallet_addresses (
  address text collate "C" primary key,
  wallet_id uuid not null references wallets,
  -- 0: what the wallet itself shows for receiving; 2: customers'.
  branch integer not null constraint addresses_are_on_a_branch_for_receiving check (branch in (0, 2)),
  derivation_index integer not null constraint watched_indexes_are_not_hardened check (derivation_index >= 0),
  purpose text not null constraint addresses_are_for_customers_or_the_operators_own check (purpose in ('customers', 'own')),
  written_at timestamptz not null,
  -- When a node was last asked whether anything had ever happened there; null: never, or its chain is only watched.
  asked_at timestamptz,
  -- Since when something has been there, in a block or waiting for one.
  seen_at timestamptz,
  constraint one_address_per_place unique (wallet_id, branch, derivation_index)
);
insert into wallet_addresses (address, wallet_id, branch, derivation_index, purpose, written_at, seen_at)
select a.address, a.wallet_id, 0, a.derivation_index, 'customers', a.issued_at,
       (select min(p.seen_at) from chain_payments p where p.address = a.address)
  from deposit_addresses a;

create function guard_wallet_address() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{asked_at,seen_at}'::text[] <> to_jsonb(old) - '{asked_at,seen_at}'::text[]
     or old.seen_at is not null and new.seen_at is distinct from old.seen_at then
    raise exception 'An address stays what it is, and what was seen there was seen.'
      using errcode = 'check_violation', constraint = 'watched_addresses_are_never_rewritten';
  end if;
  return new;
end
$$;
create trigger watched_addresses_are_never_rewritten before update on wallet_addresses
  for each row execute function guard_wallet_address();
create trigger watched_addresses_are_kept before delete or truncate on wallet_addresses
  for each statement execute function refuse_to_rewrite('watched_addresses_are_kept');
alter table wallet_addresses enable always trigger watched_addresses_are_never_rewritten;
alter table wallet_addresses enable always trigger watched_addresses_are_kept;

-- Those that were given out before stay valid, where they were: on the branch that the wallet shows.
alter table deposit_addresses
  add column branch integer not null default 0,
  drop constraint one_address_per_index,
  add constraint one_address_per_index primary key (wallet_id, branch, derivation_index),
  add constraint addresses_were_watched_before foreign key (address) references wallet_addresses;
alter table deposit_addresses alter column branch drop default;
alter table chain_scripts
  drop constraint chain_scripts_address_fkey,
  add constraint scripts_are_of_watched_addresses foreign key (address) references wallet_addresses;
alter table chain_payments
  drop constraint chain_payments_address_fkey,
  add constraint payments_are_to_watched_addresses foreign key (address) references wallet_addresses;

-- What arrived at the operator's own addresses, and at addresses that nobody had been given.
create index chain_payments_of_nobody on chain_payments (seen_at desc, id desc) where customer_id is null;

-- Whether a payment is counted as a pool's payout or as own money, or is about to be.
create function is_counted_as_the_operators(p_txid text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from pool_payouts p where p.txid = p_txid and payout_counts(p))
      or exists (select from adjustments a where a.txid = p_txid and a.state in ('open', 'approved')
                    and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved'))
$$;

-- Whether the output that a payout or own money names may be this payment to a customer: then people who see both decide. What moved
-- between own wallets stayed the operator's, so nothing of it is anybody else's; what was taken out may be a customer's now.
create function may_be_the_operators(payment chain_payments) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select payment.ruled_as is null and (
         exists (select from pool_payouts p
                  where p.txid = payment.txid and payout_counts(p)
                 having bool_or(p.units = payment.units) or sum(p.units) = payment.units)
      or exists (select from adjustments a
                  where a.txid = payment.txid
                    and (a.kind = 'wallet-transfer'
                      or a.kind = 'equity-funding' and (a.asset, a.units) = (payment.asset, payment.units)) and a.state in ('open', 'approved')
                    and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')))
$$;

-- Whether a transaction paid customers, too, as far as the chain shows it and two people did not say otherwise.
create function pays_a_customer(p_txid text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from chain_payments p
                  where p.chain in ('bitcoin', 'ethereum') and p.txid = p_txid and p.customer_id is not null
                    and p.state in ('seen', 'mined') and p.ruled_as is distinct from 'operators')
$$;

revoke execute on function guard_wallet_address from public;
grant select, insert on wallet_addresses to assay_app;
grant update (asked_at, seen_at) on wallet_addresses to assay_app;
