import { and, asc, eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { adjustments } from "./schema.ts";

const a = adjustments;

/** Which adjustment waits longest that this operator may decide, this one left aside; null when none does. */
export async function findNextAdjustment(
  db: Db,
  { exceptId, operatorId }: { exceptId: string; operatorId: string },
): Promise<string | null> {
  const [next] = await db
    .select({ id: a.id })
    .from(a)
    .where(
      and(eq(a.state, "open"), sql`${a.id} <> ${exceptId}`, sql`${a.proposedBy} <> ${operatorId}`),
    )
    .orderBy(asc(a.proposedAt), asc(a.id))
    .limit(1);
  return next?.id ?? null;
}
