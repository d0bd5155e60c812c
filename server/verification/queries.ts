import { countryName, isServed } from "#core/people/countries.ts";
import type {
  DocumentPurpose,
  VerificationPart,
  VerificationState,
} from "#core/people/verification.ts";
import { levelOf, type VerificationLevel } from "#core/people/verification-levels.ts";
import { and, asc, desc, eq, gt, isNotNull, isNull, ne, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { isUuid } from "./document.ts";
import {
  residenceStatements,
  verificationDeclineReasons,
  verificationDocuments,
  verificationDrafts,
  verificationReviews,
  verificationSubmissionDocuments,
  verificationSubmissions,
} from "./schema.ts";
import { type Facts, missingSteps, openSteps } from "./standing.ts";

const d = verificationDocuments;
const v = verificationSubmissions;

export interface Residence {
  country: string;
  name: string;
  statedAt: Date;
  /** Whether people who live there may use the service. */
  served: boolean;
}

/** Where a customer said last that he lives; null when he has not been asked yet. */
export async function findResidence(db: Db | Tx, customerId: string): Promise<Residence | null> {
  const [newest] = await listResidences(db, customerId, 1);
  return newest ?? null;
}

/** What a customer said about where he lives, newest first. */
export async function listResidences(
  db: Db | Tx,
  customerId: string,
  limit: number,
): Promise<Residence[]> {
  const rows = await db
    .select({ country: residenceStatements.country, statedAt: residenceStatements.statedAt })
    .from(residenceStatements)
    .where(eq(residenceStatements.customerId, customerId))
    .orderBy(desc(residenceStatements.statedAt), desc(residenceStatements.id))
    .limit(limit);
  return rows.map(({ country, statedAt }) => ({
    country,
    name: countryName(country),
    statedAt,
    served: isServed(country),
  }));
}

export interface KeptDocument {
  id: string;
  purpose: DocumentPurpose;
  name: string;
  byteSize: number;
  storedAt: Date | null;
}

/** What a customer has uploaded and what counts now, by purpose. */
export function listCurrentDocuments(db: Db | Tx, customerId: string): Promise<KeptDocument[]> {
  return db
    .select({
      id: d.id,
      purpose: d.purpose,
      name: d.originalName,
      byteSize: d.byteSize,
      storedAt: d.storedAt,
    })
    .from(d)
    .where(
      and(
        eq(d.customerId, customerId),
        isNotNull(d.storedAt),
        isNull(d.replacedAt),
        isNull(d.erasingAt),
      ),
    );
}

export interface Verification extends Omit<Facts, "declined" | "draft"> {
  residence: Residence | null;
  level: VerificationLevel;
  draft: typeof verificationDrafts.$inferSelect | null;
  documents: KeptDocument[];
  /** The last submission, decided or not. */
  submission: {
    id: string;
    submittedAt: Date;
    decidedAt: Date | null;
    validUntil: Date | null;
    /** What was declined, each with the reason for the customer. */
    declined: Array<{ part: VerificationPart; reason: string }>;
  } | null;
  open: ReturnType<typeof openSteps>;
  missing: ReturnType<typeof missingSteps>;
}

/** Where a customer stands with his verification at a moment. */
export async function getVerification(
  db: Db | Tx,
  customerId: string,
  now: Date,
): Promise<Verification> {
  const residence = await findResidence(db, customerId);
  const [draft = null] = await db
    .select()
    .from(verificationDrafts)
    .where(eq(verificationDrafts.customerId, customerId));
  const documents = await listCurrentDocuments(db, customerId);
  const latest = await findLatestSubmission(db, customerId);
  const state = stateOf(latest, now);
  const kept = documents.map(({ purpose }) => purpose);
  const declined = latest && state === "declined" ? await listDeclined(db, latest.id) : [];
  const facts: Facts = { state, draft, kept, declined: declined.map(({ part }) => part) };
  return {
    state,
    residence,
    level: levelOf({
      residenceServed: residence?.served ?? false,
      verified: state === "approved",
    }),
    draft,
    documents,
    kept,
    submission: latest && { ...latest, declined },
    open: openSteps(facts),
    missing: missingSteps(facts),
  };
}

/** An approval whose time is over counts as expired from that moment, whenever the worker writes it down. */
function stateOf(
  latest: { state: VerificationState; validUntil: Date | null } | null,
  now: Date,
): VerificationState {
  if (!latest) return "not started";
  const over = latest.validUntil !== null && latest.validUntil <= now;
  return latest.state === "approved" && over ? "expired" : latest.state;
}

async function findLatestSubmission(db: Db | Tx, customerId: string) {
  const [latest] = await db
    .select({
      id: v.id,
      state: v.state,
      submittedAt: v.submittedAt,
      decidedAt: v.decidedAt,
      validUntil: v.validUntil,
    })
    .from(v)
    .where(eq(v.customerId, customerId))
    .orderBy(desc(v.submittedAt), desc(v.id))
    .limit(1);
  return latest ?? null;
}

function listDeclined(db: Db | Tx, submissionId: string) {
  return db
    .select({ part: verificationDeclineReasons.part, reason: verificationDeclineReasons.reason })
    .from(verificationDeclineReasons)
    .innerJoin(verificationReviews, eq(verificationReviews.id, verificationDeclineReasons.reviewId))
    .where(eq(verificationReviews.submissionId, submissionId));
}

/** How long decisions took, in hours: of the last 200 within 90 days. Null when there was none. */
export async function findProcessingHours(
  db: Db | Tx,
  now: Date,
): Promise<{ median: number; ninetieth: number; decisions: number } | null> {
  const since = new Date(now.getTime() - 90 * 86_400_000).toISOString();
  const { rows } = await db.execute<{
    decisions: number;
    median: number | null;
    ninetieth: number | null;
  }>(sql`
    select count(*)::int as decisions,
           percentile_cont(0.5) within group (order by hours)::float8 as median,
           percentile_cont(0.9) within group (order by hours)::float8 as ninetieth
      from (select extract(epoch from decided_at - submitted_at) / 3600 as hours
              from verification_submissions
             where decided_at > ${since}::timestamptz
             order by decided_at desc limit 200) recent`);
  const [figures] = rows;
  if (figures?.median == null || figures.ninetieth === null) return null;
  return { median: figures.median, ninetieth: figures.ninetieth, decisions: figures.decisions };
}

// What follows is for staff: it looks across customers.

const approvals = sql<number>`(
  select count(*) from verification_reviews r where r.submission_id = ${v.id} and r.verdict = 'approve')::int`;

/** Submissions that wait, oldest first. `after` is the id of the last one seen. */
export function listWaitingSubmissions(
  db: Db | Tx,
  page: { after?: string | undefined; limit: number },
) {
  const after =
    page.after && isUuid(page.after)
      ? gt(
          sql`(${v.submittedAt}, ${v.id})`,
          sql`(select c.submitted_at, c.id from verification_submissions c where c.id = ${page.after})`,
        )
      : undefined;
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
        select count(*) from verification_submissions e
         where e.customer_id = ${v.customerId} and e.id <> ${v.id})::int`,
    })
    .from(v)
    .innerJoin(users, eq(users.id, v.customerId))
    .where(and(eq(v.state, "submitted"), after))
    .orderBy(asc(v.submittedAt), asc(v.id))
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
    .orderBy(asc(v.submittedAt), asc(v.id))
    .limit(1);
  return next?.id ?? null;
}

/** One submission of anybody with all that a verifier needs; null when there is none. */
export async function findSubmission(db: Db | Tx, submissionId: string) {
  if (!isUuid(submissionId)) return null;
  const [submission] = await db
    .select({
      id: v.id,
      customerId: v.customerId,
      legalName: v.legalName,
      dateOfBirth: v.dateOfBirth,
      country: v.country,
      addressLine: v.addressLine,
      addressLine2: v.addressLine2,
      postalCode: v.postalCode,
      city: v.city,
      region: v.region,
      identityKind: v.identityKind,
      identityExpiresOn: v.identityExpiresOn,
      secondProof: v.secondProof,
      submittedAt: v.submittedAt,
      state: v.state,
      secondReviewReason: v.secondReviewReason,
      decidedAt: v.decidedAt,
      validUntil: v.validUntil,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(v)
    .innerJoin(users, eq(users.id, v.customerId))
    .where(eq(v.id, submissionId));
  return submission ?? null;
}
export type Submission = NonNullable<Awaited<ReturnType<typeof findSubmission>>>;

/** The documents of a submission in the order in which they are looked at. */
export function listSubmittedDocuments(db: Db | Tx, submissionId: string) {
  const order = sql`array_position(array['identity-front', 'identity-back', 'selfie', 'proof-of-address'], ${d.purpose})`;
  return db
    .select({
      id: d.id,
      purpose: d.purpose,
      name: d.originalName,
      mediaType: d.mediaType,
      byteSize: d.byteSize,
      erasedAt: d.erasingAt,
    })
    .from(verificationSubmissionDocuments)
    .innerJoin(d, eq(d.id, verificationSubmissionDocuments.documentId))
    .where(eq(verificationSubmissionDocuments.submissionId, submissionId))
    .orderBy(order);
}
export type SubmittedDocument = Awaited<ReturnType<typeof listSubmittedDocuments>>[number];

/** What verifiers said about a submission, first things first. */
export async function listReviews(db: Db | Tx, submissionId: string) {
  const reviews = await db
    .select({
      id: verificationReviews.id,
      operatorId: verificationReviews.operatorId,
      operatorName: sql<string>`coalesce(${users.name}, '')`,
      verdict: verificationReviews.verdict,
      checklist: verificationReviews.checklist,
      reviewedAt: verificationReviews.reviewedAt,
    })
    .from(verificationReviews)
    .innerJoin(users, eq(users.id, verificationReviews.operatorId))
    .where(eq(verificationReviews.submissionId, submissionId))
    .orderBy(asc(verificationReviews.reviewedAt));
  const reasons = await listDeclined(db, submissionId);
  return reviews.map((review) => ({
    ...review,
    reasons: review.verdict === "decline" ? reasons : [],
  }));
}
export type Review = Awaited<ReturnType<typeof listReviews>>[number];

/** Which documents of a submission an operator has looked at, as the audit log has it. */
export async function listViewedDocuments(
  db: Db | Tx,
  operatorId: string,
  submissionId: string,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ documentId: sql<string>`${auditLog.detail} ->> 'document'` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.operatorId, operatorId),
        eq(auditLog.act, "verification/view-document"),
        eq(auditLog.subject, `verification:${submissionId}`),
      ),
    );
  return rows.map(({ documentId }) => documentId);
}
