import type { IdentityKind } from "#core/people/kyc.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { lockDraft } from "./lock-draft.ts";
import { replaceDocuments } from "./replace-documents.ts";
import { requireOpen } from "./require-open.ts";
import { kycDrafts } from "./schema.ts";

/**
 * Keeps which identity document a customer sends and until when it is valid (YYYY-MM-DD; null: without end). Pictures of a
 * document of another kind no longer count.
 *
 * @throws Refusal `kyc/not-open`, `kyc/document-expired`
 */
export async function chooseIdentity(
  db: Db,
  customerId: string,
  { kind, expiresOn }: { kind: IdentityKind; expiresOn: string | null },
  now: Date,
): Promise<void> {
  if (expiresOn !== null && expiresOn < utcDay(now)) {
    throw new Refusal("kyc/document-expired");
  }
  await db.transaction(async (tx) => {
    const draft = await lockDraft(tx, customerId, now);
    await requireOpen(tx, customerId, "identity-kind", now);
    if (draft.identityKind !== null && draft.identityKind !== kind) {
      await replaceDocuments(tx, customerId, ["identity-front", "identity-back"], now);
    }
    await tx
      .update(kycDrafts)
      .set({ identityKind: kind, identityExpiresOn: expiresOn, updatedAt: now })
      .where(eq(kycDrafts.customerId, customerId));
  });
}
