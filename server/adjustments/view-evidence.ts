import { createHash } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db } from "../platform/database.ts";
import type { ShownFile } from "../platform/files/file-response.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { isUuid } from "./adjustment.ts";
import { adjustmentEvidence, adjustments } from "./schema.ts";

/**
 * Shows a member of staff the evidence of an adjustment, and writes down that it was seen before a byte of it is given
 * out. Null when there is none, or none any more. A file that is gone or changed is an error, never a wrong picture.
 */
export async function viewEvidence(
  { db, files }: { db: Db; files: FileStore },
  operator: ActingOperator,
  adjustmentId: string,
  now: Date,
): Promise<ShownFile | null> {
  if (!isUuid(adjustmentId)) return null;
  const [found] = await db
    .select({ customerId: adjustments.customerId, evidence: adjustmentEvidence })
    .from(adjustments)
    .innerJoin(adjustmentEvidence, eq(adjustmentEvidence.id, adjustments.evidenceId))
    .where(and(eq(adjustments.id, adjustmentId), isNull(adjustmentEvidence.erasedAt)));
  if (!found) return null;
  const { customerId, evidence } = found;
  const seen = {
    act: "adjustments/view-evidence" as const,
    subject: `adjustment:${adjustmentId}`,
    ...(customerId !== null && { customerId }),
    detail: {},
    now,
  };
  await actAsOperator(db, operator, seen, async () => {});
  const bytes = await files.get(evidence.fileKey);
  if (!bytes) throw new Error(`the evidence of adjustment ${adjustmentId} is gone from the store`);
  if (Buffer.compare(createHash("sha256").update(bytes).digest(), evidence.sha256) !== 0) {
    throw new Error(`the evidence of adjustment ${adjustmentId} is not what was kept`);
  }
  return { bytes, mediaType: evidence.mediaType, name: evidence.originalName };
}
