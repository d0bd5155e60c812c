import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { countConfirmed } from "./list-subscriptions.ts";
import { lockIssue } from "./lock-issue.ts";
import { newsletterIssues } from "./schema.ts";
import { sendBatchLater } from "./send-batch.ts";

/**
 * Sends an issue to everybody whose subscription is confirmed at this moment, once each, by the job `newsletter/send-batch`. Sending
 * what was sent already does nothing.
 *
 * @throws Refusal `newsletter/no-such-issue`, `newsletter/issue-changed`, `newsletter/nobody-subscribed`
 */
export async function sendIssue(
  db: Db,
  operator: ActingOperator,
  sending: { issueId: string; seen: number; imprint: string },
  now: Date,
): Promise<void> {
  const { issueId, seen, imprint } = sending;
  await db.transaction(async (tx) => {
    const issue = await lockIssue(tx, issueId);
    if (issue.state !== "draft") return;
    if (issue.revision !== seen) throw new Refusal("newsletter/issue-changed");
    const subscribers = await countConfirmed(tx);
    if (subscribers === 0) throw new Refusal("newsletter/nobody-subscribed");
    const act = {
      act: "newsletter/send-issue" as const,
      subject: `newsletter:${issueId}`,
      detail: { title: issue.subject, subscribers },
      now,
    };
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      await inner
        .update(newsletterIssues)
        .set({
          state: "sending",
          imprint,
          startedAt: now,
          sentByAct: auditId,
          revision: sql`${newsletterIssues.revision} + 1`,
        })
        .where(eq(newsletterIssues.id, issueId));
      await sendBatchLater(inner, issueId);
    });
  });
}
