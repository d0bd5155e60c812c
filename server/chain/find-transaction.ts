import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { eq } from "#server/platform/sql.ts";
import type { Config, EthereumChain } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { answerOf } from "./answer-of.ts";
import type { BlockSource } from "./bitcoin/block-source.ts";
import { matchOutputs } from "./bitcoin/match-outputs.ts";
import { openSource } from "./bitcoin/open-source.ts";
import { parseTransaction } from "./bitcoin/parse-block.ts";
import { findBlocksRead } from "./blocks-read.ts";
import { EthereumNode } from "./ethereum/ethereum-node.ts";
import { findPosition } from "./find-position.ts";
import { chainPayments } from "./schema.ts";
import { SourceIncident } from "./source-health.ts";

/** What a chain's source says of a transaction. */
export interface KnownTransaction {
  inBlock: boolean;
  /** It is in a block, and moved nothing but its fee. Bitcoin has no such thing. */
  failed: boolean;
  /** Whether we have looked at whom it pays. */
  isRead: boolean;
}

/**
 * Asks a chain's source for a transaction; null: it does not know it, which need not mean that there is none, or nobody is
 * asked about the chain.
 *
 * @throws SourceIncident
 */
export async function findTransaction(
  { db, config }: { db: Db; config: Pick<Config, "bitcoinChain" | "ethereumChain"> },
  chain: WalletChain,
  txid: string,
  withinMs: number,
): Promise<KnownTransaction | null> {
  const signal = AbortSignal.timeout(withinMs);
  if (chain === "ethereum") {
    return config.ethereumChain && findOnEthereum(db, config.ethereumChain, txid, signal);
  }
  const source = openSource(config, signal);
  return source && findOnBitcoin(db, source, txid);
}

async function findOnBitcoin(
  db: Db,
  source: BlockSource,
  txid: string,
): Promise<KnownTransaction | null> {
  const found = await source.findTransaction(txid);
  if (!found) return null;
  const { inBlock, raw, height } = found;
  if (raw) return { inBlock, failed: false, isRead: !(await isStillToRead(db, raw, txid)) };
  const position = await findPosition(db, "bitcoin");
  const isRead = height !== null && position !== null && height <= position.height;
  return { inBlock, failed: false, isRead };
}

/** Its id commits to whom it pays: whether that is one of ours, and not recorded yet. */
async function isStillToRead(db: Db, raw: Buffer, txid: string): Promise<boolean> {
  const transaction = parseTransaction(raw);
  if (transaction.txid !== txid) throw new SourceIncident("lying", `it has another ${txid}`);
  const paysOurs = (await matchOutputs(db, [transaction])).length > 0;
  return paysOurs && (await db.$count(chainPayments, eq(chainPayments.txid, txid))) === 0;
}

async function findOnEthereum(
  db: Db,
  { url }: EthereumChain,
  txid: string,
  signal: AbortSignal,
): Promise<KnownTransaction | null> {
  const node = new EthereumNode(url, signal);
  const receipt = await answerOf(node.getReceipt(txid));
  if (!receipt) {
    const waits = (await answerOf(node.getTransaction(txid))) !== null;
    return waits ? { inBlock: false, failed: false, isRead: false } : null;
  }
  const position = await findPosition(db, "ethereum");
  const { blockNumber: height, blockHash } = receipt;
  const [read] = (await findBlocksRead(db, "ethereum", { from: height, to: height })).values();
  // Of older blocks the hash is not remembered.
  const isInWhatWasRead = read === undefined || read.hash === blockHash;
  const isRead = position !== null && height <= position.height && isInWhatWasRead;
  return { inBlock: true, failed: !receipt.status, isRead };
}
