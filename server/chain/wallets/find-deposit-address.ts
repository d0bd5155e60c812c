import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { depositAddresses, wallets } from "../schema.ts";
import { ForeignAddress, isDerived } from "./foreign-address.ts";

/**
 * The customer's own address in a wallet, once it was issued.
 *
 * @throws ForeignAddress where it is not what the configured key gives
 */
export async function findDepositAddress(
  db: Db | Tx,
  key: WalletKey,
  customerId: string,
): Promise<string | null> {
  const [found] = await db
    .select({
      address: depositAddresses.address,
      branch: depositAddresses.branch,
      derivationIndex: depositAddresses.derivationIndex,
    })
    .from(depositAddresses)
    .innerJoin(wallets, eq(wallets.id, depositAddresses.walletId))
    .where(
      and(
        eq(depositAddresses.customerId, customerId),
        eq(wallets.network, key.network),
        eq(wallets.descriptor, key.descriptor),
      ),
    );
  if (found && !isDerived(key, found)) throw new ForeignAddress(found);
  return found?.address ?? null;
}
