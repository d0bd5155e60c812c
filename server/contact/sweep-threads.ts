import { retention } from "#core/retention.ts";
import { and, eq, inArray, lt, or } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { contactMails, contactSpentProofs, contactThreads } from "./schema.ts";

const dayMs = 86_400_000;
/** So that one transaction stays short. */
const atOnce = 200;

/**
 * Deletes threads that may be kept no longer, with all that was written in them and the mails that repeat it: see `retention`.
 * Those that wait for an answer stay.
 */
export async function sweepThreads(db: Db, now: Date): Promise<void> {
  while ((await db.transaction((tx) => deleteEnded(tx, now))) === atOnce);
  await db.delete(contactSpentProofs).where(lt(contactSpentProofs.expiresAt, now));
}

async function deleteEnded(tx: Tx, now: Date): Promise<number> {
  const t = contactThreads;
  const before = (days: number) => lt(t.lastAt, new Date(now.getTime() - days * dayMs));
  const isDone = inArray(t.state, ["answered", "closed"]);
  const ended = await tx
    .select({ id: t.id })
    .from(t)
    .where(
      or(
        and(isDone, before(retention.contactThreadDays)),
        and(eq(t.state, "spam"), before(retention.contactSpamDays)),
      ),
    )
    .limit(atOnce)
    .for("update", { skipLocked: true });
  const threadIds = ended.map(({ id }) => id);
  if (threadIds.length === 0) return 0;
  const mails = await tx
    .select({ mailId: contactMails.mailId })
    .from(contactMails)
    .where(inArray(contactMails.threadId, threadIds));
  await forgetMails(
    tx,
    mails.map(({ mailId }) => mailId),
  );
  await tx.delete(t).where(inArray(t.id, threadIds));
  return threadIds.length;
}
