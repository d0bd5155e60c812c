import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator, Operator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { lockIssue } from "./lock-issue.ts";
import { issueMail } from "./mails/issue-mail.ts";
import { leavingUrl } from "./subscription.ts";

/**
 * Mails an issue to the operator who asks, as subscribers would get it, except that its link ends nothing.
 *
 * @throws Refusal `newsletter/no-such-issue`
 */
export async function sendTest(
  { db, config }: { db: Db; config: Site },
  operator: ActingOperator & Pick<Operator, "email">,
  test: { issueId: string; submissionKey: string; imprint: string },
  now: Date,
): Promise<void> {
  const { issueId, submissionKey, imprint } = test;
  await db.transaction(async (tx) => {
    const issue = await lockIssue(tx, issueId);
    const to = { leavingUrl: leavingUrl(config.appUrl, "test"), confirmedAt: null };
    const mail = issueMail(config, { ...issue, imprint: issue.imprint || imprint }, to);
    const content = { ...mail, subject: `[Test] ${mail.subject}`, template: "newsletter-test" };
    const act = {
      act: "newsletter/send-test" as const,
      subject: `newsletter:${issueId}`,
      detail: { title: issue.subject },
      now,
    };
    await actAsOperator(tx, operator, act, (inner) =>
      queueMail(inner, {
        to: operator.email,
        userId: operator.id,
        content,
        // Pressed twice, it is one mail.
        key: `newsletter-test:${issueId}:${submissionKey}`,
        now,
      }),
    );
  });
}
