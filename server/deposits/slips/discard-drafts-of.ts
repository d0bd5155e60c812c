import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { depositSlips } from "../schema.ts";

/** Gives up a customer's slips that no deposit uses; the next sweep deletes them. */
export async function discardDraftsOf(tx: Tx, customerId: string, now: Date): Promise<void> {
  await tx
    .update(depositSlips)
    .set({ discardedAt: now })
    .where(
      and(
        eq(depositSlips.customerId, customerId),
        isNull(depositSlips.submittedAt),
        isNull(depositSlips.discardedAt),
      ),
    );
}
