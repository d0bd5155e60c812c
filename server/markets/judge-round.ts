import { type PricedAsset, pricedAssets } from "#core/price.ts";
import { type Agreement, agreeOnPrice, type GivenQuote } from "./agree-on-price.ts";
import type { Asked } from "./ask-sources.ts";
import { medianOf } from "./median.ts";
import type { DropReason } from "./price.ts";
import type { SourceQuote } from "./sources/source.ts";

/** What one exchange said about all assets. */
export type QuoteAnswer = Map<PricedAsset, SourceQuote>;

/** An exchange's quote of an asset that was left out. */
export interface Drop {
  source: string;
  asset: PricedAsset;
  reason: DropReason;
  usdE8: bigint | null;
  medianUsdE8: bigint | null;
  quotedAt: Date | null;
}

/** What a round of questions says about one asset. */
export interface JudgedAsset {
  asset: PricedAsset;
  agreement: Agreement;
  /** What the exchanges that agreed say it was 24 hours before; null: none of them says. */
  usdE8DayBefore: bigint | null;
  drops: Drop[];
}

/** Finds for every asset what the exchanges that answered agree on, and what is left out. */
export function judgeRound(
  asked: ReadonlyArray<Asked<QuoteAnswer>>,
  by: { needed: number; askedAt: Date },
): JudgedAsset[] {
  return pricedAssets.map((asset) => judgeAsset(asset, asked, by));
}

function judgeAsset(
  asset: PricedAsset,
  asked: ReadonlyArray<Asked<QuoteAnswer>>,
  by: { needed: number; askedAt: Date },
): JudgedAsset {
  const given: GivenQuote[] = [];
  const before = new Map<string, bigint | null>();
  const drops: Drop[] = [];
  for (const { source, answer } of asked) {
    if (!answer) continue;
    const quote = answer.get(asset);
    if (quote && isMoment(quote.quotedAt)) {
      given.push({ source, usdE8: quote.usdE8, quotedAt: quote.quotedAt });
      before.set(source, quote.usdE8DayBefore);
    } else {
      const nothing = { usdE8: null, medianUsdE8: null, quotedAt: null };
      drops.push({ source, asset, reason: "unreadable", ...nothing });
    }
  }
  const agreement = agreeOnPrice(given, by);
  const { medianUsdE8 } = agreement;
  for (const { verdict, ...quote } of agreement.quotes) {
    if (verdict !== "agreed") drops.push({ ...quote, asset, reason: verdict, medianUsdE8 });
  }
  return { asset, agreement, usdE8DayBefore: medianBefore(agreement, before), drops };
}

/** Not the year 57000 that seconds counted in thousandths make: PostgreSQL would refuse the whole round for it. */
function isMoment(quotedAt: Date): boolean {
  const year = quotedAt.getUTCFullYear();
  return year >= 1970 && year <= 9999;
}

function medianBefore({ quotes }: Agreement, before: Map<string, bigint | null>): bigint | null {
  const known = quotes.flatMap(({ source, verdict }) =>
    verdict === "agreed" ? (before.get(source) ?? []) : [],
  );
  return known.length > 0 ? medianOf(known) : null;
}
