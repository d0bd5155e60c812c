import { isBirthday, isOfAge } from "#core/people/kyc.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { lockDraft } from "./lock-draft.ts";
import { requireOpen } from "./require-open.ts";
import { kycDrafts } from "./schema.ts";

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
 * Saves a customer's details until they submit them.
 *
 * @throws Refusal `kyc/not-open`, `kyc/no-such-birthday`, `kyc/too-young`
 */
export async function saveDetails(
  db: Db,
  customerId: string,
  details: PersonalDetails,
  now: Date,
): Promise<void> {
  if (!isBirthday(details.dateOfBirth, now)) throw new Refusal("kyc/no-such-birthday");
  if (!isOfAge(details.dateOfBirth, terms.minimumAge, now)) {
    throw new Refusal("kyc/too-young");
  }
  await db.transaction(async (tx) => {
    await lockDraft(tx, customerId, now);
    await requireOpen(tx, customerId, "personal-details", now);
    await tx
      .update(kycDrafts)
      .set({ ...details, detailsSavedAt: now, updatedAt: now })
      .where(eq(kycDrafts.customerId, customerId));
  });
}
