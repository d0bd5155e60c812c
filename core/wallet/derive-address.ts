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

/** Of each wallet its newest addresses are compared with its key on every pass, and each costs milliseconds to derive. */
const addresses = new Map<string, string>();
const branchKeys = new Map<string, HDKey>();

/**
 * The address of a wallet at a derivation index: account key, then `/branch/index`. On branch 0 as the wallet itself shows it.
 */
export function deriveAddress(
  key: Pick<WalletKey, "xpub" | "script" | "network">,
  index: number,
  branch: Branch = 0,
): string {
  const place = `${key.script} ${key.network} ${key.xpub}/${branch}/${index}`;
  return remember(addresses, 1_000, place, () =>
    addressOf(key, derivePublicKey(key.xpub, index, branch)),
  );
}

/** What was made before of the same name, of so many that were made last. */
function remember<T>(made: Map<string, T>, most: number, name: string, make: () => T): T {
  const known = made.get(name);
  if (known !== undefined) return known;
  const value = make();
  const [oldest] = made.keys();
  if (made.size >= most && oldest !== undefined) made.delete(oldest);
  made.set(name, value);
  return value;
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
  const branchKey = remember(branchKeys, 20, `${xpub}/${branch}`, () =>
    HDKey.fromExtendedKey(xpub).deriveChild(branch),
  );
  const { publicKey } = branchKey.deriveChild(index);
  if (!publicKey) throw new Error("an extended public key has a public key");
  return publicKey;
}
