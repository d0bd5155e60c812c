import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { isUuid } from "./issue.ts";
import { newsletterIssues } from "./schema.ts";

export type LockedIssue = typeof newsletterIssues.$inferSelect;

/**
 * Takes an issue for this transaction alone.
 *
 * @throws Refusal `newsletter/no-such-issue`
 */
export async function lockIssue(tx: Tx, issueId: string): Promise<LockedIssue> {
  if (!isUuid(issueId)) throw new Refusal("newsletter/no-such-issue");
  const [issue] = await tx
    .select()
    .from(newsletterIssues)
    .where(eq(newsletterIssues.id, issueId))
    .for("update");
  if (!issue) throw new Refusal("newsletter/no-such-issue");
  return issue;
}
