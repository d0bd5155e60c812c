import { Refusal } from "#core/refusal.ts";
import { oneLine, plainText } from "#core/text/plain-text.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { lockIssue } from "./lock-issue.ts";
import { newsletterIssues } from "./schema.ts";

export interface IssueWords {
  /** Minted with the form: the same form sent twice is one issue. */
  issueId: string;
  /** The revision that was looked at; null: a new issue. */
  seen: number | null;
  subject: string;
  body: string;
}

/**
 * Writes a draft, or changes it. Saving what stands there already does nothing.
 *
 * @throws Refusal `newsletter/issue-empty`, `newsletter/issue-changed`, `newsletter/not-a-draft`, `newsletter/no-such-issue`
 */
export async function saveIssue(
  db: Db,
  operator: ActingOperator,
  words: IssueWords,
  now: Date,
): Promise<void> {
  const { issueId, seen } = words;
  const text = { subject: oneLine(words.subject), body: plainText(words.body) };
  if (text.subject === "" || text.body === "") throw new Refusal("newsletter/issue-empty");
  const act = {
    act: "newsletter/save-issue" as const,
    subject: `newsletter:${issueId}`,
    detail: { title: text.subject, characters: text.body.length },
    now,
  };
  await db.transaction(async (tx) => {
    if (seen === null && !(await exists(tx, issueId))) {
      await actAsOperator(tx, operator, act, async (inner, auditId) => {
        const times = { createdAt: now, changedAt: now };
        await inner
          .insert(newsletterIssues)
          .values({ id: issueId, ...text, ...times, changedByAct: auditId });
      });
      return;
    }
    const issue = await lockIssue(tx, issueId);
    if (issue.subject === text.subject && issue.body === text.body) return;
    if (issue.state !== "draft") throw new Refusal("newsletter/not-a-draft");
    if (issue.revision !== seen) throw new Refusal("newsletter/issue-changed");
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      const revision = sql`${newsletterIssues.revision} + 1`;
      await inner
        .update(newsletterIssues)
        .set({ ...text, changedAt: now, changedByAct: auditId, revision })
        .where(eq(newsletterIssues.id, issueId));
    });
  });
}

/** The same new form twice at once: the second waits until the first is there. */
async function exists(tx: Tx, issueId: string): Promise<boolean> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`newsletter:${issueId}`}, 0))`,
  );
  const found = await tx
    .select({ id: newsletterIssues.id })
    .from(newsletterIssues)
    .where(eq(newsletterIssues.id, issueId));
  return found.length > 0;
}
