import type { RoundTrouble } from "#core/price.ts";
import { medianOf } from "./median.ts";
import type { Verdict } from "./price.ts";

/** What one exchange said an asset costs, and when, by its own clock. */
export interface GivenQuote {
  source: string;
  usdE8: bigint;
  quotedAt: Date;
}

export interface JudgedQuote extends GivenQuote {
  verdict: Verdict;
}

export interface Agreement {
  /** The price; null when too few exchanges agree. */
  usdE8: bigint | null;
  trouble: RoundTrouble | null;
  /** The middle of all fresh quotes, from which outliers are told. */
  medianUsdE8: bigint | null;
  quotes: JudgedQuote[];
  /** Fresh quotes, and those of them that agree. */
  answered: number;
  agreed: number;
}

/** How far from the median an exchange may be and still agree: 1 %, in hundredths of a per cent. */
const toleranceBp = 100n;

/** A quote's own time may lie this far back, for an asset that is not traded every second. */
export const quoteMaxAgeMs = 3 * 60_000;

/** A clock may be this far ahead of ours. A quote from further ahead is no more trusted than an old one. */
const clockToleranceMs = 60_000;

/**
 * Finds the price that exchanges agree on. Old quotes are left out; of the fresh ones, those further than 1 %
 * from their median are outliers; the price is the median of the rest, if at least `needed` are left and they
 * are more than half of the fresh ones. While fewer than half of the exchanges lie, the price therefore stays
 * among what the honest ones say, and two camps of equal size make no price at all.
 */
export function agreeOnPrice(
  given: readonly GivenQuote[],
  { needed, askedAt }: { needed: number; askedAt: Date },
): Agreement {
  const fresh = given.filter((quote) => isTimely(quote, askedAt));
  const medianUsdE8 = fresh.length > 0 ? medianOf(fresh.map(({ usdE8 }) => usdE8)) : null;
  const quotes = given.map((quote): JudgedQuote => {
    if (medianUsdE8 === null || !fresh.includes(quote)) return { ...quote, verdict: "stale" };
    return { ...quote, verdict: isNear(quote.usdE8, medianUsdE8) ? "agreed" : "outlier" };
  });
  const agreed = quotes.filter(({ verdict }) => verdict === "agreed");
  const counts = { answered: fresh.length, agreed: agreed.length };
  const trouble = incidentOf(counts, needed);
  const usdE8 = trouble === null ? medianOf(agreed.map((quote) => quote.usdE8)) : null;
  return { usdE8, trouble, medianUsdE8, quotes, ...counts };
}

function incidentOf(
  { answered, agreed }: Pick<Agreement, "answered" | "agreed">,
  needed: number,
): RoundTrouble | null {
  if (answered < needed) return "too-few-sources";
  return agreed < needed || agreed * 2 <= answered ? "sources-disagree" : null;
}

function isTimely({ quotedAt }: GivenQuote, askedAt: Date): boolean {
  const ageMs = askedAt.getTime() - quotedAt.getTime();
  return ageMs <= quoteMaxAgeMs && ageMs >= -clockToleranceMs;
}

/** Also used for daily candles: whether a figure lies within the tolerance around the median. */
export function isNear(usdE8: bigint, medianUsdE8: bigint): boolean {
  const distance = usdE8 > medianUsdE8 ? usdE8 - medianUsdE8 : medianUsdE8 - usdE8;
  return distance * 10_000n <= medianUsdE8 * toleranceBp;
}
