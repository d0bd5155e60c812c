import { deriveAddress } from "#core/wallet/derive-address.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { findDepositAddress } from "./queries.ts";
import { depositAddresses, wallets } from "./schema.ts";
import { writeScript } from "./write-scripts.ts";

/**
 * The customer's own address in a wallet; the first time it takes the wallet's next index. Null while nobody has
 * compared the wallet. Locks the wallet when it gives out a new address.
 */
export async function issueDepositAddress(
  db: Db,
  key: WalletKey,
  customerId: string,
  now: Date,
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
    const address = deriveAddress(key, wallet.nextIndex);
    await tx.insert(depositAddresses).values({
      walletId: wallet.id,
      derivationIndex: wallet.nextIndex,
      customerId,
      address,
      issuedAt: now,
    });
    await writeScript(tx, address, key);
    return address;
  });
}
