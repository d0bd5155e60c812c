import { enqueue } from "../platform/jobs/jobs.ts";
import type { MarketContext } from "./round.ts";

/** The job that is one round of questions about prices. */
export const pollPricesJob = "markets/poll-prices";

/**
 * Lays out the rounds of the minute that begins: recurring jobs know only minutes. Each place within the minute
 * has one key, so rounds that nobody ran are replaced, never piled up, and one that fails is not run again.
 */
export async function scheduleRounds(
  { db, config }: Pick<MarketContext, "db" | "config">,
  now: Date,
): Promise<void> {
  const { sources, pollSeconds } = config.prices;
  if (sources.length === 0) return;
  const minute = Math.floor(now.getTime() / 60_000) * 60_000;
  await db.transaction(async (tx) => {
    for (let second = 0; second < 60; second += pollSeconds) {
      const runAt = new Date(minute + second * 1000);
      await enqueue(
        tx,
        pollPricesJob,
        {},
        { key: `${pollPricesJob}:${second}`, runAt, maxAttempts: 1 },
      );
    }
  });
}
