import { isUuid } from "#core/is-uuid.ts";
import { eq } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { kycSubmissions } from "./schema.ts";

const v = kycSubmissions;

/** One submission of anybody with all that a verifier needs; null when there is none. */
export async function findSubmission(db: Db | Tx, submissionId: string) {
  if (!isUuid(submissionId)) return null;
  const [submission] = await db
    .select({
      id: v.id,
      customerId: v.customerId,
      legalName: v.legalName,
      dateOfBirth: v.dateOfBirth,
      country: v.country,
      addressLine: v.addressLine,
      addressLine2: v.addressLine2,
      postalCode: v.postalCode,
      city: v.city,
      region: v.region,
      identityKind: v.identityKind,
      identityExpiresOn: v.identityExpiresOn,
      secondProof: v.secondProof,
      submittedAt: v.submittedAt,
      state: v.state,
      secondReviewReason: v.secondReviewReason,
      decidedAt: v.decidedAt,
      validUntil: v.validUntil,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(v)
    .innerJoin(users, eq(users.id, v.customerId))
    .where(eq(v.id, submissionId));
  return submission ?? null;
}

export type Submission = NonNullable<Awaited<ReturnType<typeof findSubmission>>>;
