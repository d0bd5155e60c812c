import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m, createBase58check } from "@scure/base";

export type Network = "regtest" | "testnet" | "mainnet";

/** Why an address cannot be used; null when it can. */
export type AddressFault = "malformed" | "wrong-network" | "checksum" | null;

const bech32Prefixes: Record<Network, string> = { regtest: "bcrt", testnet: "tb", mainnet: "bc" };
/** Version bytes of P2PKH and P2SH. Regtest shares them with testnet. */
const base58Versions: Record<Network, readonly number[]> = {
  regtest: [0x6f, 0xc4],
  testnet: [0x6f, 0xc4],
  mainnet: [0x00, 0x05],
};
const base58check = createBase58check(sha256);

/**
 * Checks a Bitcoin address: P2PKH and P2SH (Base58Check), witness version 0 (BIP 173) and 1 to 16 (BIP 350).
 * A pay-to-anchor output (BIP 433's two-byte program) anybody can spend, so it is refused as malformed.
 */
export function checkBitcoinAddress(address: string, network: Network): AddressFault {
  return /^(bc|tb|bcrt)1/i.test(address)
    ? checkSegwit(address, network)
    : checkBase58(address, network);
}

function checkSegwit(address: string, network: Network): AddressFault {
  const decoded =
    bech32.decodeUnsafe(address as `${string}1${string}`, 90) ??
    bech32m.decodeUnsafe(address as `${string}1${string}`, 90);
  if (!decoded) return "checksum";
  const version = decoded.words[0] ?? 99;
  const checksum = version === 0 ? bech32 : bech32m;
  if (!checksum.decodeUnsafe(address as `${string}1${string}`, 90)) return "checksum";
  if (decoded.prefix !== bech32Prefixes[network]) return "wrong-network";
  const program = checksum.fromWordsUnsafe(decoded.words.slice(1));
  return program && isWitnessProgram(version, program.length) ? null : "malformed";
}

function isWitnessProgram(version: number, length: number): boolean {
  if (version === 0) return length === 20 || length === 32;
  if (version === 1) return length === 32;
  return version <= 16 && length >= 2 && length <= 40;
}

function checkBase58(address: string, network: Network): AddressFault {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(address)) return "malformed";
  try {
    const payload = base58check.decode(address);
    if (payload.length !== 21) return "malformed";
    return base58Versions[network].includes(payload[0] ?? -1) ? null : "wrong-network";
  } catch {
    return "checksum";
  }
}

/** Checks an Ethereum address: 20 bytes in hexadecimal; with mixed case, EIP-55's checksum must hold. */
export function checkEthereumAddress(address: string): AddressFault {
  const hex = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1];
  if (!hex) return "malformed";
  if (hex === hex.toLowerCase() || hex === hex.toUpperCase()) return null;
  return hex === withChecksum(hex.toLowerCase()) ? null : "checksum";
}

/** An Ethereum address in its one spelling with a checksum (EIP-55). */
export function toChecksumAddress(address: string): string {
  return `0x${withChecksum(address.slice(2).toLowerCase())}`;
}

function withChecksum(hex: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  return [...hex]
    .map((digit, i) => (Number.parseInt(hash[i] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit))
    .join("");
}
