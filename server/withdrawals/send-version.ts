import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { sendBitcoinVersion } from "./bitcoin/send-transaction.ts";
import { sendTransactions } from "./ethereum/send-transactions.ts";
import type { Nodes } from "./node.ts";
import { withdrawalBatchVersions } from "./schema.ts";

/**
 * Sends a version that was ordered, and notes what was sent. Sending a transaction twice is sending it once: it has one id,
 * and its coins can be spent, its nonce be taken, once. So whoever dies before the note, or hears the node's answer too late,
 * sends it again. What the node refuses is noted for staff; the order stands, and `followBatches` tries again.
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
  if (version.txid === null) {
    if (nodes.ethereum) await sendTransactions(db, { node: nodes.ethereum, version }, now);
  } else if (nodes.bitcoin) await sendBitcoinVersion(db, { node: nodes.bitcoin, version }, now);
}
