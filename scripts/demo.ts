import { secretInDataDir } from "../server/platform/config/secrets.ts";
import { loadEnv } from "./load-env.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { startDemo } from "./start-demo.ts";

process.env["NODE_ENV"] ??= "production";

const product = await runUntilStopped(() => startDemo(loadEnv()));

const { config } = product.app;
console.log(`A demo of ${config.siteName}, with invented customers, is running at ${product.url}`);
console.log("  a customer: ada@example.com     an operator: olga@example.com");
console.log("  a treasurer, where two people are needed: pavel@example.com");
console.log("  Staff set up an authenticator app at their first sign-in.");
console.log(`  password of all: ${secretInDataDir(config.dataDir, "demo-password")}`);
