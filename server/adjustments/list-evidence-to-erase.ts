import { retention } from "#core/retention.ts";
import { and, asc, eq, gt, inArray, isNull, lt, or } from "#server/platform/sql.ts";
import { customers } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { adjustmentEvidence, adjustments } from "./schema.ts";

const a = adjustments;

const e = adjustmentEvidence;

/** Evidence whose time is over, by `core/retention.ts`; of a proposal that still waits none is. */
export function listEvidenceToErase(
  db: Db,
  { now, after, limit }: { now: Date; after: string; limit: number },
): Promise<Array<{ id: string; fileKey: string }>> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const tooOld = new Date(now);
  tooOld.setUTCFullYear(now.getUTCFullYear() - retention.evidenceYears);
  const declined = and(
    inArray(a.state, ["rejected", "withdrawn"]),
    lt(a.decidedAt, daysAgo(retention.declinedEvidenceDays)),
  );
  const given = and(
    eq(a.state, "approved"),
    or(lt(a.decidedAt, tooOld), lt(customers.erasedAt, daysAgo(retention.closedAccountSlipDays))),
  );
  return db
    .select({ id: e.id, fileKey: e.fileKey })
    .from(e)
    .innerJoin(a, eq(a.evidenceId, e.id))
    .leftJoin(customers, eq(customers.id, a.customerId))
    .where(and(isNull(e.erasedAt), or(declined, given), gt(e.id, after)))
    .orderBy(asc(e.id))
    .limit(limit);
}
