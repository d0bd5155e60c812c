import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { wallets } from "../schema.ts";

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

export type Wallet = typeof wallets.$inferSelect;
