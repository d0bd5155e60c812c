import { readConfig } from "../server/platform/config/read-config.ts";
import { buildWhenNeeded } from "./build-pages.ts";
import { builtPages } from "./built-pages.ts";
import { loadEnv } from "./load-env.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

process.env["NODE_ENV"] ??= "production";

const product = await runUntilStopped(async () => {
  const config = readConfig(loadEnv());
  if (config.role !== "worker") buildWhenNeeded();
  const { startProduct } = await import("../server/start.ts");
  return startProduct(config, builtPages);
});

const { config } = product.app;
console.log(
  product.url ? `${config.siteName} is running at ${product.url}` : "The worker is running.",
);
if (!product.hasOperator) {
  console.log('Make the first operator: npm run operator -- create EMAIL "First Last"');
}
