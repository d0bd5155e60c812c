import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Operator } from "../identity/staff/operator.ts";
import type { Tx } from "../platform/database.ts";
import { auditDetail } from "./adjustment.ts";
import { adjustments } from "./schema.ts";

export type Adjustment = typeof adjustments.$inferSelect;

/**
 * Takes an adjustment, so that one decision about it happens at a time. Null when this operator has decided it in
 * this way already: pressing a button twice is one decision.
 *
 * Refuses with adjustments/not-found, and adjustments/already-decided for whoever came second.
 */
export async function lockForDecision(
  tx: Tx,
  operator: Pick<Operator, "id">,
  { adjustmentId, into }: { adjustmentId: string; into: "approved" | "rejected" | "withdrawn" },
): Promise<Adjustment | null> {
  if (!isUuid(adjustmentId)) throw new Refusal("adjustments/not-found");
  const [found] = await tx
    .select()
    .from(adjustments)
    .where(eq(adjustments.id, adjustmentId))
    .for("update");
  if (!found) throw new Refusal("adjustments/not-found");
  if (found.state === into && found.decidedBy === operator.id) return null;
  if (found.state !== "open") throw new Refusal("adjustments/already-decided");
  return found;
}

/** What the audit log says of a decision. */
export function actOn<Act extends string>(act: Act, adjustment: Adjustment, now: Date) {
  const { id, customerId } = adjustment;
  return {
    act,
    subject: `adjustment:${id}`,
    ...(customerId !== null && { customerId }),
    detail: auditDetail(adjustment),
    now,
  };
}
