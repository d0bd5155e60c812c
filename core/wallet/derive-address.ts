import { HDKey } from "@scure/bip32";
import { NETWORK, p2tr, p2wpkh, TEST_NETWORK } from "@scure/btc-signer";
import { addr } from "micro-eth-signer";
import type { Network } from "../payments/address.ts";
import type { Branch, WalletKey } from "./wallet-key.ts";

/** What addresses look like on each network. */
export const bitcoinNetworks: Record<Network, typeof NETWORK> = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: "bcrt" },
};

/**
 * The address of a wallet at a derivation index: account key, then `/branch/index`. On branch 0 as the wallet itself shows it.
 */
export function deriveAddress(
  key: Pick<WalletKey, "xpub" | "script" | "network">,
  index: number,
  branch: Branch = 0,
): string {
  return addressOf(key, derivePublicKey(key.xpub, index, branch));
}

/** The same for many addresses of one key, of which it derives each branch once. */
export function openDerivation(
  key: Pick<WalletKey, "xpub" | "script" | "network">,
): (index: number, branch: Branch) => string {
  const account = HDKey.fromExtendedKey(key.xpub);
  const opened = new Map<Branch, HDKey>();
  return (index, branch) => {
    const below = opened.get(branch) ?? account.deriveChild(branch);
    opened.set(branch, below);
    const { publicKey } = below.deriveChild(index);
    if (!publicKey) throw new Error("an extended public key has a public key");
    return addressOf(key, publicKey);
  };
}

function addressOf(
  { script, network }: Pick<WalletKey, "script" | "network">,
  publicKey: Uint8Array,
): string {
  if (script === "account") return addr.fromPublicKey(publicKey);
  const { address } = outputOf(script, publicKey, network);
  if (!address) throw new Error("a single key has an address");
  return address;
}

/** What a Bitcoin wallet's address at an index pays to, with its script. */
export function deriveOutput(
  { xpub, script, network }: Pick<WalletKey, "xpub" | "script" | "network">,
  index: number,
  branch: Branch,
) {
  return outputOf(script, derivePublicKey(xpub, index, branch), network);
}

function outputOf(script: WalletKey["script"], publicKey: Uint8Array, network: Network) {
  return script === "p2tr"
    ? p2tr(publicKey.slice(1), undefined, bitcoinNetworks[network])
    : p2wpkh(publicKey, bitcoinNetworks[network]);
}

/** Compressed, 33 bytes. */
export function derivePublicKey(xpub: string, index: number, branch: Branch): Uint8Array {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(branch).deriveChild(index);
  if (!publicKey) throw new Error("an extended public key has a public key");
  return publicKey;
}
