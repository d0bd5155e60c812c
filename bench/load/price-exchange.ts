import { utcDay } from "#core/utc-day.ts";
import { simulatedMarket } from "#server/markets/simulation/simulated-market.ts";
import { startSimulatedExchange } from "#server/markets/simulation/start-simulated-exchange.ts";

/** The settings with which the product asks the demo's exchanges, so that its pages have prices to show. */
export async function priceExchange(): Promise<{
  env: Record<string, string>;
  stop(): Promise<void>;
}> {
  const exchange = await startSimulatedExchange(
    simulatedMarket(() => new Date(), utcDay(new Date())),
  );
  const sources = ["kraken", "coinbase", "bitstamp"].map((name) => `${name}=${exchange.url}`);
  return {
    env: {
      PRICE_SOURCES: sources.join(),
      PRICE_POLL_SECONDS: "5",
      BITCOIN_NETWORK_SOURCE: exchange.url,
    },
    stop: exchange.stop,
  };
}
