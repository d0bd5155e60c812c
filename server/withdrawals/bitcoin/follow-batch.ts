import { hexToBytes } from "@noble/hashes/utils.js";
import type { Network } from "#core/address.ts";
import { withdrawalTerms } from "#core/withdrawal.ts";
import { and, asc, eq, inArray } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin-node.ts";
import { findSpendingTransaction } from "../../chain/parse-block.ts";
import { readBlocks } from "../../chain/read-blocks.ts";
import type { Db } from "../../platform/database.ts";
import type { Batch, Version } from "../form-batch.ts";
import { withdrawalBatches, withdrawalBatchVersions } from "../schema.ts";
import { sendVersion } from "../send-version.ts";
import { settleBatch } from "./settle-batch.ts";

/**
 * Looks where a batch of Bitcoin stands. Which transaction has spent its anchor, and how deep, decides: one of ours settles the
 * batch, any other one ends it, whoever sent them. The node is believed in what its blocks themselves show. What was ordered and
 * is nowhere is sent again.
 *
 * @throws SourceTrouble, NodeError
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
  const spender = unspent
    ? null
    : await findSpender(db, { node, network, batch, versions, anchor });
  await noteBlock(db, batch, spender);
  if (!spender) return sendAgain(db, node, versions, now());
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

/** The block that spends the anchor, and how deep it lies: both are read off blocks, those above it included. */
async function findSpender(
  db: Db,
  { node, network, batch, versions, anchor }: Search,
): Promise<Spender | null> {
  const { blocks: to } = await node.getBlockchainInfo();
  let spender: Spender | null = null;
  for await (const block of readBlocks(db, node, {
    network,
    from: await firstOf(node, batch),
    to,
  })) {
    if (spender) spender.confirmations += 1;
    else {
      const spending = findSpendingTransaction(block.bytes, anchor);
      if (spending === null) continue;
      const mined = versions.find(({ txid }) => txid === spending);
      const { height, hash } = block;
      spender = { height, hash, confirmations: 1, versionId: mined?.id ?? null };
    }
    if (spender.confirmations >= withdrawalTerms.confirmations) break;
  }
  return spender;
}

/** Where to begin to look: at the block that was noted, if it still stands. */
async function firstOf(node: BitcoinNode, { minedHeight, minedHash, formedHeight }: Batch) {
  const stands = minedHeight !== null && (await node.getBlockHash(minedHeight)) === minedHash;
  // A reorganisation may have moved it below the tip of the moment that the batch was formed at.
  return stands ? minedHeight : Math.max(1, formedHeight - 10);
}

/** An outpoint as it stands in a transaction's input. */
function outpointBytes(txid: string, index: number): Buffer {
  const vout = Buffer.alloc(4);
  vout.writeUInt32LE(index);
  return Buffer.concat([Buffer.from(hexToBytes(txid)).reverse(), vout]);
}

async function noteBlock(db: Db, batch: Batch, spender: Spender | null): Promise<void> {
  if ((spender?.hash ?? null) === batch.minedHash) return;
  const block = {
    minedHeight: spender?.height ?? null,
    minedHash: spender?.hash ?? null,
    minedVersionId: spender?.versionId ?? null,
  };
  const b = withdrawalBatches;
  const goesOn = inArray(b.state, ["formed", "broadcast"]);
  await db
    .update(b)
    .set(block)
    .where(and(eq(b.id, batch.id), goesOn));
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
  // It was dropped, or the node is another one. Refused it will be looked at again in a minute.
  await node.sendRawTransaction(Buffer.from(newest.raw).toString("hex")).catch(() => null);
}
