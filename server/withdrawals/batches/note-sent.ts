import { and, eq, inArray } from "#server/platform/sql.ts";
import { sendNoticeLater } from "../../notices/send-notice.ts";
import type { Tx } from "../../platform/database.ts";
import { withdrawalBatches, withdrawals } from "../schema.ts";

/** Says of a batch, which the caller has locked, and of what a transaction of it pays, that they are on their way. */
export async function noteBroadcast(
  tx: Tx,
  batch: { id: string; state: string },
  { pays, txid }: { pays: string[]; txid: string },
  now: Date,
): Promise<void> {
  const b = withdrawalBatches;
  const w = withdrawals;
  if (batch.state === "formed") {
    await tx.update(b).set({ state: "broadcast", broadcastAt: now }).where(eq(b.id, batch.id));
  }
  const left = await tx
    .update(w)
    .set({ state: "broadcast", broadcastAt: now })
    .where(and(inArray(w.id, pays), eq(w.state, "batched")))
    .returning();
  for (const { id: withdrawalId, customerId, asset, units, feeUnits, address } of left) {
    const facts = { withdrawalId, asset, units: units - feeUnits, address, txid };
    await sendNoticeLater(tx, { customerId, notice: { kind: "withdrawal-sent", ...facts } });
  }
}
