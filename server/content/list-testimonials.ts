import { formatAmount } from "#core/money.ts";
import type { Network } from "#core/payments/address.ts";
import { flag, getRow } from "#server/platform/database/read-rows.ts";
import { and, desc, eq, isNotNull, isNull, or, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { testimonialConsents, testimonials } from "./schema.ts";
import { sampleTestimonials, type Testimonial } from "./testimonial.ts";

const t = testimonials;

const c = testimonialConsents;

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
      units: t.netResultUnits,
      asset: t.netResultAsset,
    })
    .from(t)
    .innerJoin(c, eq(c.id, t.publishedConsentId))
    // What was published before contracts were sold needs its evidence now.
    .where(and(isNull(c.endedAt), or(isNotNull(t.contractId), sql`not contracts_are_sold()`)))
    .orderBy(desc(t.publishedAt), desc(t.id))
    .limit(slidesShown);
  if (published.length === 0 && network !== "mainnet" && !(await wasEverPublished(db))) {
    return { slides: sampleTestimonials, areSamples: true };
  }
  const slides = published.map(({ units, asset, ...slide }) => ({
    ...slide,
    result: units !== null && asset !== null ? netResult(units, asset) : null,
  }));
  return { slides, areSamples: false };
}

/** The specification's carousel has three slides. */
const slidesShown = 3;

/** A loss is told as plainly as a gain: by sign and by word. */
function netResult(units: bigint, asset: "BTC" | "ETH" | "USDT"): string {
  const word = units < 0n ? "Net loss" : "Net result";
  return `${word}: ${units > 0n ? "+" : ""}${formatAmount(units, asset)} ${asset}`;
}

async function wasEverPublished(db: Db | Tx): Promise<boolean> {
  const found = await db.select({ id: t.id }).from(t).where(isNotNull(t.publishedByAct)).limit(1);
  return found.length > 0;
}

/** Whether a contract was ever sold. From then on publishing needs evidence of one. */
export async function contractsAreSold(db: Db | Tx): Promise<boolean> {
  const sold = sql`select contracts_are_sold() as sold`;
  return (await getRow(db, sold, { sold: flag })).sold;
}
