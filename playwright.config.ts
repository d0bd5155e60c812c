import { defineConfig } from "@playwright/test";
import { browserToUse } from "./tests/setup/find-browser.ts";

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.journey.ts",
  globalSetup: "./tests/setup/product.ts",
  outputDir: "test-results/traces",
  workers: 1,
  fullyParallel: false,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["line"], ["json", { outputFile: "test-results/journeys.json" }]],
  use: {
    locale: "en-US",
    timezoneId: "UTC",
    trace: "retain-on-failure",
    launchOptions: {
      ...browserToUse(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
