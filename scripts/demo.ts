import { secretInDataDir } from "../server/platform/config.ts";
import { loadEnv } from "./load-env.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { startDemo } from "./start-demo.ts";

process.env["NODE_ENV"] ??= "production";

const product = await runUntilStopped(() => startDemo(loadEnv()));

const { config } = product.app;
console.log(`A demo of ${config.siteName}, with invented customers, is running at ${product.url}`);
console.log(`  a customer: ada@example.com     an operator: olga@example.com`);
console.log(
  "  Staff need a second factor: at the first sign-in Olga sets up an authenticator app.",
);
console.log(`  password of both: ${secretInDataDir(config.dataDir, "demo-password")}`);
