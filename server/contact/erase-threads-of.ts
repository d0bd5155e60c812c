import { eq, inArray } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { contactFiles, contactMails, contactThreads } from "./schema.ts";

/**
 * Deletes what a customer wrote while signed in, answered or not, with the mails that repeat it; the files follow with the
 * next sweep, nameless until then. What was written without signing in is deleted by rule: see `sweepThreads`.
 */
export async function eraseThreadsOf(tx: Tx, customerId: string): Promise<void> {
  await tx
    .update(contactFiles)
    .set({ originalName: "" })
    .where(eq(contactFiles.customerId, customerId));
  const threads = await tx
    .select({ id: contactThreads.id })
    .from(contactThreads)
    .where(eq(contactThreads.customerId, customerId))
    .for("update");
  const threadIds = threads.map(({ id }) => id);
  if (threadIds.length === 0) return;
  const mails = await tx
    .select({ mailId: contactMails.mailId })
    .from(contactMails)
    .where(inArray(contactMails.threadId, threadIds));
  await forgetMails(
    tx,
    mails.map(({ mailId }) => mailId),
  );
  await tx.delete(contactThreads).where(inArray(contactThreads.id, threadIds));
}
