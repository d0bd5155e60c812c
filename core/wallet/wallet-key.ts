import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { createBase58check } from "@scure/base";
import { HDKey } from "@scure/bip32";
import type { Network } from "../payments/address.ts";
import { descriptorChecksum } from "./descriptor-checksum.ts";

export type WalletChain = "bitcoin" | "ethereum";

/** Below an account's key: 0, what the wallet shows for receiving; 1, change of its own payments; 2, customers' addresses. */
export type Branch = 0 | 1 | 2;
export const branches = [0, 1, 2] as const satisfies Branch[];

/** The public half of a wallet that the operator holds: enough to derive its addresses, and to spend nothing. */
export interface WalletKey {
  chain: WalletChain;
  network: Network;
  /** What an address pays to: a witness public key hash, a taproot key path, or an Ethereum account. */
  script: "p2wpkh" | "p2tr" | "account";
  /** The account's extended public key with the version bytes of an xpub (BIP 32). */
  xpub: string;
  /**
   * Where customers' addresses are. 2, which no wallet shows as its next address; 0 for signers that sign nothing else, with an
   * account that is for customers alone.
   */
  customerBranch: 0 | 2;
  /** One way of writing the whole, whatever was typed: `wpkh([d34db33f/84h/0h/0h]xpub…/0/*)`. */
  descriptor: string;
}

/** Whether it says whose key it comes from (`[d34db33f/84h/0h/0h]`): hardware signers sign nothing that does not. */
export function namesFingerprint({ descriptor }: Pick<WalletKey, "descriptor">): boolean {
  return descriptor.includes("[");
}

/** Why a key cannot be used. */
export type WalletKeyFault =
  | "private-key"
  | "malformed"
  | "checksum"
  | "wrong-network"
  | "which-script"
  | "unsupported-script"
  | "unsupported-path";

/** An extended private key (not these letters within a public one); one key alone (WIF, or 32 bytes as hex); the words that a wallet is restored from (BIP 39). */
const privateKeys = [
  /\b[xyztuvYZUV]prv[1-9A-HJ-NP-Za-km-z]{20}/,
  /(?:^|\()[59KLc][1-9A-HJ-NP-Za-km-z]{50,51}(?:\)|$)/,
  /^(?:0x)?[0-9a-fA-F]{64}$/,
  /^(?:[a-z]{3,8}[\s,]+){11,23}[a-z]{3,8}$/i,
];

const base58check = createBase58check(sha256);
const xpubVersion = Uint8Array.of(0x04, 0x88, 0xb2, 0x1e);
/** What the first four bytes of an extended key say (BIP 32, SLIP-132). */
const versions: Record<string, { test: boolean; script?: WalletKey["script"] | "wrapped" }> = {
  "0488b21e": { test: false },
  "04b24746": { test: false, script: "p2wpkh" },
  "049d7cb2": { test: false, script: "wrapped" },
  "043587cf": { test: true },
  "045f1cf6": { test: true, script: "p2wpkh" },
  "044a5262": { test: true, script: "wrapped" },
};

/**
 * Reads an account's public key as wallets write it: `wpkh([d34db33f/84h/0h/0h]xpub…/0/*)#checksum`, `tr(…)`,
 * `[d34db33f/84h/0h/0h]xpub…`, `zpub…`; for Ethereum `[d34db33f/44h/60h/0h]xpub…` or `xpub…`. A wallet is named by its
 * receiving branch, `/0/*`.
 */
export function parseWalletKey(
  text: string,
  chain: WalletChain,
  network: Network,
  customerBranch: 0 | 2 = 2,
): WalletKey | WalletKeyFault {
  // Before anything else, so that such a key is never taken for a typing error.
  if (privateKeys.some((kind) => kind.test(text.trim()))) return "private-key";
  const parts = split(text.trim());
  if (typeof parts === "string") return parts;
  const key = readExtendedKey(parts.key);
  if (typeof key === "string") return key;
  if (chain === "bitcoin" && key.test === (network === "mainnet")) return "wrong-network";
  const script =
    chain === "ethereum" ? (parts.wrapper || key.script ? null : "account") : scriptOf(parts, key);
  if (script === null) return "unsupported-script";
  if (script === "which-script") return script;
  const wrapper = { p2wpkh: "wpkh", p2tr: "tr", account: "eth" }[script];
  const origin = parts.origin ? `[${parts.origin}]` : "";
  const descriptor = `${wrapper}(${origin}${key.xpub}/0/*)`;
  return { chain, network, script, xpub: key.xpub, customerBranch, descriptor };
}

function split(text: string) {
  const [body = "", checksum] = text.split("#");
  if (checksum !== undefined && descriptorChecksum(body) !== checksum) return "checksum" as const;
  const match =
    /^(?:(wpkh|tr)\()?(?:\[([0-9a-fA-F]{8}(?:\/\d{1,10}[h'H]?)*)\])?([1-9A-HJ-NP-Za-km-z]{50,120})(\/[^)]*)?(\)?)$/.exec(
      body,
    );
  if (!match) return /^\w+\(/.test(body) ? ("unsupported-script" as const) : ("malformed" as const);
  const [, wrapper, origin, key = "", path = "/0/*", closing] = match;
  if ((closing === ")") !== (wrapper !== undefined)) return "malformed" as const;
  if (!["/0/*", "/<0;1>/*"].includes(path)) return "unsupported-path" as const;
  return { wrapper, origin: origin?.toLowerCase().replaceAll("'", "h"), key };
}

function readExtendedKey(text: string) {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    return "checksum" as const;
  }
  const version = versions[bytesToHex(bytes.slice(0, 4))];
  if (!version) return "malformed" as const;
  const asXpub = bytes.slice();
  asXpub.set(xpubVersion);
  const xpub = base58check.encode(asXpub);
  try {
    HDKey.fromExtendedKey(xpub);
  } catch {
    return "malformed" as const;
  }
  return { ...version, xpub };
}

/** What a Bitcoin key's addresses pay to: as its wrapper says, else its version bytes, else its path (BIP 84, BIP 86). */
function scriptOf(
  parts: { wrapper: string | undefined; origin: string | undefined },
  key: { script?: WalletKey["script"] | "wrapped" },
): "p2wpkh" | "p2tr" | "which-script" | null {
  if (key.script === "wrapped" || (key.script && parts.wrapper === "tr")) return null;
  if (parts.wrapper) return parts.wrapper === "tr" ? "p2tr" : "p2wpkh";
  if (key.script) return "p2wpkh";
  const purpose = parts.origin?.split("/")[1];
  if (purpose === "84h") return "p2wpkh";
  if (purpose === "86h") return "p2tr";
  return purpose === undefined ? "which-script" : null;
}
