import { isUuid } from "#core/is-uuid.ts";
import { eq } from "#server/platform/sql.ts";
import { openEvidence } from "../adjustments/open-evidence.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import type { ShownFile } from "../platform/files/file-response.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { custodyCounts } from "./schema.ts";

/** Shows a member of staff the evidence of a count, and writes down before that it was seen. Null when there is none. */
export async function viewCountEvidence(
  app: { db: Db; files: FileStore },
  operator: ActingOperator,
  countId: string,
  now: Date,
): Promise<ShownFile | null> {
  if (!isUuid(countId)) return null;
  const [found] = await app.db
    .select({ evidenceId: custodyCounts.evidenceId })
    .from(custodyCounts)
    .where(eq(custodyCounts.id, countId));
  if (!found) return null;
  const subject = `count:${countId}`;
  const seen = { act: "reconciliation/view-evidence" as const, subject, detail: {}, now };
  await actAsOperator(app.db, operator, seen, async () => {});
  return openEvidence(app, found.evidenceId);
}
