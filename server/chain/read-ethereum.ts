import type { EthereumChain } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { BlockBefore, ChainReader, FoundPayment, ReadBlock } from "./chain-reader.ts";
import {
  type EthereumBlock,
  type EthereumLog,
  type EthereumNode,
  type EthereumReceipt,
  ethereumErrors,
  transferTopic,
} from "./ethereum-node.ts";
import { placeOfCall, placeOfEvent } from "./ethereum-place.ts";
import { findCalls } from "./find-calls.ts";
import { findScripts } from "./find-scripts.ts";
import { isHashOfFields } from "./hash-header.ts";
import { NodeError } from "./json-rpc.ts";
import { SourceTrouble } from "./source-condition.ts";
import { toldBy } from "./told-by.ts";

const receiptsAtOnce = 100;

/** The Ethereum chain as a node tells it, every block checked as far as that goes: docs/decisions/0030. */
export function readEthereum(node: EthereumNode, chain: EthereumChain): ChainReader {
  return {
    chain: "ethereum",
    hashAt: async (height) => (await toldBy(node.getHeader(height)))?.hash ?? null,
    async timeOf(hash) {
      const header = await toldBy(node.getHeaderByHash(hash));
      if (header?.hash !== hash) throw lacks(hash);
      return new Date(header.timestamp * 1000);
    },
    readBlock: (hash, before) => readBlock(node, chain, hash, before),
  };
}

async function readBlock(
  node: EthereumNode,
  { usdtContract, traces, ownAddresses }: EthereumChain,
  hash: string,
  before: BlockBefore,
): Promise<ReadBlock> {
  const block = await toldBy(node.getBlock(hash));
  if (!block) throw lacks(hash);
  checkEthereumBlock(block, hash, before);
  const isEmpty = block.transactions.length === 0;
  const [logs, sent] = await Promise.all([
    usdtContract === null || isEmpty ? [] : readTransfers(node, block, usdtContract),
    traces && !isEmpty ? readCalls(node, block) : [],
  ]);
  const own = block.transactions.flatMap(({ hash: txid, to, value }) =>
    to && value > 0n ? [{ txid, outputIndex: placeOfCall(0), to, units: value }] : [],
  );
  const ether = [...own, ...sent].map((each) => ({ ...each, asset: "ETH" as const }));
  const time = new Date(block.timestamp * 1000);
  const findPayments = (db: Db) =>
    findEthereumPayments({ db, node, block, ether, logs, ownAddresses });
  return { hash, time, bits: null, findPayments };
}

/**
 * Without work that went into it a block cannot show by itself that it is the chain's. What can be checked is that it is the
 * block that was named, follows the one before, and holds together.
 *
 * @throws SourceTrouble `lying`
 */
export function checkEthereumBlock(
  block: EthereumBlock,
  hash: string,
  before: Pick<BlockBefore, "height" | "hash">,
): void {
  const height = before.height + 1;
  const lie = (what: string) => new SourceTrouble("lying", `block ${height}: ${what}`);
  if (block.hash !== hash || block.number !== height) throw lie("it is another block");
  if (block.parentHash !== before.hash) throw lie("it does not follow the block before");
  if (!isHashOfFields(block)) throw lie("its header has another hash");
  if (block.transactions.some(({ blockHash }) => blockHash !== hash)) {
    throw lie("it has transactions of another block");
  }
}

/** A transfer of tokens, as the contract announced it. */
interface Transfer {
  txid: string;
  to: string;
  units: bigint;
  log: EthereumLog;
}

/** What our token's contract announced in a block. Others may announce what they like: they are not asked for. */
async function readTransfers(
  node: EthereumNode,
  block: EthereumBlock,
  contract: string,
): Promise<Transfer[]> {
  const { hash: blockHash } = block;
  const logs = await toldBy(node.getLogs({ blockHash, address: contract, topic: transferTopic }));
  const txids = new Set(block.transactions.map(({ hash }) => hash));
  return logs.flatMap((log) => {
    const { transactionHash: txid, topics, data } = log;
    const isAsked =
      log.address === contract && topics[0] === transferTopic && log.blockHash === blockHash;
    if (!isAsked || log.removed || txid === null || !txids.has(txid)) {
      throw new SourceTrouble("lying", `block ${block.number}: it tells of events elsewhere`);
    }
    const [, , to] = topics;
    // Another event of the same name: a token that is no ERC-20.
    if (!to || topics.length !== 3 || data.length !== 66) return [];
    const units = BigInt(data);
    return units > 0n ? [{ txid, to: `0x${to.slice(26)}`, units, log }] : [];
  });
}

/** Ether that contracts sent within a block's transactions. */
async function readCalls(node: EthereumNode, block: EthereumBlock) {
  const traced = await toldBy(node.traceBlock(block.hash).catch(refuseNoTraces(block)));
  const isWhole =
    traced.length === block.transactions.length &&
    traced.every(({ txHash }, i) => !txHash || txHash === block.transactions[i]?.hash);
  if (!isWhole) {
    throw new SourceTrouble("lying", `block ${block.number}: it traces other transactions`);
  }
  return traced.flatMap(({ result }, i) => {
    const txid = block.transactions[i]?.hash ?? "";
    return findCalls(result).map(({ nth, to, wei }) => {
      return { txid, outputIndex: placeOfCall(nth), to, units: wei };
    });
  });
}

/** Nodes without the method; and somebody may make a block on purpose whose trace is too large to be told. */
function refuseNoTraces({ number }: EthereumBlock) {
  const { methodNotFound, methodNotSupported } = ethereumErrors;
  const numbers: Array<number | null> = [methodNotFound, methodNotSupported];
  return (error: unknown): never => {
    if (!(error instanceof NodeError)) throw error;
    if (!numbers.includes(error.code) && error.failure !== "malformed") throw error;
    throw new SourceTrouble("no-traces", `block ${number}: ${error.message}`);
  };
}

interface Candidates {
  db: Db;
  node: EthereumNode;
  block: EthereumBlock;
  ether: Array<{ txid: string; outputIndex: number; to: string; units: bigint; asset: "ETH" }>;
  logs: Transfer[];
  ownAddresses: string[];
}

/** Of all that was paid in a block, what others paid to our addresses, held against the receipts of those transactions. */
async function findEthereumPayments(candidates: Candidates): Promise<FoundPayment[]> {
  const { db, node, block, ether, logs, ownAddresses } = candidates;
  const addresses = await findScripts(
    db,
    [...ether, ...logs].map(({ to }) => to.slice(2)),
  );
  const toUs = <Paid extends { to: string }>(paid: Paid[]) =>
    paid.flatMap(({ to, ...payment }) => {
      const address = addresses.get(to.slice(2));
      return address ? [{ ...payment, address }] : [];
    });
  const own = await findOwnTransactions(db, block, addresses, ownAddresses);
  const etherToUs = toUs(ether).filter(({ txid }) => !own.has(txid));
  const tokensToUs = toUs(logs).filter(({ txid }) => !own.has(txid));
  const txids = [...new Set([...etherToUs, ...tokensToUs].map(({ txid }) => txid))];
  const receipts = await readReceipts(node, block, txids);
  const whole = { coinbase: false, raw: null };
  return [
    // A transaction that failed is in its block all the same, and moved nothing.
    ...etherToUs
      .filter(({ txid }) => receipts.get(txid)?.status)
      .map((payment) => ({ ...payment, ...whole })),
    ...tokensToUs.map(({ log, ...payment }) => {
      const outputIndex = placeOfEvent(positionIn(receipts.get(payment.txid), log, block));
      return { ...payment, outputIndex, asset: "USDT" as const, ...whole };
    }),
  ];
}

/**
 * The operator's own transactions: from addresses that he named, and from customers' addresses, whose keys he alone has. He
 * sends ether to those to pay for collecting what is there, which is nobody's deposit.
 */
async function findOwnTransactions(
  db: Db,
  { transactions }: EthereumBlock,
  paid: Map<string, string>,
  ownAddresses: string[],
): Promise<Set<string>> {
  if (paid.size === 0) return new Set();
  const customers = await findScripts(
    db,
    transactions.map(({ from }) => from.slice(2)),
  );
  const isOwn = (from: string) => ownAddresses.includes(from) || customers.has(from.slice(2));
  return new Set(transactions.filter(({ from }) => isOwn(from)).map(({ hash }) => hash));
}

/**
 * Receipts of transactions of a block, by their ids.
 *
 * @throws SourceTrouble
 */
export async function readReceipts(
  node: EthereumNode,
  block: Pick<EthereumBlock, "hash" | "number">,
  txids: string[],
): Promise<Map<string, EthereumReceipt>> {
  const receipts = new Map<string, EthereumReceipt>();
  for (let from = 0; from < txids.length; from += receiptsAtOnce) {
    const some = txids.slice(from, from + receiptsAtOnce);
    const read = await toldBy(node.getReceipts(some));
    for (const [i, txid] of some.entries()) {
      const receipt = read[i];
      if (receipt?.transactionHash !== txid || receipt.blockHash !== block.hash) {
        throw new SourceTrouble("behind", `block ${block.number}: it lacks a receipt of it`);
      }
      receipts.set(txid, receipt);
    }
  }
  return receipts;
}

/** Where in its transaction's receipt an event stands: in another block that stays, while its place in the block does not. */
function positionIn(
  receipt: EthereumReceipt | undefined,
  { logIndex, address, topics, data }: EthereumLog,
  block: EthereumBlock,
): number {
  const position = receipt?.logs.findIndex((each) => each.logIndex === logIndex) ?? -1;
  const found = receipt?.logs[position];
  const isSame =
    found?.address === address && found.data === data && `${found.topics}` === `${topics}`;
  if (!receipt?.status || !isSame) {
    throw new SourceTrouble("lying", `block ${block.number}: an event is not in its receipt`);
  }
  return position;
}

/** One that stands behind others may be asked for a block before it has it: the next pass asks again. */
function lacks(hash: string): SourceTrouble {
  return new SourceTrouble("behind", `it named block ${hash} and does not have it`);
}
