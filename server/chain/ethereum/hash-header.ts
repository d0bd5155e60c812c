import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { RLP } from "micro-eth-signer/core/rlp.js";
import { SourceIncident } from "../source-health.ts";
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

/**
 * Refuses a block whose hash is not that of its header's fields. Fields that a later fork adds need
 * a version of this program that knows their place.
 *
 * @throws SourceIncident `lying`
 */
export function requireHashOfFields(header: EthereumHeader): void {
  const isReadable = fields.every(([name]) => isWritten(header[name]));
  if (isReadable && hashHeader(header) === header.hash) return;
  const later = Object.keys(header).filter((name) => !known.has(name) && header[name] != null);
  const what =
    later.length === 0
      ? "its header has another hash"
      : `this version of Assay cannot check its header, which has unknown fields (${later.join(", ")})`;
  throw new SourceIncident("lying", `block ${header.number}: ${what}`);
}

/** The hash of a block out of its header's fields. */
export function hashHeader(header: EthereumHeader): string {
  const values = fields.flatMap(([name, kind]) => {
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
