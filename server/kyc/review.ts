import { randomUUIDv7 } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Config } from "../platform/config.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { type CheckedItem, checklistFor } from "./checklist.ts";
import { findSubmission } from "./find-submission.ts";
import { listReviews } from "./list-reviews.ts";
import { kycReviews, kycSubmissions } from "./schema.ts";

/** What a decision needs of the running product. */
export interface ReviewContext {
  db: Db;
  config: Pick<Config, "siteName" | "appUrl" | "kyc">;
}

export type Reviewer = ActingOperator;

/**
 * Takes a submission that waits, so that one decision about it happens at a time.
 *
 * Refuses with kyc/not-found, and with kyc/already-decided for whoever came second.
 */
export async function lockWaiting(tx: Tx, submissionId: string) {
  if (!isUuid(submissionId)) throw new Refusal("kyc/not-found");
  await tx
    .select({ id: kycSubmissions.id })
    .from(kycSubmissions)
    .where(eq(kycSubmissions.id, submissionId))
    .for("update");
  const submission = await findSubmission(tx, submissionId);
  if (!submission) throw new Refusal("kyc/not-found");
  if (submission.state !== "submitted") throw new Refusal("kyc/already-decided");
  return submission;
}

/** Whom a submission is about, for the audit log; refuses with kyc/not-found. */
export async function getOwner(db: Db, submissionId: string): Promise<{ customerId: string }> {
  const submission = await findSubmission(db, submissionId);
  if (!submission) throw new Refusal("kyc/not-found");
  return { customerId: submission.customerId };
}

/** Records a verifier's verdict; refuses a second one with kyc/reviewed-by-you. */
export async function recordReview(
  tx: Tx,
  review: {
    submission: Awaited<ReturnType<typeof lockWaiting>>;
    operatorId: string;
    verdict: "approve" | "decline";
    checklist: CheckedItem[];
    auditId: string;
  },
  now: Date,
): Promise<{ reviewId: string; approvals: number }> {
  const { submission, operatorId, verdict, auditId } = review;
  const earlier = await listReviews(tx, submission.id);
  if (earlier.some((one) => one.operatorId === operatorId)) {
    throw new Refusal("kyc/reviewed-by-you");
  }
  const asked = new Set(checklistFor(submission).map(({ item }) => item));
  const reviewId = randomUUIDv7();
  await tx.insert(kycReviews).values({
    id: reviewId,
    submissionId: submission.id,
    operatorId,
    verdict,
    checklist: review.checklist.filter(({ item }) => asked.has(item)),
    actId: auditId,
    reviewedAt: now,
  });
  return { reviewId, approvals: earlier.length + (verdict === "approve" ? 1 : 0) };
}

/** Tells the customer of a submission what was decided, in the decision's own transaction. */
export async function tellCustomer(
  tx: Tx,
  submission: { id: string; customerId: string },
  write: (firstName: string) => RenderedMail,
  now: Date,
): Promise<void> {
  const customer = await findCustomer(tx, submission.customerId);
  if (!customer) throw new Error(`no customer ${submission.customerId}`);
  const content = write(customer.firstName);
  await queueMail(tx, {
    to: customer.email,
    userId: submission.customerId,
    content,
    key: `${content.template}:${submission.id}`,
    now,
  });
}
