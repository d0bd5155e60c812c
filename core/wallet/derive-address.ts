import { HDKey } from "@scure/bip32";
import { NETWORK, p2tr, p2wpkh, TEST_NETWORK } from "@scure/btc-signer";
import { addr } from "micro-eth-signer";
import type { Network } from "../address.ts";
import type { WalletKey } from "./wallet-key.ts";

/** How addresses are written on each network. */
export const bitcoinNetworks: Record<Network, typeof NETWORK> = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: "bcrt" },
};

/** The receiving address of a wallet at a derivation index, as the wallet itself shows it: account key, then `/0/index`. */
export function deriveAddress(
  { xpub, script, network }: Pick<WalletKey, "xpub" | "script" | "network">,
  index: number,
): string {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(0).deriveChild(index);
  if (!publicKey) throw new Error("an extended public key has a public key");
  if (script === "account") return addr.fromPublicKey(publicKey);
  const payment =
    script === "p2tr"
      ? p2tr(publicKey.slice(1), undefined, bitcoinNetworks[network])
      : p2wpkh(publicKey, bitcoinNetworks[network]);
  if (!payment.address) throw new Error("a single key has an address");
  return payment.address;
}
