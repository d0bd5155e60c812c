import { mkdirSync } from "node:fs";
import type { SimulatedChain } from "../server/chain/simulation/simulated-chain.ts";
import { startSimulatedNode } from "../server/chain/simulation/start-simulated-node.ts";
import type { Market } from "../server/markets/simulation/simulated-market.ts";
import { startSimulatedExchange } from "../server/markets/simulation/start-simulated-exchange.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import { secretInDataDir } from "../server/platform/config/secrets.ts";
import { type Config, ConfigError } from "../server/platform/config.ts";
import type { Product } from "../server/start.ts";
import { buildWhenNeeded } from "./build-pages.ts";
import { builtPages } from "./built-pages.ts";
import { demoWallet, openDemoChain } from "./demo/demo-chain.ts";
import { openDemoMarket } from "./demo/open-demo-market.ts";
import { hasRehearsalClock } from "./rehearsal/clock.ts";

/** Starts the product with invented customers, and exchanges and a Bitcoin chain of its own that are simulated. */
export async function startDemo(env: NodeJS.ProcessEnv): Promise<Product> {
  const now = () => new Date();
  const { dataDir } = readConfig(demoEnvironment(env));
  if (hasRehearsalClock(dataDir)) {
    throw new ConfigError(`DATA_DIR ${dataDir} is a rehearsal's: it goes by another clock.`);
  }
  mkdirSync(dataDir, { recursive: true });
  const chain = openDemoChain(dataDir);
  const market = openDemoMarket(dataDir, now);
  const exchange = await startSimulatedExchange(market);
  const node = await startSimulatedNode(chain, now);
  const stopSimulations = async () => {
    await Promise.all([exchange.stop(), node.stop()]);
  };
  try {
    const config = readConfig(demoEnvironment(env, { exchange: exchange.url, node: node.url }));
    buildWhenNeeded();
    const started = await startFilled(config, chain, market);
    const stop = async () => {
      try {
        await started.stop();
      } finally {
        await stopSimulations();
      }
    };
    return { ...started, stop };
  } catch (error) {
    await stopSimulations();
    throw error;
  }
}

async function startFilled(
  config: Config,
  chain: SimulatedChain,
  market: Market,
): Promise<Product> {
  const { startProduct } = await import("../server/start.ts");
  const { fillDemo } = await import("./demo/fill-demo.ts");
  const password = secretInDataDir(config.dataDir, "demo-password");
  // Before the worker begins: what it would do at its own moment is done at the moments of the story.
  return startProduct(config, builtPages, (app, ownerUrl) =>
    fillDemo(app, { ownerUrl, password, chain, market }),
  );
}

/**
 * A data directory of its own; an own database or mail server must not get invented customers. Its prices and its chain
 * come from the demo itself: nobody in the world is asked, and all of it is marked as simulated.
 */
export function demoEnvironment(
  env: NodeJS.ProcessEnv,
  simulated?: { exchange: string; node: string },
): NodeJS.ProcessEnv {
  if (env["NETWORK"] === "mainnet") {
    throw new ConfigError("NETWORK must not be mainnet for a demo: it shows invented customers.");
  }
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, SMTP_URL: ___, ...rest } = env;
  return {
    ...rest,
    DATA_DIR: env["DATA_DIR"] ?? "./demo-data",
    DEMO: "1",
    NETWORK: "regtest",
    ROLE: "all",
    DEPOSIT_WALLET_BITCOIN: demoWallet,
    DEPOSIT_SLIPS: "always",
    ...(simulated && {
      PRICE_SOURCES: ["kraken", "coinbase", "bitstamp"]
        .map((name) => `${name}=${simulated.exchange}`)
        .join(),
      BITCOIN_NETWORK_SOURCE: simulated.exchange,
      BITCOIN_RPC_URL: simulated.node,
    }),
    PRICE_POLL_SECONDS: "5",
    LOG_LEVEL: env["LOG_LEVEL"] ?? "warn",
  };
}
