import type { EthereumChain } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { answerOf } from "../answer-of.ts";
import type { BlockBefore, ChainReader, FoundPayment, ReadBlock } from "../chain-reader.ts";
import { findScripts } from "../find-scripts.ts";
import { NodeError } from "../json-rpc.ts";
import { SourceIncident } from "../source-health.ts";
import {
  type EthereumBlock,
  type EthereumNode,
  ethereumErrors,
  transferTopic,
} from "./ethereum-node.ts";
import { placeOfCall, placeOfEvent } from "./ethereum-place.ts";
import { findCalls } from "./find-calls.ts";
import { requireHashOfFields } from "./hash-header.ts";
import { type ProvedTransaction, proveBlock } from "./prove-block.ts";

/** The Ethereum chain as a node tells it, every block proved as far as that goes: docs/decisions/0044. */
export function readEthereum(node: EthereumNode, chain: EthereumChain): ChainReader {
  return {
    chain: "ethereum",
    hashAt: async (height) => (await answerOf(node.getHeader(height)))?.hash ?? null,
    async timeOf(hash) {
      const header = await answerOf(node.getHeaderByHash(hash));
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
  const block = await answerOf(node.getBlock(hash));
  if (!block) throw lacks(hash);
  checkEthereumBlock(block, hash, before);
  const transactions = await proveBlock(node, block);
  const candidates = [
    ...transactions.flatMap(findOwnEther),
    ...(traces && transactions.length > 0 ? await readCalls(node, block, transactions) : []),
    ...transactions.flatMap((each) => findTransfers(each, usdtContract)),
  ];
  const time = new Date(block.timestamp * 1000);
  const findPayments = (db: Db) => findEthereumPayments(db, candidates, ownAddresses);
  return { hash, time, bits: null, findPayments };
}

/**
 * Without work that went into it a block cannot show by itself that it is the chain's. What can be checked is that it is the
 * block that was named, follows the one before, and holds together.
 *
 * @throws SourceIncident `lying`
 */
export function checkEthereumBlock(
  block: EthereumBlock,
  hash: string,
  before: Pick<BlockBefore, "height" | "hash">,
): void {
  const height = before.height + 1;
  const lie = (what: string) => new SourceIncident("lying", `block ${height}: ${what}`);
  if (block.hash !== hash || block.number !== height) throw lie("it is another block");
  if (block.parentHash !== before.hash) throw lie("it does not follow the block before");
  requireHashOfFields(block);
  if (block.transactions.some(({ blockHash }) => blockHash !== hash)) {
    throw lie("it has transactions of another block");
  }
}

/** What was paid to somebody, who may be a customer. */
interface Candidate extends Pick<FoundPayment, "txid" | "outputIndex" | "asset" | "units"> {
  /** Small letters. */
  to: string;
  by: ProvedTransaction;
}

/** A transaction that failed is in its block all the same, and moved nothing. */
function findOwnEther(by: ProvedTransaction): Candidate[] {
  const { txid, to, value: units, succeeded } = by;
  if (!succeeded || !to || units === 0n) return [];
  return [{ txid, outputIndex: placeOfCall(0), asset: "ETH", units, to, by }];
}

/** What our token's contract announced. Others may announce what they like. */
function findTransfers(by: ProvedTransaction, contract: string | null): Candidate[] {
  return by.logs.flatMap(({ address, topics, data }, position) => {
    const [topic, , to] = topics;
    if (address !== contract || topic !== transferTopic) return [];
    // Another event of the same name: a token that is no ERC-20.
    if (!to || topics.length !== 3 || data.length !== 66) return [];
    const units = BigInt(data);
    const paid = { txid: by.txid, outputIndex: placeOfEvent(position), asset: "USDT" as const };
    return units > 0n ? [{ ...paid, units, to: `0x${to.slice(26)}`, by }] : [];
  });
}

/** Ether that contracts sent within a block's transactions, as the node tells it: no header commits to that. */
async function readCalls(
  node: EthereumNode,
  block: EthereumBlock,
  transactions: ProvedTransaction[],
): Promise<Candidate[]> {
  const traced = await answerOf(node.traceBlock(block.hash).catch(refuseNoTraces(block)));
  const isWhole =
    traced.length === transactions.length &&
    traced.every(({ txHash }, i) => !txHash || txHash === transactions[i]?.txid);
  if (!isWhole) {
    throw new SourceIncident("lying", `block ${block.number}: it traces other transactions`);
  }
  return transactions.flatMap((by, i) => {
    const own = traced[i]?.result;
    if (!own || !by.succeeded) return [];
    return findCalls(own).map(({ nth, to, wei: units }) => {
      return { txid: by.txid, outputIndex: placeOfCall(nth), asset: "ETH" as const, units, to, by };
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
    throw new SourceIncident("no-traces", `block ${number}: ${error.message}`);
  };
}

/** Of all that was paid in a block, what others paid to our addresses. */
async function findEthereumPayments(
  db: Db,
  candidates: Candidate[],
  ownAddresses: string[],
): Promise<FoundPayment[]> {
  const addresses = await findScripts(
    db,
    candidates.map(({ to }) => to.slice(2)),
  );
  const toUs = candidates.filter(({ to }) => addresses.has(to.slice(2)));
  const own = await findOwnTransactions(db, new Set(toUs.map(({ by }) => by)), ownAddresses);
  return toUs
    .filter(({ by }) => !own.has(by))
    .map(({ to, by: _, ...payment }) => {
      const address = addresses.get(to.slice(2)) ?? "";
      return { ...payment, address, coinbase: false, raw: null, spends: null };
    });
}

/**
 * The operator's own transactions: from addresses that he named, and from customers' addresses, whose keys he alone has. He
 * sends ether to those to pay for collecting what is there, which is nobody's deposit.
 */
async function findOwnTransactions(
  db: Db,
  paying: Set<ProvedTransaction>,
  ownAddresses: string[],
): Promise<Set<ProvedTransaction>> {
  const senders = new Map([...paying].map((each) => [each, each.readSender()]));
  const customers = await findScripts(
    db,
    [...senders.values()].map((from) => from.slice(2)),
  );
  const isOwn = (from: string) => ownAddresses.includes(from) || customers.has(from.slice(2));
  return new Set([...paying].filter((each) => isOwn(senders.get(each) ?? "")));
}

/** One that stands behind others may be asked for a block before it has it: the next pass asks again. */
function lacks(hash: string): SourceIncident {
  return new SourceIncident("behind", `it named block ${hash} and does not have it`);
}
