import { keyset } from "#server/platform/keyset.ts";
import { and, desc, eq, isNotNull, ne, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { kycSubmissions } from "./schema.ts";

const v = kycSubmissions;
const oldestFirst = keyset("asc", v.submittedAt, v.id);

const approvals = sql<number>`(
  select count(*) from kyc_reviews r where r.submission_id = ${v.id} and r.verdict = 'approve')::int`;

/** Submissions that wait, oldest first. `after` is the id of the last one seen. */
export function listWaitingSubmissions(
  db: Db | Tx,
  page: { after?: string | undefined; limit: number },
) {
  return db
    .select({
      id: v.id,
      customerId: v.customerId,
      legalName: v.legalName,
      email: users.email,
      country: v.country,
      submittedAt: v.submittedAt,
      secondReviewReason: v.secondReviewReason,
      approvals,
      earlier: sql<number>`(
        select count(*) from kyc_submissions e
         where e.customer_id = ${v.customerId} and e.id <> ${v.id})::int`,
    })
    .from(v)
    .innerJoin(users, eq(users.id, v.customerId))
    .where(and(eq(v.state, "submitted"), oldestFirst.beyond(page.after)))
    .orderBy(...oldestFirst.by)
    .limit(page.limit);
}

/** Submissions that were decided, the newest decision first. */
export function listDecidedSubmissions(db: Db | Tx, limit: number) {
  return db
    .select({
      id: v.id,
      legalName: v.legalName,
      country: v.country,
      state: v.state,
      submittedAt: v.submittedAt,
      decidedAt: sql<Date>`${v.decidedAt}`.mapWith(v.decidedAt),
    })
    .from(v)
    .where(isNotNull(v.decidedAt))
    .orderBy(desc(v.decidedAt), desc(v.id))
    .limit(limit);
}

/** What a customer has submitted, newest first. */
export function listSubmissionsOf(db: Db | Tx, customerId: string, limit: number) {
  return db
    .select({
      id: v.id,
      legalName: v.legalName,
      country: v.country,
      state: v.state,
      submittedAt: v.submittedAt,
    })
    .from(v)
    .where(eq(v.customerId, customerId))
    .orderBy(desc(v.submittedAt), desc(v.id))
    .limit(limit);
}

/** Which submission waits longest, this one left aside; null when none does. */
export async function findNextSubmission(db: Db, exceptId: string): Promise<string | null> {
  const [next] = await db
    .select({ id: v.id })
    .from(v)
    .where(and(eq(v.state, "submitted"), ne(v.id, exceptId)))
    .orderBy(...oldestFirst.by)
    .limit(1);
  return next?.id ?? null;
}
