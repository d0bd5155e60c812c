import { retention } from "#core/retention.ts";
import { and, asc, eq, gt, inArray, lt, or } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { contactMails, contactSpentProofs, contactThreads } from "./schema.ts";

const dayMs = 86_400_000;
const atOnce = 200;

/**
 * Deletes threads that may be kept no longer, with all that was written in them and the mails that repeat it: see `retention`.
 * Those that wait for an answer stay.
 */
export async function sweepThreads(db: Db, now: Date): Promise<void> {
  const works = [
    () => db.delete(contactSpentProofs).where(lt(contactSpentProofs.expiresAt, now)),
    () =>
      runEach(
        inPages((after) => listEnded(db, { after, now })),
        ({ id }) => db.transaction((tx) => deleteEnded(tx, { id, now })),
      ),
  ];
  await runEach(works, (work) => work());
}

const t = contactThreads;

function isOver(now: Date) {
  const before = (days: number) => lt(t.lastAt, new Date(now.getTime() - days * dayMs));
  const isDone = inArray(t.state, ["answered", "closed"]);
  return or(
    and(isDone, before(retention.contactThreadDays)),
    and(eq(t.state, "spam"), before(retention.contactSpamDays)),
  );
}

function listEnded(db: Db, { after, now }: { after: string; now: Date }) {
  return db
    .select({ id: t.id })
    .from(t)
    .where(and(isOver(now), gt(t.id, after)))
    .orderBy(asc(t.id))
    .limit(atOnce);
}

async function deleteEnded(tx: Tx, { id, now }: { id: string; now: Date }): Promise<void> {
  const [ended] = await tx
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.id, id), isOver(now)))
    .for("update", { skipLocked: true });
  if (!ended) return;
  const mails = await tx
    .select({ mailId: contactMails.mailId })
    .from(contactMails)
    .where(eq(contactMails.threadId, id));
  await forgetMails(
    tx,
    mails.map(({ mailId }) => mailId),
  );
  await tx.delete(t).where(eq(t.id, id));
}
