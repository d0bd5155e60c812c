import { and, eq, isNull, notInArray, sql } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { withdrawalBatchCoins } from "../schema.ts";

/** Coins that an ended batch had taken and not spent are free again: nothing that spends them can confirm without the anchor. */
export async function releaseCoins(
  tx: Tx,
  { batchId, spent }: { batchId: string; spent: string[] },
  now: Date,
): Promise<void> {
  const c = withdrawalBatchCoins;
  const isSpent = notInArray(sql`${c.txid} || ':' || ${c.vout}`, spent);
  await tx
    .update(c)
    .set({ releasedAt: now })
    .where(and(eq(c.batchId, batchId), isNull(c.releasedAt), isSpent));
}
