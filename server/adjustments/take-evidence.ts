import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull, sql } from "#server/platform/sql.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Tx } from "../platform/database.ts";
import { adjustmentEvidence } from "./schema.ts";

/**
 * Makes a draft that this operator uploaded the evidence of one thing, and of that alone.
 *
 * Refuses with adjustments/evidence-not-found.
 */
export async function takeEvidence(
  tx: Tx,
  operator: ActingOperator,
  evidenceId: string,
  now: Date,
): Promise<void> {
  const e = adjustmentEvidence;
  const isFree = and(isNull(e.usedAt), isNull(e.discardedAt), sql`${e.storedAt} is not null`);
  const taken = isUuid(evidenceId)
    ? await tx
        .update(e)
        .set({ usedAt: now })
        .where(and(eq(e.id, evidenceId), eq(e.operatorId, operator.id), isFree))
        .returning({ id: e.id })
    : [];
  if (taken.length === 0) throw new Refusal("adjustments/evidence-not-found");
}
