import { eq, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { lockIssue } from "./lock-issue.ts";
import { newsletterIssues } from "./schema.ts";

/**
 * Breaks off the sending of an issue: who has not been reached yet is not. Mails that are queued leave all the same. An issue that is
 * not being sent stays as it is.
 *
 * @throws Refusal `newsletter/no-such-issue`
 */
export async function stopIssue(
  db: Db,
  operator: ActingOperator,
  issueId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const issue = await lockIssue(tx, issueId);
    if (issue.state !== "sending") return;
    const act = {
      act: "newsletter/stop-issue" as const,
      subject: `newsletter:${issueId}`,
      detail: { title: issue.subject },
      now,
    };
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      const revision = sql`${newsletterIssues.revision} + 1`;
      await inner
        .update(newsletterIssues)
        .set({ state: "stopped", finishedAt: now, stoppedByAct: auditId, revision })
        .where(eq(newsletterIssues.id, issueId));
    });
  });
}
