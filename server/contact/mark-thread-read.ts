import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { contactThreads } from "./schema.ts";

/**
 * Notes that a customer has opened a thread of their own, as it was at this revision: an answer that came meanwhile stays
 * new. Doing it twice is doing it once.
 */
export async function markThreadRead(
  db: Db,
  { customerId, threadId, revision }: { customerId: string; threadId: string; revision: number },
): Promise<void> {
  const t = contactThreads;
  await db
    .update(t)
    .set({ hasNews: false })
    .where(
      and(
        eq(t.id, threadId),
        eq(t.customerId, customerId),
        eq(t.revision, revision),
        eq(t.hasNews, true),
      ),
    );
}
