import { pricedAssets, toUsd } from "#core/price.ts";
import { desc, eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db, Tx } from "../platform/database.ts";
import { memoizeFor } from "../platform/memoize-for.ts";
import { ageOf, changePercent, isFresh, type Price, troubleNow } from "./price.ts";
import { marketAssets, marketPrices } from "./schema.ts";

/** The last known price of every asset that ever had one, however old, in the order of the ticker tape. */
export async function listPrices(db: Db | Tx, now: Date): Promise<Price[]> {
  const latest = await selectLatest(db, { assets: pricedAssets });
  return latest.map((row) => asPrice(row, now));
}

/** The same for pages: read once for all who ask within a second, since a page follows the prices from then on. */
export async function listShownPrices(db: Db, now: Date): Promise<Price[]> {
  return (await readLatest(db, null, now)).map((row) => asPrice(row, now));
}

const readLatest = memoizeFor(
  1_000,
  () => "all",
  (db: Db, _: null) => selectLatest(db, { assets: pricedAssets }),
);

type LatestRow = Awaited<ReturnType<typeof selectLatest>>[number];

/** One look at the index per asset, whatever the length of the history. */
export const selectLatest = prepared((db) => {
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

export function asPrice({ usdE8DayBefore, askedAt, trouble, ...row }: LatestRow, now: Date): Price {
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
