import { randomBytes } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import { Transaction } from "micro-eth-signer";
import { encodeReceipt, encodeTransaction } from "../../server/chain/ethereum/encode-mined.ts";
import {
  type EthereumBlock,
  type EthereumLog,
  type EthereumNode,
  type EthereumReceipt,
  type EthereumTransaction,
  transferTopic,
} from "../../server/chain/ethereum/ethereum-node.ts";
import { hashHeader } from "../../server/chain/ethereum/hash-header.ts";
import { trieRoot } from "../../server/chain/ethereum/trie-root.ts";

const transactions = 250;
/** Of them, how many move the token that counts. */
const tokenTransfers = 100;
/** What contracts announce besides, and what they are told. */
const otherLogsEach = 2;
const inputBytes = 400;
const callsEach = 8;
export const benchToken = `0x${"11".repeat(20)}`;

/**
 * A block as full as those of the main network, and a node that tells of it and of nothing else: 250 transactions, each with
 * ether and eight calls that move some, 100 transfers of the token and 500 other events. Some pay the given addresses, the others
 * nobody.
 */
export function fullEthereumBlock(previousHash: string, height: number, paid: string[]) {
  const made = Array.from({ length: transactions }, (_, nonce) => {
    const to = paid[nonce];
    return to ? paying(to, nonce) : anyTransaction(nonce);
  });
  const outcomes = made.map(outcomeOf);
  const header = {
    parentHash: previousHash,
    number: height,
    timestamp: Math.floor(Date.now() / 1000),
    transactionsRoot: rootOf(made.map((each) => encodeTransaction(each) ?? new Uint8Array())),
    receiptsRoot: rootOf(outcomes.map(encodeReceipt)),
  };
  const hash = hashHeader({ ...header, hash: "" });
  const place = { blockHash: hash, blockNumber: height };
  const sent = made.map((each) => ({ ...each, ...place }));
  const block: EthereumBlock = { ...header, hash, transactions: sent };
  const call = () => ({ type: "CALL", to: anything(20), value: 1n });
  const traces = sent.map(() => ({
    result: { ...call(), calls: Array.from({ length: callsEach }, call) },
  }));
  const receipts = outcomes.map((each) => ({ ...each, ...place }));
  const node: Partial<EthereumNode> = {
    getBlock: async () => block,
    getBlockReceipts: async () => receipts,
    traceBlock: async () => traces,
  };
  return { hash, node: node as EthereumNode };
}

/** Whoever pays a customer is read off the signature. */
function paying(to: string, nonce: number): EthereumTransaction {
  const unsigned = Transaction.prepare({
    type: "eip1559",
    chainId: 1n,
    nonce: BigInt(nonce),
    to,
    value: 1_000n,
    gasLimit: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
  const { r = 0n, s = 0n, yParity = 0 } = unsigned.signBy(randomBytes(32)).raw;
  const signature = { r: asQuantity(r), s: asQuantity(s), yParity: asQuantity(yParity) };
  return { ...told(to, nonce, "0x"), gas: "0x5208", ...signature };
}

function anyTransaction(nonce: number): EthereumTransaction {
  const signature = { r: anything(32), s: anything(32), yParity: "0x1" };
  return { ...told(anything(20), nonce, anything(inputBytes)), gas: "0x30d40", ...signature };
}

function told(to: string, nonce: number, input: string) {
  return {
    hash: anything(32),
    from: anything(20),
    to,
    value: 1_000n,
    input,
    nonce,
    type: "0x2",
    chainId: "0x1",
    accessList: [],
    maxFeePerGas: asQuantity(10n ** 10n),
    maxPriorityFeePerGas: "0x1",
  };
}

/** Where it stands is known when its block is made. */
function outcomeOf({ hash, from }: EthereumTransaction, i: number): EthereumReceipt {
  const log = (address: string): EthereumLog => ({
    address,
    topics: [transferTopic, asTopic(anything(20)), asTopic(anything(20))],
    data: `0x${"0".repeat(63)}1`,
  });
  const others = Array.from({ length: otherLogsEach }, () => log(anything(20)));
  return {
    transactionHash: hash,
    blockHash: "",
    blockNumber: 0,
    from,
    type: 2,
    status: true,
    gasUsed: 60_000n,
    effectiveGasPrice: 1n,
    cumulativeGasUsed: 60_000n * BigInt(i + 1),
    logsBloom: anything(256),
    logs: i < tokenTransfers ? [log(benchToken), ...others] : others,
  };
}

function rootOf(values: Uint8Array[]): string {
  return `0x${bytesToHex(trieRoot(values))}`;
}

function anything(bytes: number): string {
  return `0x${randomBytes(bytes).toString("hex")}`;
}

function asTopic(address: string): string {
  return `0x${address.slice(2).padStart(64, "0")}`;
}

function asQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
