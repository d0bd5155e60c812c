import { and, asc, eq, isNotNull, lte, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { enqueue } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { listMailPriority } from "../platform/mail/mail.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import type { LockedIssue } from "./lock-issue.ts";
import { issueMail } from "./mails/issue-mail.ts";
import { newsletterDeliveries, newsletterIssues, newsletterSubscriptions } from "./schema.ts";
import { leavingUrl } from "./subscription.ts";

/** Few enough that a batch is one short transaction. */
export const batchSize = 100;

/** Goes on with an issue that is being sent, after this transaction. Asking again while it waits adds nothing. */
export async function sendBatchLater(tx: Tx | Db, issueId: string): Promise<void> {
  const options = { key: `newsletter-batch:${issueId}`, priority: listMailPriority };
  await enqueue(tx, "newsletter/send-batch", { issueId }, options);
}

/**
 * Queues an issue's mails for the next subscribers, each with the row that says so, and the batch after them: one commit. A worker
 * that dies leaves either all of a batch or nothing of it, and the next one goes on from there.
 */
export async function sendBatch(
  db: Db,
  job: { issueId: string; site: Site; now: Date },
): Promise<void> {
  const { issueId, site, now } = job;
  const failures = await db.transaction(async (tx) => {
    const [issue] = await tx
      .select()
      .from(newsletterIssues)
      .where(eq(newsletterIssues.id, issueId))
      .for("update");
    if (issue?.state !== "sending" || !issue.startedAt) return [];
    const next = await listNext(tx, issueId, issue.startedAt);
    const undelivered: unknown[] = [];
    for (const subscriber of next) {
      try {
        await tx.transaction((inner) => deliver(inner, issue, subscriber, site, now));
      } catch (error) {
        // Passed, so that all others have theirs; the job fails once they are queued.
        undelivered.push(error);
        const passed = { issueId, subscriptionId: subscriber.id, queuedAt: now, mailId: null };
        await tx.insert(newsletterDeliveries).values(passed);
      }
    }
    if (next.length === batchSize) await sendBatchLater(tx, issueId);
    else await finish(tx, issueId, now);
    return undelivered;
  });
  if (failures.length > 0) throw new AggregateError(failures, "some subscribers have no mail");
}

interface Subscriber {
  id: string;
  email: string | null;
  leavingToken: string;
  confirmedAt: Date | null;
}

/** Held against leaving until this batch is committed: who leaves then finds the mail, and takes it back. */
function listNext(tx: Tx, issueId: string, startedAt: Date): Promise<Subscriber[]> {
  const s = newsletterSubscriptions;
  return tx
    .select({
      id: s.id,
      email: s.email,
      leavingToken: s.leavingToken,
      confirmedAt: s.confirmedAt,
    })
    .from(s)
    .where(
      and(
        eq(s.state, "confirmed"),
        lte(s.confirmedAt, startedAt),
        isNotNull(s.email),
        sql`not exists (select from newsletter_deliveries d where d.issue_id = ${issueId} and d.subscription_id = ${s.id})`,
      ),
    )
    .orderBy(asc(s.id))
    .limit(batchSize)
    .for("share");
}

async function deliver(
  tx: Tx,
  issue: LockedIssue,
  { id, email, leavingToken, confirmedAt }: Subscriber,
  site: Site,
  now: Date,
): Promise<void> {
  if (email === null) return;
  const url = leavingUrl(site.appUrl, leavingToken);
  const { mailId } = await queueMail(tx, {
    to: email,
    userId: null,
    content: issueMail(site, issue, { leavingUrl: url, confirmedAt }),
    key: `newsletter:${issue.id}:${id}`,
    list: { unsubscribeUrl: url },
    now,
  });
  await tx
    .insert(newsletterDeliveries)
    .values({ issueId: issue.id, subscriptionId: id, queuedAt: now, mailId });
}

async function finish(tx: Tx, issueId: string, now: Date): Promise<void> {
  await tx
    .update(newsletterIssues)
    .set({ state: "sent", finishedAt: now, revision: sql`${newsletterIssues.revision} + 1` })
    .where(eq(newsletterIssues.id, issueId));
}
