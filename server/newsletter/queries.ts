import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNull,
  lte,
  or,
  type SQL,
  sql,
} from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { MailState } from "../platform/mail/mail.ts";
import { mails } from "../platform/mail/schema.ts";
import { type IssueState, isUuid } from "./issue.ts";
import {
  newsletterDeliveries,
  newsletterIssues,
  newsletterMails,
  newsletterSubscriptions,
} from "./schema.ts";
import { hashToken } from "./send-confirmation.ts";
import { type EndedBy, isLeavingToken, type SubscriptionState } from "./subscription.ts";

const s = newsletterSubscriptions;
const i = newsletterIssues;
const d = newsletterDeliveries;

/** What a link that confirms would do now, without doing it: mail scanners open links too. */
export async function findLink(
  db: Db | Tx,
  token: string,
  now: Date,
): Promise<"open" | "expired" | "confirmed" | "unknown"> {
  const [found] = await db
    .select({ state: s.state, expiresAt: s.confirmationExpiresAt })
    .from(s)
    .where(eq(s.confirmationSha256, hashToken(token)));
  if (!found || found.state === "ended") return "unknown";
  if (found.state === "confirmed") return "confirmed";
  return found.expiresAt <= now ? "expired" : "open";
}

/** What a link that ends a subscription would do now. */
export async function findLeavingLink(
  db: Db,
  token: string,
): Promise<"open" | "ended" | "unknown"> {
  if (!isLeavingToken(token)) return "unknown";
  const [found] = await db.select({ state: s.state }).from(s).where(eq(s.leavingToken, token));
  if (!found) return "unknown";
  return found.state === "ended" ? "ended" : "open";
}

/** How many people get an issue that is sent now. */
export async function countConfirmed(db: Db | Tx): Promise<number> {
  const [found] = await db.select({ count: count() }).from(s).where(eq(s.state, "confirmed"));
  return found?.count ?? 0;
}

/** How many subscriptions stand in each state. */
export async function countSubscriptions(db: Db): Promise<Record<SubscriptionState, number>> {
  const rows = await db.select({ state: s.state, count: count() }).from(s).groupBy(s.state);
  const counted = { pending: 0, confirmed: 0, ended: 0 };
  for (const row of rows) counted[row.state] = row.count;
  return counted;
}

export interface ListedSubscription {
  subscriptionId: string;
  /** Null: forgotten by rule. */
  email: string | null;
  state: SubscriptionState;
  askedAt: Date;
  source: string;
  textVersion: number;
  confirmedAt: Date | null;
  endedAt: Date | null;
  endedBy: EndedBy | null;
}

/** Subscriptions, the newest wish first. `after` is the id of the last one seen. */
export async function listSubscriptions(
  db: Db | Tx,
  wanted: { state: SubscriptionState; search?: string; after?: string | undefined; limit: number },
): Promise<ListedSubscription[]> {
  const { state, search, after, limit } = wanted;
  return db
    .select({
      subscriptionId: s.id,
      email: s.email,
      state: s.state,
      askedAt: s.askedAt,
      source: s.source,
      textVersion: s.textVersion,
      confirmedAt: s.confirmedAt,
      endedAt: s.endedAt,
      endedBy: s.endedBy,
    })
    .from(s)
    .where(
      and(
        eq(s.state, state),
        search ? sql`strpos(${s.email}, ${search.toLowerCase()}) > 0` : undefined,
        isUuid(after) ? askedBefore(after) : undefined,
      ),
    )
    .orderBy(desc(s.askedAt), desc(s.id))
    .limit(limit);
}

function askedBefore(id: string): SQL {
  return sql`(${s.askedAt}, ${s.id}) < (select c.asked_at, c.id from newsletter_subscriptions c where c.id = ${id})`;
}

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

/** A subscriber's issues that still wait in the mail queue, and that nobody is sending at this moment. */
export async function listWaitingMails(
  tx: Tx,
  subscriptionId: string,
  now: Date,
): Promise<string[]> {
  const found = await tx
    .select({ id: mails.id })
    .from(d)
    .innerJoin(mails, eq(mails.id, d.mailId))
    .where(
      and(
        eq(d.subscriptionId, subscriptionId),
        eq(mails.state, "queued"),
        or(isNull(mails.sendingUntil), lte(mails.sendingUntil, now)),
      ),
    );
  return found.map(({ id }) => id);
}

/** The mails about these subscriptions themselves. */
export async function listMailsAbout(tx: Tx, subscriptionIds: string[]): Promise<string[]> {
  const found = await tx
    .select({ id: newsletterMails.mailId })
    .from(newsletterMails)
    .where(inArray(newsletterMails.subscriptionId, subscriptionIds));
  return found.map(({ id }) => id);
}

/** The issues that these subscribers were mailed, and where each mail stands. */
export async function listDeliveryMails(
  tx: Tx,
  subscriptionIds: string[],
): Promise<Array<{ id: string; state: MailState }>> {
  return tx
    .select({ id: mails.id, state: mails.state })
    .from(d)
    .innerJoin(mails, eq(mails.id, d.mailId))
    .where(inArray(d.subscriptionId, subscriptionIds));
}
