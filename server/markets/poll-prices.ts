import { type Asked, askSources, logSourceChanges } from "./ask-sources.ts";
import type { QuoteAnswer } from "./judge-round.ts";
import { recordRound } from "./record-round.ts";
import { beginRound, type MarketContext } from "./round.ts";
import { priceSources } from "./sources/price-sources.ts";

/** A job may start a little late or early: rounds are at least this share of their interval apart. */
const shareOfInterval = 0.6;

/**
 * Asks the exchanges what coins cost, unless a worker did a moment ago, and records what came of it: however
 * many workers and visitors there are, an exchange is asked once per `PRICE_POLL_SECONDS`.
 */
export async function pollPrices(context: MarketContext): Promise<void> {
  const { sources, pollSeconds } = context.config.prices;
  if (sources.length === 0) return;
  const gapMs = pollSeconds * 1000 * shareOfInterval;
  const askedAt = await beginRound(context.db, "prices", gapMs);
  if (askedAt) await askForPrices(context, askedAt);
}

/** One round of questions about prices, at a moment. */
export async function askForPrices(context: MarketContext, askedAt: Date): Promise<void> {
  const { db, config, log, stopping } = context;
  const { sources, pollSeconds } = config.prices;
  const asked: Array<Asked<QuoteAnswer>> = await askSources(
    db,
    sources.map(({ name, url }) => ({
      source: name,
      url,
      put: (ask) => priceSources[name].askQuotes(ask),
    })),
    // Answered before the next round may begin.
    { askedAt, withinMs: pollSeconds * 1000 * shareOfInterval - 500, stopping },
  );
  if (stopping?.aborted) return;
  const changes = await recordRound(context, asked, askedAt);
  logSourceChanges(log, asked);
  for (const change of changes) log[change.level](change.facts, change.words);
}
