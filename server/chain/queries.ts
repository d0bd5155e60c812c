import { and, asc, eq } from "drizzle-orm";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import type { Db, Tx } from "../platform/database.ts";
import { depositAddresses, wallets } from "./schema.ts";

/** The customer's own address in a wallet, once it was issued. */
export async function findDepositAddress(
  db: Db | Tx,
  { network, descriptor }: WalletKey,
  customerId: string,
): Promise<string | null> {
  const [found] = await db
    .select({ address: depositAddresses.address })
    .from(depositAddresses)
    .innerJoin(wallets, eq(wallets.id, depositAddresses.walletId))
    .where(
      and(
        eq(depositAddresses.customerId, customerId),
        eq(wallets.network, network),
        eq(wallets.descriptor, descriptor),
      ),
    );
  return found?.address ?? null;
}

/** Every wallet that was ever configured: coins can still arrive at the addresses of former ones. */
export function listWallets(db: Db) {
  return db.select().from(wallets).orderBy(asc(wallets.chain), asc(wallets.firstSeenAt));
}
export type Wallet = typeof wallets.$inferSelect;
