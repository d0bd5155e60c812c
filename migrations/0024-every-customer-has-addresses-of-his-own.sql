-- Addresses are derived from the public keys of the operator's wallets. No private key is anywhere here. A wallet gives
-- out addresses once somebody of the staff has shown that it is the wallet that he holds: docs/decisions/0022.

create table wallets (
  id uuid primary key,
  chain text not null constraint wallets_are_on_a_listed_chain check (chain in ('bitcoin', 'ethereum')),
  network text not null constraint wallets_are_on_a_listed_network check (network in ('regtest', 'testnet', 'mainnet')),
  -- The public key, the kind of its addresses and their path, in one way of writing.
  descriptor text collate "C" not null constraint wallets_hold_no_private_key check (descriptor !~ 'prv'),
  first_seen_at timestamptz not null,
  -- Above every index that was given out, on whatever branch: how far a node has to look.
  next_index integer not null default 0 constraint indexes_are_not_hardened check (next_index >= 0),
  compared_at timestamptz,
  compared_action_id uuid references audit_log,
  constraint one_wallet_per_descriptor unique (network, descriptor),
  constraint comparing_a_wallet_is_an_act check ((compared_at is null) = (compared_action_id is null))
);

create table deposit_addresses (
  wallet_id uuid not null references wallets,
  derivation_index integer not null,
  customer_id uuid not null references customers,
  address text collate "C" not null constraint one_customer_per_address unique,
  issued_at timestamptz not null,
  constraint one_address_per_index primary key (wallet_id, derivation_index),
  constraint one_address_per_customer_and_wallet unique (customer_id, wallet_id)
);

create function check_changed_wallet() returns trigger language plpgsql as $$
begin
  if (new.id, new.chain, new.network, new.descriptor, new.first_seen_at) is distinct from
     (old.id, old.chain, old.network, old.descriptor, old.first_seen_at)
     or new.next_index < old.next_index
     or old.compared_at is not null and (new.compared_at, new.compared_action_id) is distinct from (old.compared_at, old.compared_action_id) then
    raise exception 'A wallet stays what it is.' using errcode = 'check_violation', constraint = 'wallets_are_never_rewritten';
  end if;
  if new.compared_at is distinct from old.compared_at
     and not public.staff_did(new.compared_action_id, 'chain/compare-wallet', 'wallet:' || new.id) then
    raise exception 'Somebody of the staff compares a wallet.'
      using errcode = 'check_violation', constraint = 'wallets_are_compared_by_staff_acts';
  end if;
  return new;
end
$$;
create trigger wallets_are_never_rewritten before update on wallets for each row execute function check_changed_wallet();
create function check_new_wallet() returns trigger language plpgsql as $$
begin
  if new.next_index <> 0 or new.compared_at is not null then
    raise exception 'A wallet begins closed.' using errcode = 'check_violation', constraint = 'wallets_begin_closed';
  end if;
  return new;
end
$$;
create trigger wallets_begin_closed before insert on wallets for each row execute function check_new_wallet();
create trigger wallets_are_kept before delete or truncate on wallets
  for each statement execute function refuse_to_rewrite('wallets_are_kept');

-- What is given out was watched before, and nothing was ever seen there: what somebody else paid would become a customer's.
create function take_next_index() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update wallets set next_index = greatest(next_index, new.derivation_index + 1)
   where id = new.wallet_id and compared_at is not null;
  if not found then
    raise exception 'An address is of a wallet that was compared.'
      using errcode = 'check_violation', constraint = 'addresses_are_of_compared_wallets';
  end if;
  -- Who records a payment there at this moment waits, or is waited for.
  perform from wallet_addresses a
    where a.address = new.address and a.wallet_id = new.wallet_id and a.branch = new.branch
      and a.derivation_index = new.derivation_index and a.purpose = 'customers' and a.seen_at is null
      for update;
  if not found then
    raise exception 'A customer gets an address that is for customers, and at which nothing was ever seen.'
      using errcode = 'check_violation', constraint = 'addresses_are_given_out_unused';
  end if;
  return new;
end
$$;
create trigger addresses_take_the_next_index before insert on deposit_addresses
  for each row execute function take_next_index();
create trigger closed_accounts_get_no_address before insert on deposit_addresses
  for each row execute function refuse_what_is_of_the_closed('customer_id', 'closed_accounts_get_no_address');
create trigger addresses_are_kept before update or delete or truncate on deposit_addresses
  for each statement execute function refuse_to_rewrite('addresses_are_kept');

grant select on wallets, deposit_addresses to assay_app;
grant insert on wallets to assay_app;
grant update (compared_at, compared_action_id) on wallets to assay_app;
grant insert on deposit_addresses to assay_app;
