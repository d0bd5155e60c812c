import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { Transaction } from "micro-eth-signer";
import { answerOf } from "../answer-of.ts";
import { NodeError } from "../json-rpc.ts";
import { SourceIncident } from "../source-health.ts";
import { encodeReceipt, encodeTransaction } from "./encode-mined.ts";
import {
  type EthereumBlock,
  type EthereumLog,
  type EthereumNode,
  type EthereumReceipt,
  type EthereumTransaction,
  ethereumErrors,
} from "./ethereum-node.ts";
import { trieRoot } from "./trie-root.ts";

const receiptsAtOnce = 100;

/** A transaction of a block and what came of it, both as the block's header commits to them. */
export interface ProvedTransaction {
  txid: string;
  /** As it stands in its block. */
  raw: Uint8Array;
  /** Small letters; null: it makes a contract. Of a type that is not known here, as the node tells it; so is `value`. */
  to: string | null;
  /** Wei. */
  value: bigint;
  /** False: it was paid for, and did nothing. */
  succeeded: boolean;
  /** What contracts announced, in its order. */
  logs: EthereumLog[];
  gasUsed: bigint;
  /** Who signed it, in small letters. */
  readSender(): string;
}

/**
 * The transactions of a block whose header is known to have its hash, in their order. A receipt does not name its transaction:
 * the place in both lists is what ties them.
 *
 * @throws SourceIncident `lying` where the header commits to others, `behind` where the node lacks some, and as `answerOf` does
 */
export async function proveBlock(
  node: EthereumNode,
  block: EthereumBlock,
): Promise<ProvedTransaction[]> {
  const { number: height, hash, transactions } = block;
  const lie = (what: string) => new SourceIncident("lying", `block ${height}: ${what}`);
  const encoded = transactions.map(encodeTransaction);
  const raws = await Promise.all(
    transactions.map(async (each, i) => encoded[i] ?? (await readRaw(node, each.hash))),
  );
  if (!isRoot(block["transactionsRoot"], raws)) {
    throw lie("its header commits to other transactions");
  }
  const txids = raws.map((raw) => `0x${bytesToHex(keccak_256(raw))}`);
  const receipts = txids.length === 0 ? [] : await readReceipts(node, hash, txids);
  if (!isRoot(block["receiptsRoot"], receipts.map(encodeReceipt))) {
    throw lie("its header commits to other receipts");
  }
  return transactions.map((told, i) => {
    const [txid, raw, receipt] = [txids[i], raws[i], receipts[i]];
    if (!txid || !raw || !receipt) throw lie("it has more transactions than receipts");
    const said = encoded[i] ? told : readAgain(raw, told);
    return {
      txid,
      raw,
      to: said.to || null,
      value: said.value,
      succeeded: receipt.status,
      logs: receipt.logs,
      gasUsed: receipt.cumulativeGasUsed - (receipts[i - 1]?.cumulativeGasUsed ?? 0n),
      readSender: () => findSender(raw) ?? told.from,
    };
  });
}

/** For types that came later than this was written. */
async function readRaw(node: EthereumNode, txid: string): Promise<Uint8Array> {
  const raw = await answerOf(node.getRawTransaction(txid));
  if (!raw) throw new SourceIncident("behind", `it lacks the bytes of transaction ${txid}`);
  return hexToBytes(raw.slice(2));
}

function isRoot(told: unknown, values: Uint8Array[]): boolean {
  return told === `0x${bytesToHex(trieRoot(values))}`;
}

/** Where the node's words do not give the bytes, the bytes count, as long as they can be read. */
function readAgain(
  raw: Uint8Array,
  told: EthereumTransaction,
): { to?: string | null | undefined; value: bigint } {
  const isLater = (raw[0] ?? 0) > 4 && (raw[0] ?? 0) < 0x80;
  if (isLater) return told;
  try {
    const { to, value } = Transaction.fromBytes(raw).raw;
    return { to: to.toLowerCase().replace(/^0x$/, ""), value };
  } catch {
    throw new SourceIncident("lying", `it does not tell transaction ${told.hash} as it is`);
  }
}

/** Null: the library does not read it (a later type, or something odd beside what matters here). */
function findSender(raw: Uint8Array): string | null {
  try {
    return Transaction.fromBytes(raw).recoverSender().address.toLowerCase();
  } catch {
    return null;
  }
}

/**
 * What came of all transactions of a block. Somebody may fill one with events on purpose, until the answer is too large to be taken:
 * such a block is asked for in parts, and so is one of a node that does not know the question.
 */
async function readReceipts(
  node: EthereumNode,
  blockHash: string,
  txids: string[],
): Promise<EthereumReceipt[]> {
  const whole = await answerOf(node.getBlockReceipts(blockHash).catch(refuseOthers));
  if (whole === null) throw new SourceIncident("behind", `it lacks the receipts of ${blockHash}`);
  if (whole !== "in-parts") return whole;
  const receipts: EthereumReceipt[] = [];
  for (let from = 0; from < txids.length; from += receiptsAtOnce) {
    receipts.push(...(await readPart(node, txids.slice(from, from + receiptsAtOnce))));
  }
  return receipts;
}

function refuseOthers(error: unknown): "in-parts" {
  const { methodNotFound, methodNotSupported } = ethereumErrors;
  const unknown: Array<number | null> = [methodNotFound, methodNotSupported];
  const isAskedAgain =
    error instanceof NodeError && (error.failure === "malformed" || unknown.includes(error.code));
  if (!isAskedAgain) throw error;
  return "in-parts";
}

/** In halves, until an answer can be taken. */
async function readPart(node: EthereumNode, txids: string[]): Promise<EthereumReceipt[]> {
  const read = await answerOf(
    node.getReceipts(txids).catch((error: unknown) => {
      if (txids.length === 1) throw error;
      return refuseOthers(error);
    }),
  );
  if (read === "in-parts") {
    const middle = txids.length / 2;
    return [
      ...(await readPart(node, txids.slice(0, middle))),
      ...(await readPart(node, txids.slice(middle))),
    ];
  }
  return read.map((receipt, i) => {
    if (!receipt) throw new SourceIncident("behind", `it lacks the receipt of ${txids[i]}`);
    return receipt;
  });
}
