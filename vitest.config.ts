import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/setup/longest-first.ts";

// The code that customers meet. React's and the router's development builds do a third more work.
process.env["NODE_ENV"] = "production";

export default defineConfig({
  test: {
    include: [
      "core/**/*.test.ts",
      "server/**/*.test.ts",
      "app/**/*.test.{ts,tsx}",
      "tests/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    globalSetup: ["tests/setup/postgres.ts"],
    pool: "forks",
    // One more than the cores of a small machine: the slowest files wait for programs that they start and kill.
    maxWorkers: 3,
    // What every file imports is read once by each worker: a third less work. No test leaves the process changed.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Also of what tests start: nobody in the world is asked for prices.
    env: { PRICE_SOURCES: "off", BITCOIN_NETWORK_SOURCE: "off" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
