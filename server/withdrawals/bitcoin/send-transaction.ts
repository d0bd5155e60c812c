import { bytesToHex } from "@noble/hashes/utils.js";
import { eq } from "#server/platform/sql.ts";
import { type BitcoinNode, nodeErrors } from "../../chain/bitcoin/bitcoin-node.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Version } from "../batches/form-batch.ts";
import { noteBroadcast } from "../batches/note-sent.ts";
import { withdrawalBatches, withdrawalBatchVersions } from "../schema.ts";

/** Sends the one transaction of a version of Bitcoin. */
export async function sendBitcoinVersion(
  db: Db,
  { node, version }: { node: BitcoinNode; version: Version },
  now: Date,
): Promise<void> {
  if (!version.raw) return;
  const fault = await send(node, version.raw);
  if (fault !== null) {
    const v = withdrawalBatchVersions;
    await db.update(v).set({ fault }).where(eq(v.id, version.id));
    return;
  }
  await db.transaction((tx) => noteSent(tx, version, now));
}

/** Why the node will not take it; null: it has it. */
async function send(node: BitcoinNode, raw: Uint8Array): Promise<string | null> {
  try {
    await node.sendRawTransaction(bytesToHex(raw));
    return null;
  } catch (error) {
    if (!(error instanceof NodeError) || error.failure !== "refused") throw error;
    if (error.code === nodeErrors.alreadyInChain) return null;
    return /already|known/.test(error.message) ? null : error.message.slice(0, 300);
  }
}

async function noteSent(tx: Tx, { id, batchId, pays, txid }: Version, now: Date): Promise<void> {
  const v = withdrawalBatchVersions;
  const b = withdrawalBatches;
  const [batch] = await tx.select().from(b).where(eq(b.id, batchId)).for("update");
  const [fresh] = await tx.select().from(v).where(eq(v.id, id));
  if (fresh?.sentAt && fresh.fault !== null) {
    await tx.update(v).set({ fault: null }).where(eq(v.id, id));
  }
  if (!batch || !fresh || fresh.sentAt) return;
  await tx.update(v).set({ sentAt: now, fault: null }).where(eq(v.id, id));
  if (batch.endedAt) return;
  await noteBroadcast(tx, batch, { pays, txid: txid ?? "" }, now);
}
