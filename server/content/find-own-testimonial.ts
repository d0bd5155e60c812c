import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { testimonialConsents, testimonials } from "./schema.ts";

const t = testimonials;

const c = testimonialConsents;

export const consented = {
  consentId: c.id,
  words: c.words,
  shownName: c.shownName,
  role: c.role,
  image: c.image,
  agreedAt: c.agreedAt,
};

/** A customer's own open invitation, with what he agreed to; null when nobody asks. */
export async function findOwnTestimonial(db: Db | Tx, customerId: string) {
  const [own] = await db
    .select({
      id: t.id,
      invitation: t.invitation,
      invitedAt: t.invitedAt,
      publishedAt: t.publishedAt,
      contractId: t.contractId,
      ...consented,
    })
    .from(t)
    .leftJoin(c, and(eq(c.testimonialId, t.id), isNull(c.endedAt)))
    .where(and(eq(t.customerId, customerId), isNull(t.withdrawnAt), isNull(t.declinedAt)));
  return own ?? null;
}
