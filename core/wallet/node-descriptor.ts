import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import type { Network } from "../payments/address.ts";
import { descriptorChecksum } from "./descriptor-checksum.ts";
import { type Branch, parseWalletKey, type WalletKey } from "./wallet-key.ts";

const base58check = createBase58check(sha256);
const tpubVersion = Uint8Array.of(0x04, 0x35, 0x87, 0xcf);

/** A branch of a Bitcoin wallet as a node reads it, with the version bytes of the node's network and a checksum (BIP 380). */
export function nodeDescriptor(
  { descriptor, network }: Pick<WalletKey, "descriptor" | "network">,
  branch: Branch,
): string {
  const body = ofNetwork(descriptor.replace("/0/*)", `/${branch}/*)`), network);
  return `${body}#${descriptorChecksum(body)}`;
}

/**
 * A wallet as its operator knows it: a Bitcoin key of a test network is a tpub to them, whatever we store it as. Of Ethereum both are
 * given on test networks, and the kept one is shown.
 */
export function shownDescriptor({
  chain,
  network,
  descriptor,
}: Pick<WalletKey, "chain" | "network" | "descriptor">): string {
  return chain === "bitcoin" ? ofNetwork(descriptor, network) : descriptor;
}

/** Reads a descriptor as we keep it. Null: it is none. */
export function readDescriptor(
  kept: Pick<WalletKey, "chain" | "network" | "descriptor">,
): WalletKey | null {
  const text = shownDescriptor(kept).replace(/^eth\((.*)\)$/, "$1");
  const key = parseWalletKey(text, kept.chain, kept.network);
  return typeof key === "string" ? null : key;
}

function ofNetwork(descriptor: string, network: Network): string {
  return network === "mainnet" ? descriptor : descriptor.replace(/xpub\w+/, asTpub);
}

function asTpub(xpub: string): string {
  const bytes = base58check.decode(xpub).slice();
  bytes.set(tpubVersion);
  return base58check.encode(bytes);
}
