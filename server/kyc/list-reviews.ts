import { asc, eq, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { kycDeclineReasons, kycReviews } from "./schema.ts";

export function listDeclined(db: Db | Tx, submissionId: string) {
  return db
    .select({ part: kycDeclineReasons.part, reason: kycDeclineReasons.reason })
    .from(kycDeclineReasons)
    .innerJoin(kycReviews, eq(kycReviews.id, kycDeclineReasons.reviewId))
    .where(eq(kycReviews.submissionId, submissionId));
}

/** What verifiers said about a submission, first things first. */
export async function listReviews(db: Db | Tx, submissionId: string) {
  const reviews = await db
    .select({
      id: kycReviews.id,
      operatorId: kycReviews.operatorId,
      operatorName: sql<string>`coalesce(${users.name}, '')`,
      verdict: kycReviews.verdict,
      checklist: kycReviews.checklist,
      reviewedAt: kycReviews.reviewedAt,
    })
    .from(kycReviews)
    .innerJoin(users, eq(users.id, kycReviews.operatorId))
    .where(eq(kycReviews.submissionId, submissionId))
    .orderBy(asc(kycReviews.reviewedAt));
  const reasons = await listDeclined(db, submissionId);
  return reviews.map((review) => ({
    ...review,
    reasons: review.verdict === "decline" ? reasons : [],
  }));
}

export type Review = Awaited<ReturnType<typeof listReviews>>[number];
