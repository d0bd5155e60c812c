import { Address, OutScript } from "@scure/btc-signer";
import { checkBitcoinAddress, type Network } from "#core/payments/address.ts";
import { bitcoinNetworks } from "#core/wallet/derive-address.ts";

/** How the audit log names a withdrawal, and a batch. */
export const subjectOf = (withdrawalId: string) => `withdrawal:${withdrawalId}`;
export const subjectOfBatch = (batchId: string) => `withdrawal-batch:${batchId}`;

/**
 * The script that an address stands for. Null where nobody could spend what is paid to it: a wrong address, and taproot
 * keys that lie on no curve, which their checksum does not tell.
 */
export function scriptOf(address: string, network: Network): Uint8Array | null {
  if (checkBitcoinAddress(address, network) !== null) return null;
  try {
    return OutScript.encode(Address(bitcoinNetworks[network]).decode(address) as never);
  } catch {
    return null;
  }
}
