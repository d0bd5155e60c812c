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

/** What is known of a wallet of the configuration; null before it was recorded. */
export async function findWallet(
  db: Db | Tx,
  { network, descriptor }: Pick<WalletKey, "network" | "descriptor">,
): Promise<Wallet | null> {
  const [wallet] = await db
    .select()
    .from(wallets)
    .where(and(eq(wallets.network, network), eq(wallets.descriptor, descriptor)));
  return wallet ?? null;
}

/** Every wallet that was ever configured: coins can still arrive at the addresses of former ones. */
export function listWallets(db: Db) {
  return db.select().from(wallets).orderBy(asc(wallets.chain), asc(wallets.firstSeenAt));
}
export type Wallet = typeof wallets.$inferSelect;

/** Whether an address is one that we gave a customer to pay in at. */
export async function isOurAddress(db: Db | Tx, address: string): Promise<boolean> {
  const [found] = await db
    .select({ address: depositAddresses.address })
    .from(depositAddresses)
    .where(eq(depositAddresses.address, address));
  return found !== undefined;
}
