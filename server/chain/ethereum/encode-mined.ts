import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { RLP, type RLPInput } from "micro-eth-signer/core/rlp.js";
import type { EthereumReceipt, EthereumTransaction } from "./ethereum-node.ts";

type Told = Record<string, unknown>;

/** The fields that transactions of each type sign, in their order (EIP-2718, -2930, -1559, -4844, -7702). */
const signedFields: string[][] = [
  ["nonce", "gasPrice", "gas", "to", "value", "input"],
  ["chainId", "nonce", "gasPrice", "gas", "to", "value", "input", "accessList"],
  ...[[], ["maxFeePerBlobGas", "blobVersionedHashes"], ["authorizationList"]].map((more) => [
    ...["chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas", "gas", "to", "value", "input"],
    ...["accessList", ...more],
  ]),
];

/**
 * A transaction as it stands in its block, out of what a node tells of it. Null: it is of a type that came later, or something of
 * it is missing.
 */
export function encodeTransaction(transaction: EthereumTransaction): Uint8Array | null {
  const told: Told = transaction;
  try {
    const type = Number(told["type"] ?? 0);
    const fields = signedFields[type];
    if (!fields) return null;
    const parity = type === 0 ? told["v"] : (told["yParity"] ?? told["v"]);
    const signature = [number(parity), number(told["r"]), number(told["s"])];
    const body = RLP.encode([...fields.map((name) => encodeField(name, told[name])), ...signature]);
    return type === 0 ? body : concatBytes(Uint8Array.of(type), body);
  } catch {
    return null;
  }
}

/** A receipt as its block commits to it. */
export function encodeReceipt(receipt: EthereumReceipt): Uint8Array {
  const { type = 0, status, cumulativeGasUsed, logsBloom, logs } = receipt;
  const body = RLP.encode([
    status ? 1n : 0n,
    cumulativeGasUsed,
    bytes(logsBloom),
    logs.map(({ address, topics, data }) => [bytes(address), topics.map(bytes), bytes(data)]),
  ]);
  return type === 0 ? body : concatBytes(Uint8Array.of(type), body);
}

function encodeField(name: string, value: unknown): RLPInput {
  if (name === "to") return value == null ? new Uint8Array() : bytes(value);
  if (name === "input") return bytes(value);
  if (name === "blobVersionedHashes") return (value as string[]).map(bytes);
  if (name === "accessList") {
    const entries = value as Array<{ address: string; storageKeys: string[] }>;
    return entries.map(({ address, storageKeys }) => [bytes(address), storageKeys.map(bytes)]);
  }
  if (name !== "authorizationList") return number(value);
  return (value as Told[]).map(({ chainId, address, nonce, yParity, v, r, s }) => [
    ...[number(chainId), bytes(address), number(nonce)],
    ...[number(yParity ?? v), number(r), number(s)],
  ]);
}

function number(value: unknown): bigint {
  return BigInt(value as string | number | bigint);
}

function bytes(value: unknown): Uint8Array {
  return hexToBytes((value as string).slice(2));
}
