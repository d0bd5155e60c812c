import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { contactThreads } from "./schema.ts";

export type LockedThread = typeof contactThreads.$inferSelect;

/**
 * Takes a thread for this transaction alone.
 *
 * @throws Refusal `contact/no-such-thread`
 */
export async function lockThread(tx: Tx, threadId: string): Promise<LockedThread> {
  if (!isUuid(threadId)) throw new Refusal("contact/no-such-thread");
  const [thread] = await tx
    .select()
    .from(contactThreads)
    .where(eq(contactThreads.id, threadId))
    .for("update");
  if (!thread) throw new Refusal("contact/no-such-thread");
  return thread;
}
