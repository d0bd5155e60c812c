import type { WalletKey } from "../../core/wallet/wallet-key.ts";
import { findWallet } from "../../server/chain/wallets/find-wallet.ts";
import type { ActingOperator } from "../../server/identity/staff/operator.ts";
import { listFreeAddresses } from "../../server/payouts/list-free-addresses.ts";
import { nameAddress } from "../../server/payouts/name-address.ts";
import type { Db } from "../../server/platform/database.ts";

/** A pool's coin counts once so many blocks have it: `blocks_to_count` of PostgreSQL. */
export const coinsCountAfter = 6;

/** Names the next address of the operator's own for a pool, as its page does. */
export async function namePoolAddress(
  db: Db,
  operator: ActingOperator,
  { poolId, key }: { poolId: string; key: WalletKey },
  now: Date,
): Promise<string> {
  const wallet = await findWallet(db, key);
  const [next] = await listFreeAddresses(db, wallet?.id ?? "", 1);
  if (!next) throw new Error("a wallet that is open has addresses of its own");
  await nameAddress(db, operator, { poolId, address: next.address, key }, now);
  return next.address;
}
