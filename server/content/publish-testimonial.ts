import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import { actAsOperator, type StaffAct } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import {
  contractsAreSold,
  findActiveContract,
  findContractResult,
} from "./find-contract-result.ts";
import { testimonialConsents, testimonials } from "./schema.ts";

type Staff = ActingOperator;

const hidden = { publishedConsentId: null, publishedAt: null, contractId: null };

/**
 * Shows a customer's words on the site: those that the operator has read and the customer still agrees to.
 * As soon as anybody has bought a contract, this one must have an active one: its result is shown with the words, as
 * PostgreSQL works it out. Publishing what is published changes nothing.
 *
 * @throws Refusal `content/no-such-testimonial`, `content/not-agreed`, `content/no-active-contract`
 */
export async function publishTestimonial(
  db: Db,
  operator: Staff,
  publication: { testimonialId: string; consentId: string },
  now: Date,
): Promise<void> {
  const { testimonialId, consentId } = publication;
  await changeTestimonial(db, operator, { testimonialId, now }, async (tx, current) => {
    if (current.publishedConsentId === consentId && (await isShown(tx, current))) return null;
    if (!(await isAgreed(tx, testimonialId, consentId))) throw new Refusal("content/not-agreed");
    const contractId = await findActiveContract(tx, current.customerId);
    if (!contractId && (await contractsAreSold(tx)))
      throw new Refusal("content/no-active-contract");
    return {
      act: "content/publish-testimonial",
      detail: { consentId, contractId },
      set: (auditId) => ({
        publishedConsentId: consentId,
        publishedAt: now,
        publishedByAct: auditId,
        contractId,
      }),
    };
  });
}

/** Takes a slide off the site; the customer's consent stands, so that it can be shown again. */
export async function unpublishTestimonial(
  db: Db,
  operator: Staff,
  testimonialId: string,
  now: Date,
): Promise<void> {
  await changeTestimonial(db, operator, { testimonialId, now }, (_, current) => {
    if (current.publishedConsentId === null) return null;
    return {
      act: "content/unpublish-testimonial",
      set: (auditId) => ({ ...hidden, unpublishedByAct: auditId }),
    };
  });
}

/** Ends an invitation, with all that came of it: the customer can be asked anew. */
export async function withdrawInvitation(
  db: Db,
  operator: Staff,
  testimonialId: string,
  now: Date,
): Promise<void> {
  await changeTestimonial(db, operator, { testimonialId, now }, (_, current) => {
    if (current.withdrawnAt !== null) return null;
    return {
      act: "content/withdraw-invitation",
      set: (auditId) => ({ ...hidden, withdrawnAt: now, withdrawnByAct: auditId }),
    };
  });
}

interface Change {
  act: StaffAct["act"];
  detail?: StaffAct["detail"];
  set: (auditId: string) => Partial<typeof testimonials.$inferInsert>;
}

/** Locks a testimonial and changes it in one act of staff, as `decide` says: not at all when that is null. */
async function changeTestimonial(
  db: Db,
  operator: Staff,
  { testimonialId, now }: { testimonialId: string; now: Date },
  decide: (
    tx: Tx,
    current: typeof testimonials.$inferSelect,
  ) => Promise<Change | null> | Change | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const current = await lockTestimonial(tx, testimonialId);
    const change = await decide(tx, current);
    if (!change) return;
    const { act, detail = {}, set } = change;
    const { customerId } = current;
    const subject = `testimonial:${testimonialId}`;
    await actAsOperator(tx, operator, { act, subject, customerId, detail, now }, (inner, auditId) =>
      inner.update(testimonials).set(set(auditId)).where(eq(testimonials.id, testimonialId)),
    );
  });
}

/** One whose contract has ended, or that was published before contracts were sold, is not shown: it can be published with another. */
async function isShown(tx: Tx, { contractId }: { contractId: string | null }): Promise<boolean> {
  if (contractId === null) return !(await contractsAreSold(tx));
  return (await findContractResult(tx, contractId)) !== null;
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
