import type { PricedAsset } from "#core/price.ts";
import { z } from "#core/zod.ts";
import type { ExchangeName } from "../../platform/config.ts";
import type { Ask } from "./ask.ts";

/** What a source said about one asset. */
export interface SourceQuote {
  usdE8: bigint;
  /** By its own clock. */
  quotedAt: Date;
  /** What it says the price was 24 hours before; null: it does not. */
  usdE8DayBefore: bigint | null;
}

/** One UTC day as a source saw it. */
export interface SourceCandle {
  /** YYYY-MM-DD. */
  day: string;
  openUsdE8: bigint;
  highUsdE8: bigint;
  lowUsdE8: bigint;
  closeUsdE8: bigint;
}

export interface PriceSource {
  name: ExchangeName;
  /**
   * What every asset costs now. An asset whose figure cannot be read is missing.
   *
   * @throws SourceError when there is no figure at all, or it wants to be left alone
   */
  askQuotes(ask: Ask): Promise<Map<PricedAsset, SourceQuote>>;
  /** The days of an asset from `since` (a UTC day) on, today's unfinished one included, in any order. */
  askCandles(
    ask: Ask,
    asset: PricedAsset,
    range: { since: string; now: Date },
  ): Promise<SourceCandle[]>;
}

/** Numbers in JSON and in text are the same to us: digits, cut to eight places, never computed with. */
export const figure = z.union([z.string(), z.number()]);
export type Figure = z.infer<typeof figure>;
