import type { App } from "#server/app-context.ts";
import type { Price } from "#server/markets/price.ts";
import { findLastPrice, findNetworkFigures, type NetworkFigures } from "#server/markets/queries.ts";
import { orElse } from "../or-else.ts";

/** Older figures of the network are no ground for a calculation: the difficulty may have been adjusted since. */
const networkMaxAgeMs = 24 * 3_600_000;

/** What was observed last, however old, and whether it may stand in a calculation. */
export interface Observed {
  price: Price | null;
  network: NetworkFigures | null;
  networkFresh: boolean;
}

export async function loadObserved(app: App, now: Date): Promise<Observed> {
  const [price, network] = await Promise.all([
    orElse(app, findLastPrice(app.db, "BTC", now), null),
    orElse(app, findNetworkFigures(app.db, now), null),
  ]);
  return { price, network, networkFresh: network !== null && network.ageMs <= networkMaxAgeMs };
}
