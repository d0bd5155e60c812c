import { hexToBytes } from "@noble/hashes/utils.js";
import type { Network } from "#core/payments/address.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { and, asc, eq, inArray } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import { findSpendingTransaction } from "../../chain/bitcoin/parse-block.ts";
import { readBlocks } from "../../chain/bitcoin/read-blocks.ts";
import type { Db } from "../../platform/database.ts";
import { abandonBatch } from "../batches/abandon-batch.ts";
import type { Batch, Version } from "../batches/form-batch.ts";
import { sendVersion } from "../batches/send-version.ts";
import { unlessRefused } from "../batches/unless-refused.ts";
import { withdrawalBatches, withdrawalBatchVersions } from "../schema.ts";
import { listKeptTransactions } from "./list-kept-transactions.ts";
import { sendBitcoinVersion } from "./send-transaction.ts";
import { settleBatch } from "./settle-batch.ts";

/**
 * Looks where a batch of Bitcoin stands. Which transaction has spent its anchor, and how deep, decides: one of ours settles the
 * batch, any other one ends it, whoever sent them. The node is believed in what its blocks themselves show. What was ordered and
 * is nowhere is sent again. An anchor that the chain does not have any more is noted, and the payment that made it sent again; two
 * people end such a batch.
 *
 * @throws SourceIncident, NodeError
 */
export async function followBitcoinBatch(
  db: Db,
  { node, network, batch }: { node: BitcoinNode; network: Network; batch: Batch },
  now: () => Date,
): Promise<void> {
  const v = withdrawalBatchVersions;
  const versions = await db.select().from(v).where(eq(v.batchId, batch.id)).orderBy(asc(v.number));
  const { anchorTxid, anchorVout } = batch;
  if (anchorTxid === null || anchorVout === null) return;
  const unspent = await node.getTxOut(anchorTxid, anchorVout, { withMempool: false });
  const anchor = outpointBytes(anchorTxid, anchorVout);
  const search = { node, network, batch, versions, anchor };
  const { spender, searched } = unspent ? nothingSought : await findSpender(db, search);
  await noteBlock(db, batch, { spender, searched, isGone: !unspent && !spender });
  if (!spender) {
    if (await abandonBatch(db, batch.id, now())) return;
    if (!unspent) await sendMissing(db, node, anchorTxid);
    return sendAgain(db, node, versions, now());
  }
  if (spender.confirmations < withdrawalTerms.confirmations) return;
  await settleBatch(db, { batchId: batch.id, minedHash: spender.hash }, now());
}

interface Spender {
  height: number;
  hash: string;
  /** Blocks that were read, its own among them; no more than are asked for. */
  confirmations: number;
  /** Null: none of ours. */
  versionId: string | null;
}

interface Search {
  node: BitcoinNode;
  network: Network;
  batch: Batch;
  versions: Version[];
  anchor: Buffer;
}

interface Found {
  spender: Spender | null;
  /** The newest block that was read and does not spend it; null: none was. */
  searched: { height: number; hash: string } | null;
}

const nothingSought: Found = { spender: null, searched: null };

/** The block that spends the anchor, and how deep it lies: both are read off blocks, those above it included. */
async function findSpender(
  db: Db,
  { node, network, batch, versions, anchor }: Search,
): Promise<Found> {
  const { blocks: to } = await node.getBlockchainInfo();
  let spender: Spender | null = null;
  let searched: Found["searched"] = null;
  for await (const block of readBlocks(db, node, {
    network,
    from: await firstOf(node, batch),
    to,
  })) {
    if (spender) spender.confirmations += 1;
    else {
      const { height, hash } = block;
      const spending = findSpendingTransaction(block.bytes, anchor);
      if (spending === null) {
        searched = { height, hash };
        continue;
      }
      const mined = versions.find(({ txid }) => txid === spending);
      spender = { height, hash, confirmations: 1, versionId: mined?.id ?? null };
    }
    if (spender.confirmations >= withdrawalTerms.confirmations) break;
  }
  return { spender, searched };
}

/** Where to begin to look: at the block that was noted, or after those that were searched, if they are still in the chain. */
async function firstOf(node: BitcoinNode, batch: Batch): Promise<number> {
  const { minedHeight, minedHash, searchedHeight, searchedHash, formedHeight } = batch;
  const isInChain = async (height: number, hash: string | null) =>
    (await node.getBlockHash(height)) === hash;
  if (minedHeight !== null && (await isInChain(minedHeight, minedHash))) return minedHeight;
  if (searchedHeight !== null && (await isInChain(searchedHeight, searchedHash))) {
    return searchedHeight + 1;
  }
  // A reorganisation may have moved it below the tip of the moment that the batch was formed at.
  return Math.max(1, formedHeight - 10);
}

/** An outpoint as it stands in a transaction's input. */
function outpointBytes(txid: string, index: number): Buffer {
  const vout = Buffer.alloc(4);
  vout.writeUInt32LE(index);
  return Buffer.concat([Buffer.from(hexToBytes(txid)).reverse(), vout]);
}

async function noteBlock(
  db: Db,
  batch: Batch,
  { spender, searched, isGone }: Found & { isGone: boolean },
): Promise<void> {
  const height = searched?.height ?? batch.searchedHeight;
  const anchorGoneHeight = isGone ? (batch.anchorGoneHeight ?? height) : null;
  const isSame = (spender?.hash ?? null) === batch.minedHash && searched === null;
  if (isSame && anchorGoneHeight === batch.anchorGoneHeight) return;
  const block = {
    minedHeight: spender?.height ?? null,
    minedHash: spender?.hash ?? null,
    minedVersionId: spender?.versionId ?? null,
    ...(searched && { searchedHeight: searched.height, searchedHash: searched.hash }),
    anchorGoneHeight,
  };
  const b = withdrawalBatches;
  const goesOn = inArray(b.state, ["formed", "broadcast"]);
  await db
    .update(b)
    .set(block)
    .where(and(eq(b.id, batch.id), goesOn));
}

/** The payment that made the anchor: where nothing has taken its place, a block can hold it again. */
async function sendMissing(db: Db, node: BitcoinNode, txid: string): Promise<void> {
  const raw = (await listKeptTransactions(db, [txid])).get(txid);
  if (raw) await unlessRefused(node.sendRawTransaction(raw));
}

/** The newest version that was ordered, where the node does not have it (any more). */
async function sendAgain(db: Db, node: BitcoinNode, versions: Version[], now: Date) {
  const newest = versions.findLast(({ orderedAt }) => orderedAt !== null);
  if (!newest?.raw || newest.txid === null) return;
  if (!newest.sentAt) {
    const nodes = { bitcoin: node, ethereum: null };
    return sendVersion(db, { nodes, versionId: newest.id }, now);
  }
  if (await node.getMempoolEntry(newest.txid)) return;
  // It was dropped, or the node is another one. What the node says when it refuses is noted.
  await sendBitcoinVersion(db, { node, version: newest }, now);
}
