import type { Network } from "#core/payments/address.ts";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { readDescriptor } from "#core/wallet/node-descriptor.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { usualGapLimit } from "#core/wallet/wallet-terms.ts";
import type { Db } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { walletAddresses } from "../../chain/schema.ts";
import { listWalletsToRead, type WalletToRead } from "../list-wallets-to-read.ts";

interface OwnWallet extends WalletToRead {
  key: WalletKey;
}

async function listOwnWallets(db: Db, network: Network): Promise<OwnWallet[]> {
  const wallets = await listWalletsToRead(db, { network, day: null });
  return wallets.flatMap((wallet) => {
    const key = readDescriptor({ chain: "bitcoin", network, descriptor: wallet.descriptor });
    return key ? [{ ...wallet, key }] : [];
  });
}

/** Of each wallet the address that the newest change went to, where most of its coins are; the first address before any. */
export async function listChangeAddresses(db: Db, network: Network): Promise<string[]> {
  const wallets = await listOwnWallets(db, network);
  return wallets.map(({ key, nextChange }) =>
    nextChange > 0 ? deriveAddress(key, nextChange - 1, 1) : deriveAddress(key, 0, 0),
  );
}

/** The wallet that an address is of: one that was given out, its change, or the first ones that it shows. Null: of none that is known here. */
export async function findOwnAddress(
  db: Db,
  network: Network,
  address: string,
): Promise<string | null> {
  const [given] = await db
    .select({ walletId: walletAddresses.walletId })
    .from(walletAddresses)
    .where(eq(walletAddresses.address, address));
  if (given) return given.walletId;
  const has = (key: WalletKey, branch: 0 | 1, count: number) =>
    Array.from({ length: count }, (_, index) => index).some(
      (index) => deriveAddress(key, index, branch) === address,
    );
  const wallets = await listOwnWallets(db, network);
  const found = wallets.find(
    ({ key, nextChange }) => has(key, 1, nextChange + usualGapLimit) || has(key, 0, usualGapLimit),
  );
  return found?.walletId ?? null;
}
