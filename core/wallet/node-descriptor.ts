import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { descriptorChecksum } from "./descriptor-checksum.ts";
import type { WalletKey } from "./wallet-key.ts";

const base58check = createBase58check(sha256);
const tpubVersion = Uint8Array.of(0x04, 0x35, 0x87, 0xcf);

/** A branch of a Bitcoin wallet as a node reads it, with the version bytes of the node's network and a checksum (BIP 380). */
export function nodeDescriptor(
  { descriptor, xpub, network }: Pick<WalletKey, "descriptor" | "xpub" | "network">,
  branch: 0 | 1,
): string {
  const body = descriptor
    .replace("/0/*)", `/${branch}/*)`)
    .replace(xpub, network === "mainnet" ? xpub : asTpub(xpub));
  return `${body}#${descriptorChecksum(body)}`;
}

function asTpub(xpub: string): string {
  const bytes = base58check.decode(xpub).slice();
  bytes.set(tpubVersion);
  return base58check.encode(bytes);
}
