import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/setup/longest-first.ts";
import { patienceMs, testTimeoutMs } from "./tests/setup/slowness.ts";

// The code that customers meet. React's and the router's development builds do a third more work.
process.env["NODE_ENV"] = "production";

const everywhere = {
  // Also of what tests start: nobody in the world is asked for prices.
  env: { PRICE_SOURCES: "off", BITCOIN_NETWORK_SOURCE: "off" },
  pool: "forks",
  // What every file imports is read once by each worker: a third less work. No test leaves the process changed.
  isolate: false,
  testTimeout: testTimeoutMs,
  hookTimeout: testTimeoutMs,
  expect: { poll: { timeout: patienceMs } },
} as const;

export default defineConfig({
  test: {
    // One more than the cores of a small machine: the slowest files wait for programs that they start and kill.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...everywhere,
          name: "node",
          include: ["{core,server,app,tests,scripts}/**/*.test.ts"],
          globalSetup: ["tests/setup/postgres.ts"],
          setupFiles: ["tests/setup/password-cost.ts"],
          // Node reads the TypeScript, as it does for the product: Vite's way of importing was a seventh of all work.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      // Components, which only a bundler reads.
      { test: { ...everywhere, name: "components", include: ["app/**/*.test.tsx"] } },
    ],
  },
});
