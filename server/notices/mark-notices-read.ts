import { and, eq, isNull, lte } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { notices } from "./schema.ts";

/**
 * Marks a customer's notices as read, up to the newest one that he was shown: what came meanwhile stays new. Doing it
 * twice is doing it once.
 *
 * @param upTo the id of that notice.
 */
export async function markNoticesRead(
  db: Db,
  { customerId, upTo }: { customerId: string; upTo: string },
  now: Date,
): Promise<void> {
  await db
    .update(notices)
    .set({ readAt: now })
    .where(and(eq(notices.customerId, customerId), isNull(notices.readAt), lte(notices.id, upTo)));
}
