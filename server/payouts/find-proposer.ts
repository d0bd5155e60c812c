import { eq } from "#server/platform/sql.ts";
import { auditLog } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";

/** Who stands for a payout: the member of staff of its first act. */
export async function findProposer(db: Db | Tx, actionId: string): Promise<string | null> {
  const [act] = await db
    .select({ operatorId: auditLog.operatorId })
    .from(auditLog)
    .where(eq(auditLog.id, actionId));
  return act?.operatorId ?? null;
}
