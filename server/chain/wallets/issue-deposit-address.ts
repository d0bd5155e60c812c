import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { depositAddresses, wallets } from "../schema.ts";
import { deriveLookahead } from "./derive-lookahead.ts";
import { findDepositAddress } from "./find-deposit-address.ts";
import { findNextAddress } from "./find-next-address.ts";
import { ForeignAddress, isDerived } from "./foreign-address.ts";

/**
 * The customer's own address in a wallet. The first time it takes the next one on customers' branch at which nothing was ever seen.
 * Null while nobody has compared the wallet, or where a node has to be asked first and was not: `askAboutAddresses`. Locks the
 * wallet when it gives out a new address.
 *
 * @throws ForeignAddress where the address, or the next one, is not what the configured key gives
 */
export async function issueDepositAddress(
  db: Db,
  key: WalletKey,
  customerId: string,
  now: Date,
  { mustBeAsked = false }: { mustBeAsked?: boolean } = {},
): Promise<string | null> {
  const known = await findDepositAddress(db, key, customerId);
  if (known) return known;
  return db.transaction(async (tx) => {
    const [wallet] = await tx
      .select()
      .from(wallets)
      .where(and(eq(wallets.descriptor, key.descriptor), eq(wallets.network, key.network)))
      .for("update");
    if (!wallet?.comparedAt) return null;
    const meanwhile = await findDepositAddress(tx, key, customerId);
    if (meanwhile) return meanwhile;
    await deriveLookahead(tx, key, now);
    const next = await findNextAddress(tx, wallet, key.customerBranch);
    if (!next || (mustBeAsked && !next.askedAt)) return null;
    if (!isDerived(key, next)) throw new ForeignAddress(next);
    const { address, branch, derivationIndex } = next;
    await tx.insert(depositAddresses).values({
      walletId: wallet.id,
      branch,
      derivationIndex,
      customerId,
      address,
      issuedAt: now,
    });
    return address;
  });
}
