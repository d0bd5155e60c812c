import type { Network } from "#core/payments/address.ts";
import { and, desc, eq, isNotNull, isNull, or, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findContractResult } from "./find-contract-result.ts";
import { testimonialConsents, testimonials } from "./schema.ts";
import { sampleTestimonials, type Testimonial } from "./testimonial.ts";

const t = testimonials;

const c = testimonialConsents;

const hasContractThatRuns = sql`exists (
  select from contracts k where k.id = ${t.contractId} and k.last_day is null)`;

/** What the carousel shows. */
export interface Carousel {
  slides: readonly Testimonial[];
  /** Whether nobody said them: then every slide says so. */
  areSamples: boolean;
}

/**
 * The newest three published testimonials. A fresh site shows samples; a live one never does: not on
 * mainnet, and not anywhere once a real one has been published.
 */
export async function listTestimonials(
  db: Db | Tx,
  { network }: { network: Network },
): Promise<Carousel> {
  const published = await db
    .select({
      id: t.id,
      name: c.shownName,
      role: c.role,
      text: c.words,
      image: c.image,
      contractId: t.contractId,
    })
    .from(t)
    .innerJoin(c, eq(c.id, t.publishedConsentId))
    // What was published before contracts were sold needs one now, and one that has ended shows nothing any more.
    .where(and(isNull(c.endedAt), or(hasContractThatRuns, sql`not contracts_are_sold()`)))
    .orderBy(desc(t.publishedAt), desc(t.id))
    .limit(slidesShown);
  if (published.length === 0 && network !== "mainnet" && !(await wasEverPublished(db))) {
    return { slides: sampleTestimonials, areSamples: true };
  }
  const slides = await Promise.all(
    published.map(async ({ contractId, ...slide }) => ({
      ...slide,
      result: contractId === null ? null : await findContractResult(db, contractId),
    })),
  );
  return { slides, areSamples: false };
}

/** The specification's carousel has three slides. */
const slidesShown = 3;

async function wasEverPublished(db: Db | Tx): Promise<boolean> {
  const found = await db.select({ id: t.id }).from(t).where(isNotNull(t.publishedByAct)).limit(1);
  return found.length > 0;
}
