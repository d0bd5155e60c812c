import { ConfigError, readConfig, secretInDataDir } from "../server/platform/config.ts";
import { buildWhenNeeded } from "./build.ts";
import { builtPages } from "./built-pages.ts";
import { loadEnv } from "./load-env.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

process.env["NODE_ENV"] ??= "production";

const product = await runUntilStopped(async () => {
  const config = readConfig(demoEnvironment());
  buildWhenNeeded();
  const { startProduct } = await import("../server/start.ts");
  const { fillDemo } = await import("./fill-demo.ts");
  const started = await startProduct(config, builtPages);
  try {
    await fillDemo(started.app, secretInDataDir(config.dataDir, "demo-password"));
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
});

const { config } = product.app;
console.log(`A demo of ${config.siteName}, with invented customers, is running at ${product.url}`);
console.log(`  a customer: ada@example.com     an operator: olga@example.com`);
console.log(`  password of both: ${secretInDataDir(config.dataDir, "demo-password")}`);

/** A data directory of its own; an own database or mail server must not get invented customers. */
function demoEnvironment(): NodeJS.ProcessEnv {
  const env = loadEnv();
  if (env["NETWORK"] === "mainnet") {
    throw new ConfigError("NETWORK must not be mainnet for a demo: it shows invented customers.");
  }
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, SMTP_URL: ___, ...rest } = env;
  return {
    ...rest,
    DATA_DIR: env["DATA_DIR"] ?? "./demo-data",
    DEMO: "1",
    ROLE: "all",
    LOG_LEVEL: env["LOG_LEVEL"] ?? "warn",
  };
}
