import { type PricedAsset, pricedAssets } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq, gte, or, sql } from "#server/platform/sql.ts";
import { asInserted } from "../../platform/database/as-inserted.ts";
import type { Db } from "../../platform/database.ts";
import { runEach } from "../../platform/jobs/run-each.ts";
import { askSources, logSourceChanges, recordSources } from "../ask-sources.ts";
import { beginRound, type MarketContext } from "../round.ts";
import { marketCandles } from "../schema.ts";
import { priceSources } from "../sources/price-sources.ts";
import type { SourceCandle } from "../sources/source.ts";
import { type CombinedCandle, combineCandles } from "./combine-candles.ts";

/** How many past days are kept complete: a year and a little, for a chart of twelve months. */
const candleDays = 366;
const dayMs = 86_400_000;
/** An exchange may still move a day's last figures a moment after midnight. */
const settledAfterMs = 5 * 60_000;
/** The job runs every ten minutes, and at the start of a worker; many starts must not become many questions. */
const roundGapMs = 60_000;
/** Our own prices move today's candle: the exchanges are asked about it every hour. */
const todayGapMs = 50 * 60_000;

/** Asks the exchanges for the daily candles that are missing, unless a worker did a moment ago. */
export async function repairCandles(context: MarketContext): Promise<void> {
  const { db, config } = context;
  if (config.prices.sources.length === 0) return;
  const askedAt = await beginRound(db, "candles", roundGapMs);
  if (!askedAt) return;
  const today = (await beginRound(db, "candles-of-today", todayGapMs)) !== null;
  await askForCandles(context, askedAt, { today });
}

/**
 * Fills in the daily candles of the last year that are missing or not final, and today's so far if wanted. The
 * first run fetches twelve months; later ones what has changed since, and gaps of days without internet.
 */
export async function askForCandles(
  context: MarketContext,
  askedAt: Date,
  { today }: { today: boolean } = { today: true },
): Promise<void> {
  await runEach(pricedAssets, async (asset) => {
    if (context.stopping?.aborted) return;
    const missing = await missingDays(context, asset, askedAt);
    const wanted = today ? missing : missing.filter((day) => day < utcDay(askedAt));
    const [since] = wanted;
    if (since === undefined) return;
    const given = await askForDays(context, asset, { since, askedAt });
    if (context.stopping?.aborted) return;
    const isWanted = new Set(wanted);
    const combined = combineCandles(given, context.config.prices.needed);
    await recordCandles(
      context,
      asset,
      combined.filter(({ day }) => isWanted.has(day)),
      askedAt,
    );
  });
}

/** The UTC days up to today without a final candle, oldest first. A simulated one is none outside a demo. */
async function missingDays(
  { db, config }: Pick<MarketContext, "db" | "config">,
  asset: PricedAsset,
  now: Date,
): Promise<string[]> {
  const c = marketCandles;
  const wanted = Array.from({ length: candleDays + 1 }, (_, i) =>
    utcDay(new Date(now.getTime() - (candleDays - i) * dayMs)),
  );
  const [first = utcDay(now)] = wanted;
  const final = await db
    .select({ day: c.day })
    .from(c)
    .where(
      and(
        eq(c.asset, asset),
        gte(c.day, first),
        eq(c.isFinal, true),
        or(eq(c.simulated, false), eq(c.simulated, config.demo)),
      ),
    );
  const known = new Set(final.map(({ day }) => day));
  return wanted.filter((day) => !known.has(day));
}

/** Under a name of its own each: an exchange whose candles fail may still know its prices. */
async function askForDays(
  { db, config, log, stopping }: MarketContext,
  asset: PricedAsset,
  { since, askedAt }: { since: string; askedAt: Date },
): Promise<Map<string, SourceCandle[]>> {
  const asked = await askSources(
    db,
    config.prices.sources.map(({ name, url }) => ({
      source: candlesOf(name),
      url,
      put: (ask) => priceSources[name].askCandles(ask, asset, { since, now: askedAt }),
    })),
    { askedAt, withinMs: 15_000, stopping },
  );
  if (stopping?.aborted) return new Map();
  await recordSources(db, asked);
  logSourceChanges(log, asked);
  const given = new Map<string, SourceCandle[]>();
  for (const [i, { answer }] of asked.entries()) {
    const name = config.prices.sources[i]?.name;
    if (answer && name) given.set(name, answer);
  }
  return given;
}

/** The name under which an exchange's daily candles are kept account of. */
export function candlesOf(source: string): string {
  return `${source}-candles`;
}

async function recordCandles(
  { db, config }: { db: Db; config: MarketContext["config"] },
  asset: PricedAsset,
  candles: CombinedCandle[],
  askedAt: Date,
): Promise<void> {
  if (candles.length === 0) return;
  const c = marketCandles;
  const settledBefore = utcDay(new Date(askedAt.getTime() - settledAfterMs));
  await db
    .insert(c)
    .values(
      candles.map((candle) => ({
        ...candle,
        asset,
        isFinal: candle.day < settledBefore,
        simulated: config.demo,
        updatedAt: askedAt,
      })),
    )
    .onConflictDoUpdate({
      target: [c.asset, c.day],
      set: asInserted(
        c,
        "openUsdE8",
        "highUsdE8",
        "lowUsdE8",
        "closeUsdE8",
        "sources",
        "isFinal",
        "simulated",
        "updatedAt",
      ),
      setWhere: sql`(not ${c.isFinal} or ${c.simulated}) and (${c.simulated} or not excluded.simulated)`,
    });
}
