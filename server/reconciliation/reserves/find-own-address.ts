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

/** Of each wallet the address that the newest change went to, where most of its coins are; before any, the first one for change. */
export async function listChangeAddresses(db: Db, network: Network): Promise<string[]> {
  const wallets = await listOwnWallets(db, network);
  return wallets.map(({ key, nextChange }) => deriveAddress(key, Math.max(nextChange - 1, 0), 1));
}

/**
 * The wallet that an address is of: its change, or one of its own. Null: of none that is known here, or a customer's, who would be
 * published with it.
 */
export async function findOwnAddress(
  db: Db,
  network: Network,
  address: string,
): Promise<string | null> {
  const [given] = await db
    .select({ walletId: walletAddresses.walletId, purpose: walletAddresses.purpose })
    .from(walletAddresses)
    .where(eq(walletAddresses.address, address));
  if (given) return given.purpose === "own" ? given.walletId : null;
  const wallets = await listOwnWallets(db, network);
  // The newest first: older change is mostly spent.
  const has = ({ key, nextChange }: OwnWallet) =>
    Array.from({ length: nextChange + usualGapLimit }, (_, place) => place)
      .reverse()
      .some((index) => deriveAddress(key, index, 1) === address);
  return wallets.find(has)?.walletId ?? null;
}
