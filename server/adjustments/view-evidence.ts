import { isUuid } from "#core/is-uuid.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import type { ShownFile } from "../platform/files/file-response.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { openEvidence } from "./open-evidence.ts";
import { adjustmentEvidence, adjustments } from "./schema.ts";

/**
 * Shows a member of staff the evidence of an adjustment, and writes down that it was seen before a byte of it is given
 * out. Null when there is none, or none any more.
 */
export async function viewEvidence(
  { db, files }: { db: Db; files: FileStore },
  operator: ActingOperator,
  adjustmentId: string,
  now: Date,
): Promise<ShownFile | null> {
  if (!isUuid(adjustmentId)) return null;
  const [found] = await db
    .select({ customerId: adjustments.customerId, evidenceId: adjustments.evidenceId })
    .from(adjustments)
    .innerJoin(adjustmentEvidence, eq(adjustmentEvidence.id, adjustments.evidenceId))
    .where(and(eq(adjustments.id, adjustmentId), isNull(adjustmentEvidence.erasedAt)));
  if (!found?.evidenceId) return null;
  const { customerId, evidenceId } = found;
  const seen = {
    act: "adjustments/view-evidence" as const,
    subject: `adjustment:${adjustmentId}`,
    ...(customerId !== null && { customerId }),
    detail: {},
    now,
  };
  await actAsOperator(db, operator, seen, async () => {});
  return openEvidence({ db, files }, evidenceId);
}
