import { randomUUIDv7 } from "node:crypto";
import { type PricedAsset, pricedAssets } from "#core/price.ts";
import { sql } from "#server/platform/sql.ts";
import { asInserted } from "../platform/database/as-inserted.ts";
import { oneOf, readRows, units } from "../platform/database/read-rows.ts";
import type { Tx } from "../platform/database.ts";
import { type Asked, recordSources } from "./ask-sources.ts";
import { moveTodaysCandles } from "./candles/move-todays-candles.ts";
import { type JudgedAsset, judgeRound, type QuoteAnswer } from "./judge-round.ts";
import { recordDrops } from "./record-drops.ts";
import type { Change, FoundPrice, MarketContext } from "./round.ts";
import { marketAssets, marketPrices, marketQuotes } from "./schema.ts";

/** On this channel PostgreSQL tells every web process that prices have changed. */
export const priceChannel = "market_prices";

/**
 * Writes down a round of questions in one transaction: the prices on which enough exchanges agree, each with
 * what every exchange said; how the exchanges and the assets are; what was left out. Tells all web processes.
 *
 * @returns what is otherwise than before, to be logged once the transaction stands
 */
export async function recordRound(
  { db, config }: Pick<MarketContext, "db" | "config">,
  asked: ReadonlyArray<Asked<QuoteAnswer>>,
  askedAt: Date,
): Promise<Change[]> {
  const { needed, sources } = config.prices;
  const judged = judgeRound(asked, { needed, askedAt });
  const simulated = config.demo;
  return db.transaction(async (tx) => {
    await recordSources(tx, asked);
    const hosts = new Map<string, string>(
      sources.map(({ name, url }) => [name, new URL(url).host]),
    );
    const found = await recordPrices(tx, judged, { askedAt, simulated, hosts });
    const troubles = await recordAssets(tx, judged, askedAt);
    const drops = await recordDrops(tx, judged, {
      answered: asked.flatMap(({ source, answer }) => (answer ? [source] : [])),
      configured: sources.map(({ name }) => name),
      askedAt,
    });
    await moveTodaysCandles(tx, found, { askedAt, simulated });
    if (found.length > 0 || troubles.length > 0) {
      await tx.execute(sql`select pg_notify(${priceChannel}, '')`);
    }
    return [...troubles, ...drops];
  });
}

async function recordPrices(
  tx: Tx,
  judged: JudgedAsset[],
  { askedAt, simulated, hosts }: { askedAt: Date; simulated: boolean; hosts: Map<string, string> },
): Promise<FoundPrice[]> {
  const found = judged.flatMap(({ asset, agreement, usdE8DayBefore }) => {
    const { usdE8, agreed, quotes } = agreement;
    return usdE8 === null
      ? []
      : [{ id: randomUUIDv7(), asset, usdE8, agreed, quotes, usdE8DayBefore }];
  });
  if (found.length === 0) return [];
  const earlier = await pricesDayBefore(tx, askedAt, simulated);
  await tx.insert(marketPrices).values(
    found.map(({ quotes: _, ...price }) => ({
      ...price,
      usdE8DayBefore: earlier.get(price.asset) ?? price.usdE8DayBefore,
      observedAt: askedAt,
      simulated,
    })),
  );
  await tx
    .insert(marketQuotes)
    .values(
      found.flatMap(({ id, quotes }) =>
        quotes.map((quote) => ({ priceId: id, host: hosts.get(quote.source) ?? "", ...quote })),
      ),
    );
  return found;
}

/** Our own prices of 24 hours ago, where we have some of at most ten minutes earlier: they have evidence. */
async function pricesDayBefore(
  tx: Tx,
  askedAt: Date,
  simulated: boolean,
): Promise<Map<PricedAsset, bigint>> {
  // One look at the index per asset, whatever the length of the history.
  const rows = await readRows(
    tx,
    sql`
    select wanted.asset, earlier.usd_e8 as "usdE8"
      from unnest(${sql.param([...pricedAssets])}::text[]) as wanted (asset)
     cross join lateral (
       select p.usd_e8 from market_prices p
        where p.asset = wanted.asset
          and p.observed_at <= ${askedAt.toISOString()}::timestamptz - interval '24 hours'
          and p.observed_at >= ${askedAt.toISOString()}::timestamptz - interval '24 hours 10 minutes'
          and p.simulated = ${simulated}
        order by p.observed_at desc limit 1) as earlier`,
    { asset: oneOf(pricedAssets), usdE8: units },
  );
  return new Map(rows.map(({ asset, usdE8 }) => [asset, usdE8]));
}

/** Keeps for every asset how the last round went, and since when it goes like that. */
async function recordAssets(tx: Tx, judged: JudgedAsset[], askedAt: Date): Promise<Change[]> {
  const a = marketAssets;
  const before = new Map((await tx.select().from(a)).map((row) => [row.asset, row]));
  const rows = judged.map(({ asset, agreement: { answered, agreed, trouble } }) => {
    const last = before.get(asset);
    const since = last && last.trouble === trouble ? last.since : askedAt;
    return { asset, askedAt, answered, agreed, trouble, since };
  });
  await tx
    .insert(a)
    .values(rows)
    .onConflictDoUpdate({
      target: a.asset,
      set: asInserted(a, "askedAt", "answered", "agreed", "trouble", "since"),
      setWhere: sql`${a.askedAt} <= excluded.asked_at`,
    });
  const changed = rows.filter(
    ({ asset, trouble }) => trouble !== (before.get(asset)?.trouble ?? null),
  );
  return [
    ...sayTrouble(changed, "too-few-sources", "no new prices: too few sources answer"),
    ...sayTrouble(changed, "sources-disagree", "no new prices: the sources disagree"),
    ...sayTrouble(changed, null, "prices are found again"),
  ];
}

function sayTrouble(
  changed: Array<{ asset: PricedAsset; trouble: string | null }>,
  trouble: string | null,
  words: string,
): Change[] {
  const assets = changed.filter((row) => row.trouble === trouble).map(({ asset }) => asset);
  if (assets.length === 0) return [];
  return [{ level: trouble === null ? "info" : "warn", words, facts: { assets } }];
}
