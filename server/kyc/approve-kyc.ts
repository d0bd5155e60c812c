import { approvalEndsAt, documentPurposes } from "#core/people/kyc.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { Tx } from "../platform/database.ts";
import { type CheckedItem, checklistFor } from "./checklist.ts";
import type { Submission } from "./find-submission.ts";
import { listSubmittedDocuments, listViewedDocuments } from "./list-documents.ts";
import { approvedMail } from "./mails.ts";
import { replaceDocuments } from "./replace-documents.ts";
import {
  getOwner,
  lockWaiting,
  type ReviewContext,
  type Reviewer,
  recordReview,
  tellCustomer,
} from "./review.ts";
import { kycDrafts, kycSubmissions } from "./schema.ts";

/**
 * Approves a submission as a verifier who has looked at each of its documents and answered every question with yes. Where
 * two verifiers must approve, the first one's word is kept and the submission waits on.
 *
 * Refuses with kyc/not-found, kyc/already-decided, kyc/reviewed-by-you,
 * kyc/documents-not-viewed, kyc/checklist-incomplete and what `actAsOperator` refuses.
 */
export async function approveKyc(
  { db, config }: ReviewContext,
  operator: Reviewer,
  { submissionId, checklist }: { submissionId: string; checklist: CheckedItem[] },
  now: Date,
): Promise<{ decided: boolean }> {
  const { customerId } = await getOwner(db, submissionId);
  const act = {
    act: "kyc/approve" as const,
    subject: `kyc:${submissionId}`,
    customerId,
    detail: {},
    now,
  };
  return actAsOperator(db, operator, act, async (tx, auditId) => {
    const submission = await lockWaiting(tx, submissionId);
    await requireViewed(tx, operator, submission);
    requireAllYes(submission, checklist);
    const review = { submission, operatorId: operator.id, checklist, auditId };
    const { approvals } = await recordReview(tx, { ...review, verdict: "approve" }, now);
    if (approvals < (submission.secondReviewReason === null ? 1 : 2)) return { decided: false };
    const validUntil = await approve(tx, submission, now);
    const documentDays = config.kyc.approvedDocumentDays;
    const write = (name: string) => approvedMail(config, name, { validUntil, documentDays });
    await tellCustomer(tx, submission, write, now);
    return { decided: true };
  });
}

async function requireViewed(tx: Tx, operator: Reviewer, { id }: Submission): Promise<void> {
  const viewed = new Set(await listViewedDocuments(tx, operator.id, id));
  const documents = await listSubmittedDocuments(tx, id);
  if (!documents.every((document) => viewed.has(document.id))) {
    throw new Refusal("kyc/documents-not-viewed");
  }
}

function requireAllYes(submission: Submission, checklist: CheckedItem[]): void {
  const yes = new Set(checklist.filter((each) => each.yes).map(({ item }) => item));
  if (!checklistFor(submission).every(({ item }) => yes.has(item))) {
    throw new Refusal("kyc/checklist-incomplete");
  }
}

/** What was sent is no draft any more: a later verification begins anew. */
async function approve(tx: Tx, submission: Submission, now: Date): Promise<Date> {
  const { id, customerId, identityExpiresOn } = submission;
  const validUntil = approvalEndsAt(identityExpiresOn, now);
  await tx
    .update(kycSubmissions)
    .set({ state: "approved", decidedAt: now, validUntil })
    .where(eq(kycSubmissions.id, id));
  await replaceDocuments(tx, customerId, [...documentPurposes], now);
  await tx.delete(kycDrafts).where(eq(kycDrafts.customerId, customerId));
  return validUntil;
}
