import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { RLP } from "micro-eth-signer/core/rlp.js";
import type { EthereumHeader } from "./ethereum-node.ts";

/** A header's fields in their order, and whether each is a number: https://ethereum.github.io/execution-specs (Prague). */
const fields: Array<[name: string, kind: "bytes" | "number"]> = [
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
 * The hash of a block out of its header's fields; null where the header has fields that came with a later fork, whose place
 * is not known here.
 */
export function hashHeader(header: EthereumHeader): string | null {
  if (Object.keys(header).some((name) => !known.has(name))) return null;
  const values = fields.flatMap(([name, kind]) => {
    const value = header[name];
    return value === undefined || value === null ? [] : [encode(value, kind)];
  });
  return `0x${bytesToHex(keccak_256(RLP.encode(values)))}`;
}

/** Numbers stand without leading zeros, everything else as long as it is. */
function encode(value: unknown, kind: "bytes" | "number"): Uint8Array {
  const text =
    typeof value === "string" ? value.replace(/^0x/, "") : (value as number).toString(16);
  const digits = kind === "number" ? text.replace(/^0+/, "") : text;
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}
