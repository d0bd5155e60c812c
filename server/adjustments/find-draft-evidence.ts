import { isUuid } from "#core/is-uuid.ts";
import { and, eq, isNull, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { DraftEvidence } from "./keep-evidence.ts";
import { adjustmentEvidence } from "./schema.ts";

const e = adjustmentEvidence;

/** Evidence that this operator uploaded and has not used yet; null when there is none, or it is given up. */
export async function findDraftEvidence(
  db: Db | Tx,
  operatorId: string,
  evidenceId: string,
): Promise<DraftEvidence | null> {
  if (!isUuid(evidenceId)) return null;
  const [draft] = await db
    .select({ evidenceId: e.id, name: e.originalName })
    .from(e)
    .where(
      and(
        eq(e.id, evidenceId),
        eq(e.operatorId, operatorId),
        sql`${e.storedAt} is not null`,
        isNull(e.usedAt),
        isNull(e.discardedAt),
      ),
    );
  return draft ?? null;
}
