import type { SecondProof } from "#core/people/kyc.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { lockDraft } from "./lock-draft.ts";
import { requireOpen } from "./require-open.ts";
import { kycDrafts } from "./schema.ts";

/**
 * Keeps what a customer sends beside the identity document.
 *
 * @throws Refusal `kyc/not-open`
 */
export async function chooseSecondProof(
  db: Db,
  customerId: string,
  secondProof: SecondProof,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, customerId, now);
    await requireOpen(tx, customerId, "second-kind", now);
    await tx
      .update(kycDrafts)
      .set({ secondProof, updatedAt: now })
      .where(eq(kycDrafts.customerId, customerId));
  });
}
