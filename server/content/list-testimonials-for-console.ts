import { and, desc, eq, isNotNull, isNull, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { consented } from "./find-own-testimonial.ts";
import { testimonialConsents, testimonials } from "./schema.ts";
import type { TestimonialState } from "./testimonial.ts";

const t = testimonials;

const c = testimonialConsents;

// What follows is for staff.

/** A customer agreed to words that we have not published yet, or took off the site. */
const isToRead = and(
  isNotNull(c.id),
  isNull(t.publishedConsentId),
  isNull(t.withdrawnAt),
  isNull(t.declinedAt),
  isNull(t.unpublishedByAct),
);

/** Testimonials, the newest invitation first, each with the words that count now; all, or those to read. */
export async function listTestimonialsForConsole(
  db: Db | Tx,
  { toRead = false, limit = 200 }: { toRead?: boolean; limit?: number } = {},
) {
  const rows = await selectTestimonials(db)
    .where(toRead ? isToRead : undefined)
    .orderBy(desc(t.invitedAt), desc(t.id))
    .limit(limit);
  return rows.map(withState);
}

/** One testimonial with all words that its customer ever agreed to, newest first; null when there is none. */
export async function findTestimonialForConsole(db: Db | Tx, id: string) {
  const [row] = await selectTestimonials(db).where(sql`${t.id}::text = ${id}`);
  if (!row) return null;
  const consents = await db
    .select()
    .from(c)
    .where(eq(c.testimonialId, row.id))
    .orderBy(desc(c.agreedAt), desc(c.id));
  return { ...withState(row), consents };
}

function selectTestimonials(db: Db | Tx) {
  return db
    .select({
      id: t.id,
      customerId: t.customerId,
      customerName: users.name,
      customerEmail: users.email,
      invitation: t.invitation,
      invitedAt: t.invitedAt,
      declinedAt: t.declinedAt,
      withdrawnAt: t.withdrawnAt,
      publishedAt: t.publishedAt,
      publishedConsentId: t.publishedConsentId,
      contractId: t.contractId,
      ...consented,
      wasRevoked: sql<boolean>`exists (select from testimonial_consents e where e.testimonial_id = ${t.id} and e.ended_by = 'revoked')`,
    })
    .from(t)
    .innerJoin(users, eq(users.id, t.customerId))
    .leftJoin(c, and(eq(c.testimonialId, t.id), isNull(c.endedAt)))
    .$dynamic();
}

type TestimonialRow = Awaited<ReturnType<typeof selectTestimonials>>[number];

export type ListedTestimonial = TestimonialRow & { state: TestimonialState };

function withState(row: TestimonialRow): ListedTestimonial {
  return { ...row, state: stateOf(row) };
}

function stateOf(row: TestimonialRow): TestimonialState {
  if (row.withdrawnAt) return "withdrawn";
  if (row.declinedAt) return "declined";
  if (row.publishedConsentId) return "published";
  if (row.consentId) return "agreed";
  return row.wasRevoked ? "revoked" : "invited";
}
