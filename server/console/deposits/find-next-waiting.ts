import { deposits } from "#server/deposits/schema.ts";
import type { Db } from "#server/platform/database.ts";
import { and, asc, count, eq, inArray, ne, not, sql } from "#server/platform/sql.ts";

const d = deposits;

/** Which deposit waits longest for this operator, this one and their own proposals left aside; null when none does. */
export async function findNextWaiting(
  db: Db,
  exceptId: string,
  operatorId: string,
): Promise<string | null> {
  const isOwn = sql`exists (select from deposit_approvals p
    where p.deposit_id = ${d.id} and p.state = 'open' and p.proposed_by = ${operatorId}
      and another_person_decides(p.proposed_by))`;
  const [next] = await db
    .select({ id: d.id })
    .from(d)
    .where(and(eq(d.state, "pending"), ne(d.id, exceptId), not(isOwn)))
    .orderBy(asc(d.createdAt), asc(d.id))
    .limit(1);
  return next?.id ?? null;
}

/** How many deposits wait for each of these customers; who is missing has none. */
export async function countWaitingByCustomer(
  db: Db,
  customerIds: string[],
): Promise<Map<string, number>> {
  if (customerIds.length === 0) return new Map();
  const rows = await db
    .select({ customerId: d.customerId, count: count() })
    .from(d)
    .where(and(inArray(d.customerId, customerIds), eq(d.state, "pending")))
    .groupBy(d.customerId);
  return new Map(rows.map((row) => [row.customerId, row.count]));
}
