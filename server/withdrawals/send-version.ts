import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq, inArray } from "drizzle-orm";
import { type BitcoinNode, nodeErrors } from "../chain/bitcoin-node.ts";
import { NodeError } from "../chain/json-rpc.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db, Tx } from "../platform/database.ts";
import { withdrawalBatches, withdrawalBatchVersions, withdrawals } from "./schema.ts";

/**
 * Sends a version that was ordered, and notes that it was. Sending a transaction twice is sending it once: it has one id,
 * and its coins can be spent once. So whoever dies before the note, or hears the node's answer too late, sends it again.
 * What the node refuses is noted for staff; the order stands, and `followBatches` tries again.
 *
 * @throws NodeError when the node does not answer: the job is tried again
 */
export async function sendVersion(
  db: Db,
  { node, versionId }: { node: BitcoinNode; versionId: string },
  now: Date,
): Promise<void> {
  const v = withdrawalBatchVersions;
  const [version] = await db.select().from(v).where(eq(v.id, versionId));
  if (!version?.raw || !version.orderedAt || version.sentAt) return;
  const fault = await send(node, version.raw);
  if (fault !== null) {
    await db.update(v).set({ fault }).where(eq(v.id, versionId));
    return;
  }
  await db.transaction((tx) => noteSent(tx, versionId, now));
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

async function noteSent(tx: Tx, versionId: string, now: Date): Promise<void> {
  const v = withdrawalBatchVersions;
  const b = withdrawalBatches;
  const w = withdrawals;
  const [version] = await tx.select().from(v).where(eq(v.id, versionId));
  if (!version) return;
  const { batchId, pays, txid } = version;
  const [batch] = await tx.select().from(b).where(eq(b.id, batchId)).for("update");
  const [fresh] = await tx.select().from(v).where(eq(v.id, versionId));
  if (!batch || !fresh || fresh.sentAt) return;
  await tx.update(v).set({ sentAt: now, fault: null }).where(eq(v.id, versionId));
  if (batch.state === "formed") {
    await tx.update(b).set({ state: "broadcast", broadcastAt: now }).where(eq(b.id, batchId));
  }
  if (batch.state === "settled" || batch.state === "failed") return;
  const left = await tx
    .update(w)
    .set({ state: "broadcast", broadcastAt: now })
    .where(and(inArray(w.id, pays), eq(w.state, "batched")))
    .returning();
  for (const { id: withdrawalId, customerId, units, feeUnits, address } of left) {
    const facts = { withdrawalId, units: units - feeUnits, address, txid };
    await sendNoticeLater(tx, { customerId, notice: { kind: "withdrawal-sent", ...facts } });
  }
}
