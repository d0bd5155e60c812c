import { auditLog } from "#server/identity/schema.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, desc, eq, sql } from "#server/platform/sql.ts";

/**
 * Whether this operator wrote in a draft last, and whether another person could publish it: then this one does not
 * (`plans_are_published_by_another_person`).
 */
export async function findAuthor(
  db: Db | Tx,
  versionId: string,
  operatorId: string,
): Promise<{ isOwn: boolean; hasOther: boolean }> {
  const [last] = await db
    .select({
      by: auditLog.operatorId,
      hasOther: sql<boolean>`another_person_decides(${operatorId})`,
    })
    .from(auditLog)
    .where(and(eq(auditLog.act, "plans/draft"), eq(auditLog.subject, `plan-version:${versionId}`)))
    .orderBy(desc(auditLog.position))
    .limit(1);
  return { isOwn: last?.by === operatorId, hasOther: last?.hasOther ?? false };
}
