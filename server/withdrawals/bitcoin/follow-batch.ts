import { hexToBytes } from "@noble/hashes/utils.js";
import { withdrawalTerms } from "#core/withdrawal.ts";
import { and, asc, eq, inArray } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin-node.ts";
import { findSpendingTransaction } from "../../chain/parse-block.ts";
import type { Db } from "../../platform/database.ts";
import type { Batch, Version } from "../form-batch.ts";
import { withdrawalBatches, withdrawalBatchVersions } from "../schema.ts";
import { sendBitcoinVersion } from "./send-transaction.ts";
import { settleBatch } from "./settle-batch.ts";

/**
 * Looks where a batch of Bitcoin stands. Which transaction has spent its anchor, and how deep, decides: one of ours settles the
 * batch, any other one ends it, whoever sent them. What was ordered and is nowhere is sent again.
 */
export async function followBitcoinBatch(
  db: Db,
  node: BitcoinNode,
  batch: Batch,
  now: () => Date,
): Promise<void> {
  const v = withdrawalBatchVersions;
  const versions = await db.select().from(v).where(eq(v.batchId, batch.id)).orderBy(asc(v.number));
  const { anchorTxid, anchorVout } = batch;
  if (anchorTxid === null || anchorVout === null) return;
  const unspent = await node.getTxOut(anchorTxid, anchorVout, { withMempool: false });
  const spender = unspent
    ? null
    : await findSpender(node, batch, versions, outpointBytes(anchorTxid, anchorVout));
  await noteBlock(db, batch, spender);
  if (!spender) return sendAgain(db, node, versions, now());
  if (spender.confirmations < withdrawalTerms.confirmations) return;
  await settleBatch(db, { batchId: batch.id, minedHash: spender.hash }, now());
}

interface Spender {
  height: number;
  hash: string;
  confirmations: number;
  /** Null: none of ours. */
  versionId: string | null;
}

/** The block that spends the anchor: the one that was noted, if it still stands, else the one found by looking through. */
async function findSpender(
  node: BitcoinNode,
  batch: Batch,
  versions: Version[],
  anchor: Buffer,
): Promise<Spender | null> {
  const { blocks: tip } = await node.getBlockchainInfo();
  const { minedHeight, minedHash, minedVersionId: versionId } = batch;
  if (minedHeight !== null && minedHash !== null) {
    if ((await node.getBlockHash(minedHeight)) === minedHash) {
      const confirmations = tip - minedHeight + 1;
      return { height: minedHeight, hash: minedHash, confirmations, versionId };
    }
  }
  // A reorganisation may have moved it below the tip of that moment.
  for (let height = Math.max(1, batch.formedHeight - 10); height <= tip; height++) {
    const hash = await node.getBlockHash(height);
    if (hash === null) return null;
    const spending = findSpendingTransaction(await node.getBlock(hash), anchor);
    if (spending === null) continue;
    const mined = versions.find(({ txid }) => txid === spending);
    return { height, hash, confirmations: tip - height + 1, versionId: mined?.id ?? null };
  }
  return null;
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
  if (!newest.sentAt) return sendBitcoinVersion(db, { node, version: newest }, now);
  if (await node.getMempoolEntry(newest.txid)) return;
  // It was dropped, or the node is another one. Refused it will be looked at again in a minute.
  await node.sendRawTransaction(Buffer.from(newest.raw).toString("hex")).catch(() => null);
}
