import type { PricedAsset } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, asc, eq, gte, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { marketCandles } from "../schema.ts";

/**
 * Daily candles of the last `days` UTC days and today's so far, oldest first. A day that the exchanges do
 * not agree about is missing; so is a past one that only our own prices know, which may be half of it.
 */
export async function listCandles(
  db: Db | Tx,
  asset: PricedAsset,
  { days, now }: { days: number; now: Date },
): Promise<Candle[]> {
  const c = marketCandles;
  const since = utcDay(new Date(now.getTime() - days * 86_400_000));
  const isWhole = sql`(cardinality(${c.sources}) > 0 or ${c.day} >= ${utcDay(now)}::date)`;
  return db
    .select({
      day: c.day,
      openUsdE8: c.openUsdE8,
      highUsdE8: c.highUsdE8,
      lowUsdE8: c.lowUsdE8,
      closeUsdE8: c.closeUsdE8,
      sources: c.sources,
      isFinal: c.isFinal,
      simulated: c.simulated,
    })
    .from(c)
    .where(and(eq(c.asset, asset), gte(c.day, since), isWhole))
    .orderBy(asc(c.day));
}

/** One UTC day of an asset, prices in 10^-8 dollars. */
export interface Candle {
  /** YYYY-MM-DD. */
  day: string;
  openUsdE8: bigint;
  highUsdE8: bigint;
  lowUsdE8: bigint;
  closeUsdE8: bigint;
  /** The exchanges whose median it is; none: made of our own prices since midnight. */
  sources: string[];
  /** Whether the day was over when the exchanges said it. */
  isFinal: boolean;
  simulated: boolean;
}
