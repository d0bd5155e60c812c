import { and, eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { adjustmentEvidence, adjustments } from "./schema.ts";

const a = adjustments;

const e = adjustmentEvidence;

/** What a customer may know of the adjustment behind a transfer of his; null when there is none. Who decided is not told. */
export async function findOwnAdjustment(db: Db | Tx, customerId: string, transferId: string) {
  const [own] = await db
    .select({
      kind: a.kind,
      reason: a.reason,
      proposedAt: a.proposedAt,
      decidedAt: a.decidedAt,
      evidenceSha256: sql<string | null>`encode(${e.sha256}, 'hex')`,
      reversedByTransfer: sql<string | null>`(
        select r.transfer_id from adjustments r where r.reverses = ${a.id} and r.state = 'approved')`,
    })
    .from(a)
    .leftJoin(e, eq(e.id, a.evidenceId))
    .where(and(eq(a.customerId, customerId), eq(a.transferId, transferId)));
  return own ?? null;
}
