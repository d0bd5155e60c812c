import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { actOn, lockForDecision } from "./lock-adjustment.ts";
import { adjustments } from "./schema.ts";

/**
 * Says no to what somebody else proposed, with a reason that the proposer reads.
 *
 * Refuses with adjustments/not-found, adjustments/already-decided, adjustments/own-proposal,
 * adjustments/reason-missing, and as `actAsOperator` does.
 */
export async function rejectAdjustment(
  db: Db,
  operator: ActingOperator,
  { adjustmentId, reason }: { adjustmentId: string; reason: string },
  now: Date,
): Promise<void> {
  const rejectionReason = reason.trim();
  if (rejectionReason === "") throw new Refusal("adjustments/reason-missing");
  await db.transaction(async (tx) => {
    const found = await lockForDecision(tx, operator, { adjustmentId, into: "rejected" });
    if (!found) return;
    if (found.proposedBy === operator.id) throw new Refusal("adjustments/own-proposal");
    const act = actOn("adjustments/reject", found, now);
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      inner
        .update(adjustments)
        .set({
          state: "rejected",
          rejectionReason,
          decidedBy: operator.id,
          decidedByAct: auditId,
          decidedAt: now,
        })
        .where(eq(adjustments.id, adjustmentId)),
    );
  });
}
