import { isBirthday, isOfAge } from "#core/people/verification.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { lockDraft } from "./lock-draft.ts";
import { requireOpen } from "./require-open.ts";
import { verificationDrafts } from "./schema.ts";

export interface PersonalDetails {
  legalName: string;
  /** YYYY-MM-DD */
  dateOfBirth: string;
  addressLine: string;
  addressLine2: string | null;
  postalCode: string | null;
  city: string;
  region: string | null;
}

/**
 * Keeps what a customer says of himself, until he submits it.
 *
 * @throws Refusal `verification/not-open`, `verification/no-such-birthday`, `verification/too-young`
 */
export async function saveDetails(
  db: Db,
  customerId: string,
  details: PersonalDetails,
  now: Date,
): Promise<void> {
  if (!isBirthday(details.dateOfBirth, now)) throw new Refusal("verification/no-such-birthday");
  if (!isOfAge(details.dateOfBirth, terms.minimumAge, now)) {
    throw new Refusal("verification/too-young");
  }
  await db.transaction(async (tx) => {
    await lockDraft(tx, customerId, now);
    await requireOpen(tx, customerId, "personal-details", now);
    await tx
      .update(verificationDrafts)
      .set({ ...details, detailsSavedAt: now, updatedAt: now })
      .where(eq(verificationDrafts.customerId, customerId));
  });
}
