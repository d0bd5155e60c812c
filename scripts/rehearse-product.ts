import process from "node:process";
import { startSimulatedExchange } from "../server/markets/simulation/start-simulated-exchange.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import { secretInDataDir } from "../server/platform/config/secrets.ts";
import { ConfigError } from "../server/platform/config.ts";
import type { Product } from "../server/start.ts";
import { builtPages } from "./built-pages.ts";
import { openDemoMarket } from "./demo/open-demo-market.ts";
import { RehearsalChain } from "./rehearsal/bitcoin.ts";
import { hasRehearsalClock, readDaysAhead } from "./rehearsal/clock.ts";
import { type OpenRehearsal, openRehearsal } from "./rehearsal/open-rehearsal.ts";
import { RehearsalPool, startPool } from "./rehearsal/pool.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

// The product of a rehearsal: started by rehearse.ts, with a clock of its own.
const isReady = process.argv.includes("--ready");
const product = await runUntilStopped(startRehearsal);
const { config } = product.app;
console.log(`A rehearsal of ${config.siteName} is running at ${config.appUrl}`);
console.log(`  its clock: ${product.app.now().toISOString().slice(0, 16).replace("T", " ")} UTC`);
if (isReady) {
  console.log("  a customer with coins: ada@example.com");
  console.log("  staff: olga@example.com (owner), pavel@example.com (treasurer)");
  console.log(`  password of all: ${secretInDataDir(config.dataDir, "rehearsal-password")}`);
} else if (!product.hasOperator) {
  console.log('Make the first operator: npm run rehearse -- operator create EMAIL "First Last"');
}
console.log("What to do: docs/operating/rehearse.md");

async function startRehearsal(): Promise<Product> {
  const dataDir = process.env["DATA_DIR"] ?? "";
  if (!process.env["FAKETIME_TIMESTAMP_FILE"] || !hasRehearsalClock(dataDir)) {
    throw new ConfigError("This is started by npm run rehearse.");
  }
  const chain = new RehearsalChain(dataDir);
  const market = openDemoMarket(dataDir, () => new Date());
  const pool = new RehearsalPool(dataDir, market);
  const exchange = await startSimulatedExchange(market);
  const braiins = await startPool(pool);
  const config = readConfig({
    ...process.env,
    DEMO: "1",
    NETWORK: "regtest",
    ROLE: "web",
    DEPOSIT_SLIPS: "when-needed",
    // The pages that move its clock do so in the process that has it.
    WEB_CONCURRENCY: "1",
    COINS: "BTC",
    PRICE_SOURCES: ["kraken", "coinbase", "bitstamp"]
      .map((name) => `${name}=${exchange.url}`)
      .join(),
    PRICE_POLL_SECONDS: "5",
    BITCOIN_NETWORK_SOURCE: exchange.url,
    BITCOIN_RPC_URL: chain.url,
    BITCOIN_POLL_SECONDS: "2",
    DEPOSIT_WALLET_BITCOIN: await chain.operatorDescriptor(),
    BRAIINS_POOL_URL: braiins.url,
    BRAIINS_POOL_TOKEN: "rehearsal",
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
  });
  const { startProduct } = await import("../server/start.ts");
  let rehearsal: OpenRehearsal | null = null;
  const started = await startProduct(config, builtPages, async (app, ownerUrl) => {
    rehearsal = openRehearsal({ app, ownerUrl, chain, pool });
    app.rehearsal = rehearsal;
    app.auth.appsBehindMs = () => readDaysAhead(dataDir) * 86_400_000;
    if (isReady) {
      const { fillRehearsal } = await import("./rehearsal/fill-rehearsal.ts");
      const password = secretInDataDir(dataDir, "rehearsal-password");
      await fillRehearsal(app, { ownerUrl, password, chain, market });
    }
    await rehearsal.wake();
  });
  return {
    ...started,
    async stop() {
      await rehearsal?.stop();
      await started.stop();
      await Promise.all([exchange.stop(), braiins.stop()]);
    },
  };
}
