import { randomBytes } from "node:crypto";
import {
  type EthereumBlock,
  type EthereumLog,
  type EthereumNode,
  transferTopic,
} from "../../server/chain/ethereum-node.ts";
import { hashHeader } from "../../server/chain/hash-header.ts";

const transactions = 250;
/** Of them, how many move the token that counts. */
const tokenTransfers = 100;
const callsEach = 8;
export const benchToken = `0x${"11".repeat(20)}`;

/**
 * A block as full as those of the main network, and a node that tells of it and of nothing else: 250 transactions, each with
 * ether and eight calls that move some, and 100 transfers of the token. Some pay the given addresses, the others nobody.
 */
export function fullEthereumBlock(previousHash: string, height: number, paid: string[]) {
  const header = {
    parentHash: previousHash,
    number: height,
    timestamp: Math.floor(Date.now() / 1000),
  };
  const hash = hashHeader({ ...header, hash: "" });
  const place = { blockHash: hash, blockNumber: height };
  const sent = Array.from({ length: transactions }, (_, nonce) => ({
    ...{ hash: anything(32), from: anything(20), to: paid[nonce] ?? anything(20) },
    ...{ value: 1_000n, input: "0x", nonce, ...place },
  }));
  const block: EthereumBlock = { ...header, hash, transactions: sent };
  const logs: EthereumLog[] = sent.slice(0, tokenTransfers).map((each, logIndex) => ({
    ...{ address: benchToken, data: `0x${"0".repeat(63)}1`, blockHash: hash, logIndex },
    ...{
      transactionHash: each.hash,
      topics: [transferTopic, asTopic(each.from), asTopic(anything(20))],
    },
  }));
  const call = () => ({ type: "CALL", to: anything(20), value: 1n });
  const traces = sent.map(({ hash: txHash }) => ({
    txHash,
    result: { ...call(), calls: Array.from({ length: callsEach }, call) },
  }));
  const receiptOf = (transactionHash: string) => ({
    ...{ transactionHash, blockHash: hash, blockNumber: height, from: anything(20), status: true },
    ...{ gasUsed: 21_000n, effectiveGasPrice: 1n, logs: [] },
    ...{ cumulativeGasUsed: 21_000n, logsBloom: "0x" },
  });
  const node: Partial<EthereumNode> = {
    getBlock: async () => block,
    getLogs: async () => logs,
    traceBlock: async () => traces,
    getReceipts: async (txids) => txids.map(receiptOf),
  };
  return { hash, node: node as EthereumNode };
}

function anything(bytes: number): string {
  return `0x${randomBytes(bytes).toString("hex")}`;
}

function asTopic(address: string): string {
  return `0x${address.slice(2).padStart(64, "0")}`;
}
