import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { RLP } from "micro-eth-signer/core/rlp.js";
import type { EthereumHeader } from "./ethereum-node.ts";

type Field = [name: string, kind: "bytes" | "number"];

/** A header's fields in their order, and whether each is a number: https://ethereum.github.io/execution-specs (Prague). */
const fields: Field[] = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "number"],
  ["number", "number"],
  ["gasLimit", "number"],
  ["gasUsed", "number"],
  ["timestamp", "number"],
  ["extraData", "bytes"],
  ["mixHash", "bytes"],
  ["nonce", "bytes"],
  ["baseFeePerGas", "number"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "number"],
  ["excessBlobGas", "number"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"],
];
/** What nodes tell beside a header's own fields. */
const besides = ["hash", "transactions", "withdrawals", "uncles", "size", "totalDifficulty"];
const known = new Set([...besides, ...fields.map(([name]) => name)]);
/** More than any fork has added: so many are tried in every order. */
const maxLater = 4;

/**
 * Whether a block's hash is that of its header's fields. A later fork appends fields whose kind and order are not known here:
 * one way to read them that gives the hash is proof enough, and nobody finds fields for a hash that is given.
 */
export function isHashOfFields(header: EthereumHeader): boolean {
  const later = Object.keys(header).filter((name) => !known.has(name) && isHex(header[name]));
  const kinds = ["bytes", "number"] as const;
  const holds = (appended: Field[], left: string[]): boolean =>
    hashHeader(header, appended) === header.hash ||
    left.some((name) => {
      const rest = left.filter((each) => each !== name);
      return kinds.some((kind) => holds([...appended, [name, kind]], rest));
    });
  return (
    later.length <= maxLater &&
    fields.every(([name]) => isWritten(header[name])) &&
    holds([], later)
  );
}

/** The hash of a block out of its header's fields, and those that follow them. */
export function hashHeader(header: EthereumHeader, appended: Field[] = []): string {
  const values = [...fields, ...appended].flatMap(([name, kind]) => {
    const value = header[name];
    return value === undefined || value === null ? [] : [encode(value, kind)];
  });
  return `0x${bytesToHex(keccak_256(RLP.encode(values)))}`;
}

/** Earlier forks lack the later fields. */
function isWritten(value: unknown): boolean {
  return value == null || typeof value === "number" || typeof value === "bigint" || isHex(value);
}

function isHex(value: unknown): boolean {
  return typeof value === "string" && /^0x[0-9a-f]*$/i.test(value);
}

/** Numbers stand without leading zeros, everything else as long as it is. */
function encode(value: unknown, kind: "bytes" | "number"): Uint8Array {
  const text =
    typeof value === "string" ? value.replace(/^0x/, "") : (value as number).toString(16);
  const digits = kind === "number" ? text.replace(/^0+/, "") : text;
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}
