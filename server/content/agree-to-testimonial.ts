import { randomUUIDv7 } from "node:crypto";
import { type NameForm, nameInForm } from "#core/people/name-form.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Customer } from "../identity/account/customer.ts";
import type { Db, Tx } from "../platform/database.ts";
import { testimonialConsents, testimonials } from "./schema.ts";
import { type TestimonialImage, testimonialLimits } from "./testimonial.ts";

export interface WordsToShow {
  words: string;
  nameForm: NameForm;
  role: string;
  image: TestimonialImage;
}

/**
 * A customer agrees that exactly these words may be shown, with the name in this form. Words that were agreed
 * to before are replaced: what was published of them is gone until an operator publishes the new ones.
 * Agreeing to the same again changes nothing.
 *
 * @throws Refusal `content/not-invited`, `content/words-too-short`, `content/words-too-long`
 */
export async function agreeToTestimonial(
  db: Db,
  customer: Pick<Customer, "id" | "firstName" | "lastName">,
  wanted: WordsToShow,
  now: Date,
): Promise<void> {
  const words = wanted.words.trim();
  if (words.length < testimonialLimits.wordsMin) throw new Refusal("content/words-too-short");
  if (words.length > testimonialLimits.words) throw new Refusal("content/words-too-long");
  const shown = {
    words,
    shownName: nameInForm(customer, wanted.nameForm),
    role: wanted.role.trim().slice(0, testimonialLimits.role),
    image: wanted.image,
  };
  await db.transaction(async (tx) => {
    const testimonialId = await lockOpenInvitation(tx, customer.id);
    const [agreed] = await tx.select().from(testimonialConsents).where(isCurrent(testimonialId));
    if (agreed && isTheSame(agreed, shown)) return;
    await endConsent(tx, testimonialId, "rewritten", now);
    // Taken off the site were other words: these wait to be read.
    await tx
      .update(testimonials)
      .set({ unpublishedByAct: null })
      .where(eq(testimonials.id, testimonialId));
    await tx.insert(testimonialConsents).values({
      id: randomUUIDv7(),
      testimonialId,
      customerId: customer.id,
      ...shown,
      agreedAt: now,
    });
  });
}

/** Takes back what a customer agreed to: the slide is gone with the same commit. Repeating it changes nothing. */
export async function revokeTestimonial(db: Db, customerId: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await endConsent(tx, await lockOpenInvitation(tx, customerId), "revoked", now);
  });
}

/** A customer would rather not. What was agreed to before ends too. */
export async function declineTestimonial(db: Db, customerId: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const testimonialId = await lockOpenInvitation(tx, customerId);
    await endConsent(tx, testimonialId, "revoked", now);
    await tx
      .update(testimonials)
      .set({ declinedAt: now })
      .where(eq(testimonials.id, testimonialId));
  });
}

/** The customer's invitation, locked until the end, so that nobody publishes meanwhile. */
async function lockOpenInvitation(tx: Tx, customerId: string): Promise<string> {
  const [invitation] = await tx
    .select({ id: testimonials.id })
    .from(testimonials)
    .where(
      and(
        eq(testimonials.customerId, customerId),
        isNull(testimonials.withdrawnAt),
        isNull(testimonials.declinedAt),
      ),
    )
    .for("update");
  if (!invitation) throw new Refusal("content/not-invited");
  return invitation.id;
}

function isCurrent(testimonialId: string) {
  return and(
    eq(testimonialConsents.testimonialId, testimonialId),
    isNull(testimonialConsents.endedAt),
  );
}

/** A trigger takes the slide away with the consent. */
export async function endConsent(
  tx: Tx,
  testimonialId: string,
  endedBy: "revoked" | "rewritten",
  now: Date,
): Promise<void> {
  await tx
    .update(testimonialConsents)
    .set({ endedAt: now, endedBy })
    .where(isCurrent(testimonialId));
}

type Shown = Pick<
  typeof testimonialConsents.$inferSelect,
  "words" | "shownName" | "role" | "image"
>;

function isTheSame(agreed: Shown, shown: Shown): boolean {
  return (["words", "shownName", "role", "image"] as const).every(
    (part) => agreed[part] === shown[part],
  );
}
