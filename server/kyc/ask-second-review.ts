import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { Db } from "../platform/database.ts";
import { getOwner, lockWaiting, type Reviewer } from "./review.ts";
import { kycSubmissions } from "./schema.ts";

/**
 * Marks a submission that waits as one that two verifiers must approve, with a reason for colleagues. It cannot be taken
 * back.
 *
 * Refuses with kyc/not-found, kyc/already-decided, kyc/second-review-asked,
 * kyc/reason-missing and what `actAsOperator` refuses.
 */
export async function askSecondReview(
  db: Db,
  operator: Reviewer,
  { submissionId, reason }: { submissionId: string; reason: string },
  now: Date,
): Promise<void> {
  const { customerId } = await getOwner(db, submissionId);
  const said = reason.replaceAll("\0", "").trim();
  if (said === "" || said.length > 500) throw new Refusal("kyc/reason-missing");
  const act = {
    act: "kyc/ask-second-review" as const,
    subject: `kyc:${submissionId}`,
    customerId,
    detail: { reason: said },
    now,
  };
  await actAsOperator(db, operator, act, async (tx, auditId) => {
    const { secondReviewReason } = await lockWaiting(tx, submissionId);
    if (secondReviewReason !== null) throw new Refusal("kyc/second-review-asked");
    await tx
      .update(kycSubmissions)
      .set({ secondReviewReason: said, secondReviewAct: auditId })
      .where(eq(kycSubmissions.id, submissionId));
  });
}
