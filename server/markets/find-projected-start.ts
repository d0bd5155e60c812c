import type { ProjectedStart } from "#core/mining/project-plan.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findFreshPrice } from "./find-fresh-price.ts";
import { findNetworkFigures } from "./find-network-figures.ts";

/** Older figures of the network are no ground for a calculation: the difficulty may have been adjusted since. */
export const networkMaxAgeMs = 24 * 3_600_000;

/** How things stand now, as a projection begins; null without a fresh price and fresh figures of the network. */
export async function findProjectedStart(
  db: Db | Tx,
  now: Date,
): Promise<(ProjectedStart & { subsidySats: bigint; observedAt: Date }) | null> {
  const [price, network] = await Promise.all([
    findFreshPrice(db, "BTC", now),
    findNetworkFigures(db, now),
  ]);
  if (!price || !network || network.ageMs > networkMaxAgeMs) return null;
  const { difficulty, height, subsidySats, feesPerBlockSats, observedAt } = network;
  return {
    btcUsdE8: price.usdE8,
    difficulty,
    height,
    subsidySats,
    feesPerBlockSats,
    observedAt,
  };
}
