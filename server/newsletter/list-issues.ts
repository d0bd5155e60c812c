import { asc, count, desc, eq, inArray, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { mails } from "../platform/mail/schema.ts";
import { type IssueState, isUuid } from "./issue.ts";
import { newsletterDeliveries, newsletterIssues, newsletterSubscriptions } from "./schema.ts";

const s = newsletterSubscriptions;

const i = newsletterIssues;

const d = newsletterDeliveries;

/** What became of an issue's mails. */
export interface Delivered {
  /** Everybody for whom a mail was queued. */
  recipients: number;
  waiting: number;
  sent: number;
  failed: number;
  /** Taken back, because the subscriber left before it was sent. */
  withdrawn: number;
  /** Who got it, and ended the subscription afterwards. */
  leftSince: number;
}

export interface Issue {
  issueId: string;
  subject: string;
  body: string;
  state: IssueState;
  revision: number;
  imprint: string;
  createdAt: Date;
  changedAt: Date;
  changedBy: string;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export type ListedIssue = Omit<Issue, "body" | "imprint"> & Delivered;

const issueColumns = {
  issueId: i.id,
  subject: i.subject,
  state: i.state,
  revision: i.revision,
  createdAt: i.createdAt,
  changedAt: i.changedAt,
  changedBy: sql<string>`coalesce(${users.name}, '')`,
  startedAt: i.startedAt,
  finishedAt: i.finishedAt,
};

/** Issues, newest first, with what became of them. `after` is the id of the last one seen. */
export async function listIssues(
  db: Db,
  page: { after?: string | undefined; limit: number },
): Promise<ListedIssue[]> {
  const older = isUuid(page.after)
    ? sql`(${i.createdAt}, ${i.id}) < (select c.created_at, c.id from newsletter_issues c where c.id = ${page.after})`
    : undefined;
  const issues = await db
    .select(issueColumns)
    .from(i)
    .innerJoin(auditLog, eq(auditLog.id, i.changedByAct))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(older)
    .orderBy(desc(i.createdAt), desc(i.id))
    .limit(page.limit);
  const delivered = await countDelivered(
    db,
    issues.map(({ issueId }) => issueId),
  );
  return issues.map((issue) => ({ ...issue, ...(delivered.get(issue.issueId) ?? nobody) }));
}

const nobody: Delivered = {
  recipients: 0,
  waiting: 0,
  sent: 0,
  failed: 0,
  withdrawn: 0,
  leftSince: 0,
};

/** What became of these issues' mails; who is missing has none. */
export async function countDelivered(db: Db, issueIds: string[]): Promise<Map<string, Delivered>> {
  if (issueIds.length === 0) return new Map();
  // A mail that was forgotten has left its outcome; any other says it itself.
  const counted = (...states: string[]) =>
    sql<number>`(count(*) filter (where coalesce(${d.outcome}, case ${mails.state} when 'queued' then 'waiting' else ${mails.state} end) in ${states}))::int`;
  const rows = await db
    .select({
      issueId: d.issueId,
      recipients: count(),
      waiting: counted("waiting"),
      sent: counted("sent"),
      failed: counted("failed"),
      withdrawn: counted("withdrawn"),
      leftSince: sql<number>`(count(*) filter (where ${s.endedAt} >= ${d.queuedAt} and ${d.outcome} is distinct from 'withdrawn'))::int`,
    })
    .from(d)
    .innerJoin(s, eq(s.id, d.subscriptionId))
    .leftJoin(mails, eq(mails.id, d.mailId))
    .where(inArray(d.issueId, issueIds))
    .groupBy(d.issueId);
  return new Map(rows.map(({ issueId, ...row }) => [issueId, row]));
}

/** One issue with its words, or null. */
export async function findIssue(db: Db, issueId: string | undefined): Promise<Issue | null> {
  if (!isUuid(issueId)) return null;
  const [issue] = await db
    .select({ ...issueColumns, body: i.body, imprint: i.imprint })
    .from(i)
    .innerJoin(auditLog, eq(auditLog.id, i.changedByAct))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(eq(i.id, issueId));
  return issue ?? null;
}

/** Issues on their way. */
export async function listSendingIssues(db: Db): Promise<string[]> {
  const found = await db
    .select({ id: i.id })
    .from(i)
    .where(eq(i.state, "sending"))
    .orderBy(asc(i.startedAt))
    .limit(20);
  return found.map(({ id }) => id);
}
