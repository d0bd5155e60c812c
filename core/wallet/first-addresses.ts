import { deriveAddress } from "./derive-address.ts";
import type { WalletKey } from "./wallet-key.ts";
import { comparedIndex } from "./wallet-terms.ts";

/** The first addresses of a wallet, to be compared with those that it shows. */
export function firstAddresses(key: WalletKey): string[] {
  return Array.from({ length: comparedIndex }, (_, index) => deriveAddress(key, index));
}
