import { and, eq, gt, inArray, isNotNull, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { sendBitcoinVersion } from "../bitcoin/send-transaction.ts";
import { sendTransactions } from "../ethereum/send-transactions.ts";
import type { Nodes } from "../node.ts";
import { withdrawalBatchVersions, withdrawals } from "../schema.ts";
import type { Version } from "./form-batch.ts";

/**
 * Sends a version that was ordered, and notes what was sent. Sending a transaction twice is sending it once: it has one id,
 * and its coins can be spent, its nonce be taken, once. So whoever dies before the note, or hears the node's answer too late,
 * sends it again. Once a newer version is ordered, the older is not sent any more. What the node refuses is noted for staff; the
 * order stands, and `followBatches` tries again. So it does where an account was frozen or changed, or a credit has to be taken back,
 * between the order and a node that answers: nothing leaves before that is over.
 *
 * @throws NodeError when the node does not answer: the job is tried again
 */
export async function sendVersion(
  db: Db,
  { nodes, versionId }: { nodes: Nodes; versionId: string },
  now: Date,
): Promise<void> {
  const v = withdrawalBatchVersions;
  const [version] = await db.select().from(v).where(eq(v.id, versionId));
  if (!version?.orderedAt || version.sentAt) return;
  if (await paysWhoMustWait(db, version.pays, now)) {
    await db.update(v).set({ fault: waits }).where(eq(v.id, versionId));
    return;
  }
  if (version.txid === null) {
    // Payment by payment: a newer version leaves out what was in a block when it was built.
    if (nodes.ethereum) await sendTransactions(db, { node: nodes.ethereum, version }, now);
  } else if (nodes.bitcoin && !(await isReplaced(db, version))) {
    await sendBitcoinVersion(db, { node: nodes.bitcoin, version }, now);
  }
}

async function isReplaced(db: Db, { batchId, number }: Version): Promise<boolean> {
  const v = withdrawalBatchVersions;
  const isNewer = and(eq(v.batchId, batchId), gt(v.number, number), isNotNull(v.orderedAt));
  return (await db.$count(v, isNewer)) > 0;
}

const waits =
  "Since the order an account that it pays was frozen, a way into it changed, or a credit has to be taken back from it. Build it again without this payment, or wait";

/** What is out already is sent again without asking: only that it is noted is missing. */
async function paysWhoMustWait(db: Db, withdrawalIds: string[], now: Date): Promise<boolean> {
  if (withdrawalIds.length === 0) return false;
  const w = withdrawals;
  const at = sql`${now.toISOString()}::timestamptz`;
  const mustWait = sql`payments_are_blocked(${w.customerId}, ${w.asset}, ${at})`;
  const waiting = await db
    .select({ id: w.id })
    .from(w)
    .where(and(inArray(w.id, withdrawalIds), eq(w.state, "batched"), mustWait))
    .limit(1);
  return waiting.length > 0;
}
