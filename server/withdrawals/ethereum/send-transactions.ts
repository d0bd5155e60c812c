import { bytesToHex } from "@noble/hashes/utils.js";
import { and, asc, count, eq, isNull, not, sql } from "#server/platform/sql.ts";
import type { EthereumNode } from "../../chain/ethereum/ethereum-node.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Version } from "../batches/form-batch.ts";
import { noteBroadcast } from "../batches/note-sent.ts";
import {
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawalPayments,
  withdrawalTransactions,
} from "../schema.ts";

const t = withdrawalTransactions;

/**
 * Sends the transactions of a version of Ethereum in the order of their nonces, but for those that a newer version which was ordered
 * replaces, and notes each one that the node has.
 */
export async function sendTransactions(
  db: Db,
  { node, version }: { node: EthereumNode; version: Version },
  now: Date,
): Promise<void> {
  const p = withdrawalPayments;
  const { number } = version;
  const isReplaced = sql<boolean>`exists (
    select from withdrawal_transactions n join withdrawal_batch_versions v on v.id = n.version_id
     where n.withdrawal_id = ${t.withdrawalId} and v.number > ${number} and v.ordered_at is not null)`;
  const waiting = await db
    .select({ withdrawalId: t.withdrawalId, pays: t.pays, raw: t.raw, txid: t.txid })
    .from(t)
    .innerJoin(p, eq(p.withdrawalId, t.withdrawalId))
    .where(and(eq(t.versionId, version.id), isNull(t.sentAt), isNull(p.endedAt), not(isReplaced)))
    .orderBy(asc(p.nonce));
  const faults: string[] = [];
  for (const { withdrawalId, pays, raw, txid } of waiting) {
    if (!raw || !txid) continue;
    const fault = await send(node, raw, txid);
    if (fault !== null) {
      faults.push(fault);
      const isIt = and(eq(t.versionId, version.id), eq(t.withdrawalId, withdrawalId));
      await db.update(t).set({ fault }).where(isIt);
      continue;
    }
    await db.transaction((tx) => noteSent(tx, version, { withdrawalId, pays, txid }, now));
  }
  const [fault = null] = faults;
  const v = withdrawalBatchVersions;
  await db.update(v).set({ fault }).where(eq(v.id, version.id));
}

/** Why the node will not take it; null: it has it, waiting or in a block. */
async function send(node: EthereumNode, raw: Uint8Array, txid: string): Promise<string | null> {
  try {
    await node.sendRawTransaction(`0x${bytesToHex(raw)}`);
    return null;
  } catch (error) {
    if (!(error instanceof NodeError) || error.failure !== "refused") throw error;
    // Nodes say in many ways that they know it: whether they do is asked instead.
    return (await node.getTransaction(txid)) ? null : error.message.slice(0, 300);
  }
}

async function noteSent(
  tx: Tx,
  { id: versionId, batchId }: Version,
  sent: { withdrawalId: string; pays: boolean; txid: string },
  now: Date,
): Promise<void> {
  const { withdrawalId, pays, txid } = sent;
  const b = withdrawalBatches;
  const v = withdrawalBatchVersions;
  const [batch] = await tx.select().from(b).where(eq(b.id, batchId)).for("update");
  const isIt = and(eq(t.versionId, versionId), eq(t.withdrawalId, withdrawalId));
  const noted = await tx
    .update(t)
    .set({ sentAt: now, fault: null })
    .where(and(isIt, isNull(t.sentAt)))
    .returning({ txid: t.txid });
  if (!batch || noted.length === 0) return;
  const [left] = await tx
    .select({ count: count() })
    .from(t)
    .where(and(eq(t.versionId, versionId), isNull(t.sentAt)));
  if (left?.count === 0) {
    await tx
      .update(v)
      .set({ sentAt: now })
      .where(and(eq(v.id, versionId), isNull(v.sentAt)));
  }
  if (!batch.endedAt)
    await noteBroadcast(tx, batch, { pays: pays ? [withdrawalId] : [], txid }, now);
}
