import { startSimulatedExchange } from "../server/markets/simulation/start-simulated-exchange.ts";
import {
  type Config,
  ConfigError,
  readConfig,
  secretInDataDir,
} from "../server/platform/config.ts";
import type { Product } from "../server/start.ts";
import { buildWhenNeeded } from "./build.ts";
import { builtPages } from "./built-pages.ts";
import { reachDatabase } from "./reach-database.ts";

/** Starts the product with invented customers, and exchanges of its own that simulate prices. */
export async function startDemo(env: NodeJS.ProcessEnv): Promise<Product> {
  const exchange = await startSimulatedExchange(() => new Date());
  try {
    const config = readConfig(demoEnvironment(env, exchange.url));
    buildWhenNeeded();
    const started = await startFilled(config);
    const stop = () => started.stop().finally(() => exchange.stop());
    return { ...started, stop };
  } catch (error) {
    await exchange.stop();
    throw error;
  }
}

async function startFilled(config: Config): Promise<Product> {
  const { startProduct } = await import("../server/start.ts");
  const { fillDemo } = await import("./fill-demo.ts");
  const started = await startProduct(config, builtPages);
  try {
    const { ownerUrl } = await reachDatabase(config);
    await fillDemo(started.app, ownerUrl, secretInDataDir(config.dataDir, "demo-password"));
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}

/**
 * A data directory of its own; an own database or mail server must not get invented customers. Its prices come
 * from the demo's own exchanges: nobody in the world is asked, and all of them are marked as simulated.
 */
function demoEnvironment(env: NodeJS.ProcessEnv, exchangeUrl: string): NodeJS.ProcessEnv {
  if (env["NETWORK"] === "mainnet") {
    throw new ConfigError("NETWORK must not be mainnet for a demo: it shows invented customers.");
  }
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, SMTP_URL: ___, ...rest } = env;
  return {
    ...rest,
    DATA_DIR: env["DATA_DIR"] ?? "./demo-data",
    DEMO: "1",
    ROLE: "all",
    PRICE_SOURCES: ["kraken", "coinbase", "bitstamp"]
      .map((name) => `${name}=${exchangeUrl}`)
      .join(),
    PRICE_POLL_SECONDS: "5",
    BITCOIN_NETWORK_SOURCE: exchangeUrl,
    LOG_LEVEL: env["LOG_LEVEL"] ?? "warn",
  };
}
