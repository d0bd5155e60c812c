import { blockSubsidySats } from "#core/mining/block-subsidy.ts";
import { and, desc, eq, gte } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { askSources, logSourceChanges, recordSources } from "./ask-sources.ts";
import { beginRound, type MarketContext } from "./round.ts";
import { networkFigures } from "./schema.ts";
import { type Ask, SourceError } from "./sources/ask.ts";
import { askMempool, type GivenFigures } from "./sources/mempool.ts";

/** The job runs every ten minutes, and at the start of a worker; public servers ban who asks often. */
const roundGapMs = 5 * 60_000;

/** The name under which the source of network figures is kept account of. */
export const networkSource = "mempool";

/** Asks about the Bitcoin network, unless a worker did a moment ago, and records what was said. */
export async function pollNetwork(context: MarketContext): Promise<void> {
  if (context.config.bitcoinNetworkUrl === null) return;
  const askedAt = await beginRound(context.db, "network", roundGapMs);
  if (askedAt) await askForNetworkFigures(context, askedAt);
}

/** One round of questions about the network, at a moment. Figures that cannot be right count as no answer. */
export async function askForNetworkFigures(
  { db, config, log, stopping }: MarketContext,
  askedAt: Date,
): Promise<void> {
  const url = config.bitcoinNetworkUrl;
  if (url === null) return;
  const last = await lastHeight(db, config.demo, askedAt);
  const put = (ask: Ask) => askCarefully(ask, last);
  const asked = await askSources(db, [{ source: networkSource, url, put }], {
    askedAt,
    withinMs: 20_000,
    stopping,
  });
  if (stopping?.aborted) return;
  await db.transaction(async (tx) => {
    await recordSources(tx, asked);
    const figures = asked[0]?.answer;
    if (!figures) return;
    await tx.insert(networkFigures).values({
      ...figures,
      observedAt: askedAt,
      host: new URL(url).host,
      simulated: config.demo,
      subsidySats: blockSubsidySats(figures.height + 1),
    });
  });
  logSourceChanges(log, asked);
}

async function askCarefully(ask: Ask, last: { height: number } | null): Promise<GivenFigures> {
  const figures = await askMempool(ask);
  const fault = sanityCheck(figures, last);
  if (fault) throw new SourceError(`answered ${fault}`);
  return figures;
}

/** Of the last day: a height that was a lie, or another network's, must not have all true ones refused for good. */
async function lastHeight(
  db: Db,
  simulated: boolean,
  askedAt: Date,
): Promise<{ height: number } | null> {
  const [last] = await db
    .select({ height: networkFigures.height })
    .from(networkFigures)
    .where(
      and(
        eq(networkFigures.simulated, simulated),
        gte(networkFigures.observedAt, new Date(askedAt.getTime() - 86_400_000)),
      ),
    )
    .orderBy(desc(networkFigures.observedAt))
    .limit(1);
  return last ?? null;
}

/** Hashes that a block takes on average, per unit of difficulty: 2^32. Ten minutes are 600 seconds. */
const hashesPerDifficulty = 2n ** 32n;
const secondsPerBlock = 600n;

/** A reorganisation takes back a few blocks; nothing takes back more. */
const mostBlocksBack = 6;
const mostFeeSatPerVb = 100_000;
const mostFeesPerBlockSats = 100n * 100_000_000n;

/**
 * Why figures about the Bitcoin network cannot be right, in a few words; null when they can. There is one
 * source, so its figures are held against each other and against the last ones.
 */
function sanityCheck(given: GivenFigures, last: { height: number } | null): string | null {
  if (!Number.isSafeInteger(given.height) || given.height < 0 || given.height > 2 ** 31 - 2) {
    return "a height that is none";
  }
  if (last && given.height < last.height - mostBlocksBack) return "a height long past";
  if (given.difficulty < 1n) return "no difficulty";
  // Within a factor of four, either way: a hashrate is an estimate, from few blocks.
  const expected = (given.difficulty * hashesPerDifficulty) / secondsPerBlock;
  if (given.hashrateHs * 4n < expected || given.hashrateHs > expected * 4n) {
    return "a hashrate that does not fit its difficulty";
  }
  if (given.feesPerBlockSats < 0n || given.feesPerBlockSats > mostFeesPerBlockSats) {
    return "fees that no block ever paid";
  }
  const rates = [given.fastestFeeSatPerVb, given.halfHourFeeSatPerVb, given.hourFeeSatPerVb];
  const areRates = rates.every((rate) => rate >= 0.001 && rate <= mostFeeSatPerVb);
  return areRates ? null : "fee rates that are none";
}
