import { and, eq, isNull } from "drizzle-orm";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "../identity/act-as-operator.ts";
import type { Operator } from "../identity/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { contractsAreSold } from "./queries.ts";
import { testimonialConsents, testimonials } from "./schema.ts";
import type { ContractEvidence } from "./testimonial.ts";

type Staff = Pick<Operator, "id" | "requestId">;

/**
 * Shows a customer's words on the site: those that the operator has read and the customer still agrees to.
 * As soon as anybody has bought a contract, this one must have an active one; its net result is kept with
 * the words. Publishing what is published changes nothing.
 *
 * @throws Refusal `content/no-such-testimonial`, `content/not-agreed`, `content/no-active-contract`
 */
export async function publishTestimonial(
  db: Db,
  operator: Staff,
  publication: { testimonialId: string; consentId: string; evidence: ContractEvidence | null },
  now: Date,
): Promise<void> {
  const { testimonialId, consentId, evidence } = publication;
  await db.transaction(async (tx) => {
    const { customerId, publishedConsentId } = await lockTestimonial(tx, testimonialId);
    if (publishedConsentId === consentId) return;
    if (!(await isAgreed(tx, testimonialId, consentId))) throw new Refusal("content/not-agreed");
    if (!evidence && (await contractsAreSold(tx))) throw new Refusal("content/no-active-contract");
    const act = {
      act: "content/publish-testimonial" as const,
      subject: `testimonial:${testimonialId}`,
      customerId,
      detail: { consentId, contractId: evidence?.contractId ?? null },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      inner
        .update(testimonials)
        .set({
          publishedConsentId: consentId,
          publishedAt: now,
          publishedByAct: auditId,
          contractId: evidence?.contractId ?? null,
          netResultUnits: evidence?.netResultUnits ?? null,
          netResultAsset: evidence?.netResultAsset ?? null,
        })
        .where(eq(testimonials.id, testimonialId)),
    );
  });
}

/** Takes a slide off the site; the customer's consent stands, so that it can be shown again. */
export async function unpublishTestimonial(
  db: Db,
  operator: Staff,
  testimonialId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { customerId, publishedConsentId } = await lockTestimonial(tx, testimonialId);
    if (publishedConsentId === null) return;
    const subject = `testimonial:${testimonialId}`;
    const act = {
      act: "content/unpublish-testimonial" as const,
      subject,
      customerId,
      detail: {},
      now,
    };
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      inner
        .update(testimonials)
        .set({ publishedConsentId: null, publishedAt: null, unpublishedByAct: auditId })
        .where(eq(testimonials.id, testimonialId)),
    );
  });
}

/** Ends an invitation, with all that came of it: the customer can be asked anew. */
export async function withdrawInvitation(
  db: Db,
  operator: Staff,
  testimonialId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { customerId, withdrawnAt } = await lockTestimonial(tx, testimonialId);
    if (withdrawnAt !== null) return;
    const subject = `testimonial:${testimonialId}`;
    const act = {
      act: "content/withdraw-invitation" as const,
      subject,
      customerId,
      detail: {},
      now,
    };
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      inner
        .update(testimonials)
        .set({
          withdrawnAt: now,
          withdrawnByAct: auditId,
          publishedConsentId: null,
          publishedAt: null,
        })
        .where(eq(testimonials.id, testimonialId)),
    );
  });
}

async function lockTestimonial(tx: Tx, testimonialId: string) {
  const [testimonial] = await tx
    .select()
    .from(testimonials)
    .where(eq(testimonials.id, testimonialId))
    .for("update");
  if (!testimonial) throw new Refusal("content/no-such-testimonial");
  return testimonial;
}

async function isAgreed(tx: Tx, testimonialId: string, consentId: string): Promise<boolean> {
  const [consent] = await tx
    .select({ id: testimonialConsents.id })
    .from(testimonialConsents)
    .innerJoin(testimonials, eq(testimonials.id, testimonialConsents.testimonialId))
    .where(
      and(
        eq(testimonialConsents.id, consentId),
        eq(testimonialConsents.testimonialId, testimonialId),
        isNull(testimonialConsents.endedAt),
        isNull(testimonials.withdrawnAt),
        isNull(testimonials.declinedAt),
      ),
    );
  return consent !== undefined;
}
