import { randomUUIDv7 } from "node:crypto";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import type { Db } from "../../platform/database.ts";
import { wallets } from "../schema.ts";

/** Writes down the wallets of the configuration that were not there before. Nothing is given out from them yet. */
export async function recordWallets(
  db: Db,
  keys: Array<WalletKey | null>,
  now: Date,
): Promise<void> {
  const given = keys
    .filter((key) => key !== null)
    .map(({ chain, network, descriptor }) => ({
      id: randomUUIDv7(),
      chain,
      network,
      descriptor,
      firstSeenAt: now,
    }));
  if (given.length > 0) await db.insert(wallets).values(given).onConflictDoNothing();
}
