import { and, eq } from "#server/platform/sql.ts";
import { auditLog } from "../../identity/schema.ts";
import type { Tx } from "../../platform/database.ts";
import { planVersions } from "../schema.ts";

/** What the form that began a plan sent, whatever a colleague has made of its draft since. */
export async function findSentDraft(tx: Tx, planId: string) {
  const [sent] = await tx
    .select({ versionId: planVersions.id, detail: auditLog.detail })
    .from(planVersions)
    .innerJoin(auditLog, eq(auditLog.id, planVersions.createdActionId))
    .where(and(eq(planVersions.planId, planId), eq(planVersions.version, 1)));
  return sent ?? null;
}
