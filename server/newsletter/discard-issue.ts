import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { lockIssue } from "./lock-issue.ts";
import { newsletterIssues } from "./schema.ts";

/**
 * Throws a draft away. What was sent stays for good.
 *
 * @throws Refusal `newsletter/no-such-issue`, `newsletter/not-a-draft`
 */
export async function discardIssue(
  db: Db,
  operator: ActingOperator,
  issueId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const issue = await lockIssue(tx, issueId);
    if (issue.state !== "draft") throw new Refusal("newsletter/not-a-draft");
    const act = {
      act: "newsletter/discard-issue" as const,
      subject: `newsletter:${issueId}`,
      detail: { title: issue.subject },
      now,
    };
    await actAsOperator(tx, operator, act, (inner) =>
      inner.delete(newsletterIssues).where(eq(newsletterIssues.id, issueId)),
    );
  });
}
