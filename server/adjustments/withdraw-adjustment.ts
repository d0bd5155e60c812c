import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { actOn, lockForDecision } from "./lock-adjustment.ts";
import { adjustments } from "./schema.ts";

/**
 * Takes one's own proposal back before anybody has decided it.
 *
 * Refuses with adjustments/not-found, adjustments/already-decided, adjustments/not-your-proposal, and as
 * `actAsOperator` does.
 */
export async function withdrawAdjustment(
  db: Db,
  operator: ActingOperator,
  adjustmentId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockForDecision(tx, operator, { adjustmentId, into: "withdrawn" });
    if (!found) return;
    if (found.proposedBy !== operator.id) throw new Refusal("adjustments/not-your-proposal");
    const act = actOn("adjustments/withdraw", found, now);
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      inner
        .update(adjustments)
        .set({
          state: "withdrawn",
          decidedBy: operator.id,
          decidedByAct: auditId,
          decidedAt: now,
        })
        .where(eq(adjustments.id, adjustmentId)),
    );
  });
}
