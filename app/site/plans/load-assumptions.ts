import type { App } from "#server/app-context.ts";
import { findLastPrice } from "#server/markets/find-fresh-price.ts";
import { findNetworkFigures, type NetworkFigures } from "#server/markets/find-network-figures.ts";
import { networkMaxAgeMs } from "#server/markets/find-projected-start.ts";
import type { Price } from "#server/markets/price.ts";
import { orElse } from "../frame/or-else.ts";

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
