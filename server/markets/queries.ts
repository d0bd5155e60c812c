import { type PricedAsset, pricedAssets, toUsd } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, asc, desc, eq, gte, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import { shareReading } from "../platform/database/share-reading.ts";
import type { Db, Tx } from "../platform/database.ts";
import { ageOf, changePercent, isFresh, type Price, troubleNow } from "./price.ts";
import {
  marketAssets,
  marketCandles,
  marketPrices,
  marketQuotes,
  networkFigures,
} from "./schema.ts";

/** The last known price of every asset that ever had one, however old, in the order of the ticker tape. */
export async function listPrices(db: Db | Tx, now: Date): Promise<Price[]> {
  const latest = await selectLatest(db, { assets: pricedAssets });
  return latest.map((row) => asPrice(row, now));
}

/** The same for pages: read once for all who ask within a second, since a page follows the prices from then on. */
export async function listShownPrices(db: Db, now: Date): Promise<Price[]> {
  return (await readLatest(db, null, now)).map((row) => asPrice(row, now));
}

const readLatest = shareReading(
  1_000,
  () => "all",
  (db: Db, _: null) => selectLatest(db, { assets: pricedAssets }),
);

/** The last known price of one asset, however old; null when there was none yet. */
export async function findLastPrice(
  db: Db | Tx,
  asset: PricedAsset,
  now: Date,
): Promise<Price | null> {
  const [row] = await selectLatest(db, { assets: [asset] });
  return row ? asPrice(row, now) : null;
}

/**
 * The price that money may be valued with at this moment; null when the last one is too old. A simulated one is only
 * ever in a demo: PostgreSQL keeps them out of every other database (`simulated_figures_stay_in_demos`).
 */
export async function findFreshPrice(
  db: Db | Tx,
  asset: PricedAsset,
  now: Date,
): Promise<Price | null> {
  const price = await findLastPrice(db, asset, now);
  return price?.fresh ? price : null;
}

/** A price that money was valued with, with all that it rests on; null when there is none of that id. */
export async function findStoredPrice(db: Db | Tx, priceId: string) {
  const { asset, usdE8, observedAt, agreed, simulated } = marketPrices;
  const [price] = await db
    .select({ asset, usdE8, observedAt, sources: agreed, simulated })
    .from(marketPrices)
    .where(eq(marketPrices.id, priceId));
  return price ? { ...price, quotes: await listQuotes(db, priceId) } : null;
}

/** What a price rests on: every exchange that gave a quote, with its own figure, time and what came of it. */
export async function listQuotes(db: Db | Tx, priceId: string) {
  const q = marketQuotes;
  return db
    .select({ source: q.source, usdE8: q.usdE8, quotedAt: q.quotedAt, verdict: q.verdict })
    .from(q)
    .where(eq(q.priceId, priceId))
    .orderBy(asc(q.verdict), asc(q.source));
}

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

/** What the Bitcoin network was like when last asked; null when it never was. */
export async function findNetworkFigures(db: Db | Tx, now: Date): Promise<NetworkFigures | null> {
  const [row] = await db
    .select()
    .from(networkFigures)
    .orderBy(desc(networkFigures.observedAt))
    .limit(1);
  return row ? { ...row, ageMs: ageOf(row.observedAt, now) } : null;
}
export type NetworkFigures = typeof networkFigures.$inferSelect & { ageMs: number };

type LatestRow = Awaited<ReturnType<typeof selectLatest>>[number];

/** One look at the index per asset, whatever the length of the history. */
const selectLatest = prepared((db) => {
  const p = marketPrices;
  const latestOf = db
    .select({ id: p.id })
    .from(p)
    .where(sql`${p.asset} = wanted.asset`)
    .orderBy(desc(p.observedAt))
    .limit(1);
  return db
    .select({
      priceId: p.id,
      asset: p.asset,
      usdE8: p.usdE8,
      usdE8DayBefore: p.usdE8DayBefore,
      observedAt: p.observedAt,
      sources: p.agreed,
      simulated: p.simulated,
      trouble: marketAssets.trouble,
      askedAt: marketAssets.askedAt,
      agreed: sql<string[]>`array(
        select q.source from market_quotes q
         where q.price_id = ${p.id} and q.verdict = 'agreed' order by q.source)`,
    })
    .from(
      sql`unnest(${sql.placeholder("assets")}::text[]) with ordinality as wanted (asset, place)`,
    )
    .innerJoin(p, sql`${p.id} = (${latestOf})`)
    .leftJoin(marketAssets, eq(marketAssets.asset, p.asset))
    .orderBy(sql`wanted.place`)
    .prepare("markets_latest_prices");
});

function asPrice({ usdE8DayBefore, askedAt, trouble, ...row }: LatestRow, now: Date): Price {
  const { usdE8, observedAt } = row;
  return {
    ...row,
    trouble: troubleNow(askedAt && { askedAt, trouble }, now),
    usd: toUsd(usdE8),
    ageMs: ageOf(observedAt, now),
    fresh: isFresh(observedAt, now),
    change24h: usdE8DayBefore === null ? null : changePercent(usdE8DayBefore, usdE8),
  };
}
