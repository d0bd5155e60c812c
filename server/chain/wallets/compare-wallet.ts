import { Refusal } from "#core/refusal.ts";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { comparedIndex } from "#core/wallet/wallet-terms.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { wallets } from "../schema.ts";
import { deriveLookahead } from "./derive-lookahead.ts";

/**
 * Opens a wallet for customers: who holds it has read the address at `comparedIndex` there, which is shown nowhere here.
 * Once opened, comparing again changes nothing. Locks the wallet.
 *
 * @param auditId the staff act, whose subject is `wallet:<id>`
 * @throws Refusal `chain/unknown-wallet`, `chain/another-wallet` when the key gives another address
 */
export async function compareWallet(
  tx: Tx,
  {
    walletId,
    key,
    address,
    auditId,
    now,
  }: { walletId: string; key: WalletKey; address: string; auditId: string; now: Date },
): Promise<void> {
  const [wallet] = await tx.select().from(wallets).where(eq(wallets.id, walletId)).for("update");
  if (wallet?.descriptor !== key.descriptor || wallet.network !== key.network) {
    throw new Refusal("chain/unknown-wallet");
  }
  if (!isSame(address, deriveAddress(key, comparedIndex))) {
    throw new Refusal("chain/another-wallet");
  }
  if (wallet.comparedAt) return;
  await tx
    .update(wallets)
    .set({ comparedAt: now, comparedActionId: auditId })
    .where(eq(wallets.id, walletId));
  await deriveLookahead(tx, key, now);
}

/** Wallets write bech32 and Ethereum addresses in small letters, in capitals or in both. */
function isSame(typed: string, derived: string): boolean {
  return typed.replace(/\s/g, "").toLowerCase() === derived.toLowerCase();
}
