import { asc, eq, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { verificationDeclineReasons, verificationReviews } from "./schema.ts";

export function listDeclined(db: Db | Tx, submissionId: string) {
  return db
    .select({ part: verificationDeclineReasons.part, reason: verificationDeclineReasons.reason })
    .from(verificationDeclineReasons)
    .innerJoin(verificationReviews, eq(verificationReviews.id, verificationDeclineReasons.reviewId))
    .where(eq(verificationReviews.submissionId, submissionId));
}

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
