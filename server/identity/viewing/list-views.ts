import { and, desc, eq, gt, isNull, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { customerViews, users } from "../schema.ts";
import type { View } from "../sessions/person-context.ts";

/** The view that is open for a session of an operator's, or null. */
export async function findOpenView(
  db: Db,
  { operatorId, sessionId }: { operatorId: string; sessionId: string },
): Promise<View | null> {
  const [view] = await db
    .select({
      id: customerViews.id,
      customerId: customerViews.customerId,
      reason: customerViews.reason,
      endsAt: customerViews.endsAt,
    })
    .from(customerViews)
    .where(
      and(
        eq(customerViews.sessionId, sessionId),
        eq(customerViews.operatorId, operatorId),
        isNull(customerViews.endedAt),
        gt(customerViews.endsAt, sql`now()`),
      ),
    );
  return view ?? null;
}

/** When staff looked at an account as its customer sees it, who and why; newest first. */
export function listViews(db: Db, customerId: string, limit: number) {
  return db
    .select({
      id: customerViews.id,
      operatorName: sql<string>`coalesce(${users.name}, '')`,
      reason: customerViews.reason,
      startedAt: customerViews.startedAt,
      endsAt: customerViews.endsAt,
      endedAt: customerViews.endedAt,
    })
    .from(customerViews)
    .innerJoin(users, eq(users.id, customerViews.operatorId))
    .where(eq(customerViews.customerId, customerId))
    .orderBy(desc(customerViews.startedAt))
    .limit(limit);
}
