import type { Network } from "#core/payments/address.ts";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { readDescriptor } from "#core/wallet/node-descriptor.ts";
import { namesFingerprint } from "#core/wallet/wallet-key.ts";

/** Where a batch's change goes, as a signing wallet shows it. */
export interface BatchChange {
  address: string;
  /** "m/84h/0h/0h/1/7"; without the origin, of a key that does not name it: "1/7" below the account's key. */
  path: string;
  /** Whether the key says whose it is: hardware signers recognise no change, and no coin, of one that does not. */
  namesFingerprint: boolean;
}

/** Derives the address of the change from the wallet's public key; null for batches of Ethereum, which have none. */
export function changeOf(batch: {
  changeIndex: number | null;
  wallet: { descriptor: string; network: Network } | null;
}): BatchChange | null {
  const { changeIndex, wallet } = batch;
  const key = wallet && readDescriptor({ chain: "bitcoin", ...wallet });
  if (!key || changeIndex === null) return null;
  const origin = /\[[0-9a-f]{8}\/?([^\]]*)\]/.exec(key.descriptor)?.[1];
  return {
    address: deriveAddress(key, changeIndex, 1),
    path: `${origin === undefined ? "" : `m/${origin}/`}1/${changeIndex}`,
    namesFingerprint: namesFingerprint(key),
  };
}
