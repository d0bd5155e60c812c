import { documentPurposes, type KycPart, kycParts, neededDocuments } from "#core/people/kyc.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { Tx } from "../platform/database.ts";
import { type CheckedItem, checklistFor, isAnswered } from "./checklist.ts";
import type { Submission } from "./find-submission.ts";
import { declinedMail } from "./mails.ts";
import { replaceDocuments } from "./replace-documents.ts";
import {
  getOwner,
  lockWaiting,
  type ReviewContext,
  type Reviewer,
  recordReview,
  tellCustomer,
} from "./review.ts";
import { kycDeclineReasons, kycDrafts, kycSubmissions } from "./schema.ts";

interface Decline {
  submissionId: string;
  checklist: CheckedItem[];
  /** What the customer reads, for each part that they must do again. */
  reasons: Partial<Record<KycPart, string>>;
}

/**
 * Declines parts of a submission as a verifier, each with a reason that its customer reads. One verifier is enough: nothing
 * is granted by it. What was not declined is kept for the next submission.
 *
 * Refuses with kyc/not-found, kyc/already-decided, kyc/reviewed-by-you,
 * kyc/reason-missing, kyc/checklist-incomplete and what `actAsOperator` refuses.
 */
export async function declineKyc(
  { db, config }: ReviewContext,
  operator: Reviewer,
  { submissionId, checklist, reasons }: Decline,
  now: Date,
): Promise<void> {
  const { customerId } = await getOwner(db, submissionId);
  const act = {
    act: "kyc/decline" as const,
    subject: `kyc:${submissionId}`,
    customerId,
    detail: { parts: Object.keys(reasons).join(", ") },
    now,
  };
  await actAsOperator(db, operator, act, async (tx, auditId) => {
    const submission = await lockWaiting(tx, submissionId);
    const declined = readReasons(submission, reasons);
    if (!isAnswered(checklistFor(submission), checklist)) {
      throw new Refusal("kyc/checklist-incomplete");
    }
    const review = { submission, operatorId: operator.id, checklist, auditId };
    const { reviewId } = await recordReview(tx, { ...review, verdict: "decline" }, now);
    await tx.insert(kycDeclineReasons).values(declined.map((each) => ({ reviewId, ...each })));
    await tx
      .update(kycSubmissions)
      .set({ state: "declined", decidedAt: now })
      .where(eq(kycSubmissions.id, submissionId));
    await openAgain(tx, submission, declined, now);
    await tellCustomer(tx, submission, (name) => declinedMail(config, name, declined), now);
  });
}

function readReasons(submission: Submission, reasons: Decline["reasons"]) {
  const asked: KycPart[] = [
    "personal-details",
    ...neededDocuments(submission.identityKind, submission.secondProof),
  ];
  const declined = kycParts
    .filter((part) => asked.includes(part))
    .map((part) => ({ part, reason: (reasons[part] ?? "").replaceAll("\0", "").trim() }))
    .filter(({ reason }) => reason !== "");
  if (declined.length === 0 || declined.some(({ reason }) => reason.length > 500)) {
    throw new Refusal("kyc/reason-missing");
  }
  return declined;
}

/** What was declined has to be said or sent anew; what was said stays in its fields, to be corrected. */
async function openAgain(
  tx: Tx,
  { customerId }: Submission,
  declined: Array<{ part: KycPart }>,
  now: Date,
): Promise<void> {
  const parts = declined.map(({ part }) => part);
  const documents = documentPurposes.filter((purpose) => parts.includes(purpose));
  await replaceDocuments(tx, customerId, documents, now);
  await tx
    .update(kycDrafts)
    .set({ updatedAt: now, ...(parts.includes("personal-details") && { detailsSavedAt: null }) })
    .where(eq(kycDrafts.customerId, customerId));
}
