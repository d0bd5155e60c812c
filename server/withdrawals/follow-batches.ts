import { hexToBytes } from "@noble/hashes/utils.js";
import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import { withdrawalTerms } from "#core/withdrawal.ts";
import type { BitcoinNode } from "../chain/bitcoin-node.ts";
import type { Db } from "../platform/database.ts";
import { withdrawalBatches, withdrawalBatchVersions } from "./schema.ts";
import { sendVersion } from "./send-version.ts";
import { settleBatch } from "./settle-batch.ts";

type Batch = typeof withdrawalBatches.$inferSelect;
type Version = typeof withdrawalBatchVersions.$inferSelect;

/**
 * Looks where every batch that goes on stands on the chain. Which transaction has spent its anchor, and how deep, decides:
 * one of ours settles the batch, any other one ends it, whoever sent them. What was ordered and is nowhere is sent again.
 */
export async function followBatches(db: Db, node: BitcoinNode, now: () => Date): Promise<void> {
  const b = withdrawalBatches;
  const open = await db
    .select()
    .from(b)
    .where(inArray(b.state, ["formed", "broadcast"]))
    .orderBy(asc(b.formedAt));
  for (const batch of open) await follow(db, node, batch, now);
}

async function follow(db: Db, node: BitcoinNode, batch: Batch, now: () => Date): Promise<void> {
  const v = withdrawalBatchVersions;
  const versions = await db.select().from(v).where(eq(v.batchId, batch.id)).orderBy(asc(v.number));
  const { anchorTxid, anchorVout } = batch;
  const unspent = await node.getTxOut(anchorTxid, anchorVout, { withMempool: false });
  const spender = unspent ? null : await findSpender(node, batch, versions);
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
): Promise<Spender | null> {
  const { blocks: tip } = await node.getBlockchainInfo();
  const { minedHeight, minedHash, minedVersionId: versionId } = batch;
  if (minedHeight !== null && minedHash !== null) {
    if ((await node.getBlockHash(minedHeight)) === minedHash) {
      const confirmations = tip - minedHeight + 1;
      return { height: minedHeight, hash: minedHash, confirmations, versionId };
    }
  }
  const wanted = outpointBytes(batch);
  // A reorganisation may have moved it below the tip of that moment.
  for (let height = Math.max(1, batch.formedHeight - 10); height <= tip; height++) {
    const hash = await node.getBlockHash(height);
    if (hash === null) return null;
    if (!(await node.getBlock(hash)).includes(wanted)) continue;
    const mined = await findMined(node, versions, hash);
    return { height, hash, confirmations: tip - height + 1, versionId: mined?.id ?? null };
  }
  return null;
}

async function findMined(node: BitcoinNode, versions: Version[], hash: string) {
  for (const version of versions) {
    if (await node.getRawTransaction(version.txid, hash)) return version;
  }
  return null;
}

/** An outpoint as it stands in a transaction's input. */
function outpointBytes({ anchorTxid, anchorVout }: Batch): Buffer {
  const vout = Buffer.alloc(4);
  vout.writeUInt32LE(anchorVout);
  return Buffer.concat([Buffer.from(hexToBytes(anchorTxid)).reverse(), vout]);
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
  if (!newest?.raw) return;
  if (!newest.sentAt) return sendVersion(db, { node, versionId: newest.id }, now);
  if (await node.getMempoolEntry(newest.txid)) return;
  // It was dropped, or the node is another one. Refused it will be looked at again in a minute.
  await node.sendRawTransaction(Buffer.from(newest.raw).toString("hex")).catch(() => null);
}

/** Whether anything was ordered or formed that has not ended. */
export async function hasOpenBatches(db: Db): Promise<boolean> {
  const b = withdrawalBatches;
  const [open] = await db
    .select({ id: b.id })
    .from(b)
    .where(and(inArray(b.state, ["formed", "broadcast"]), isNotNull(b.id)))
    .limit(1);
  return open !== undefined;
}
