import { defineConfig } from "@playwright/test";
import { browserToUse } from "./tests/setup/find-browser.ts";
import { patienceMs, testTimeoutMs } from "./tests/setup/slowness.ts";

/** The longest, each of which starts a product in a process that no other kind of journey can use. */
const withProducts =
  "{approvals,chain,embeds,keyboard,markets,mining,rehearse,tls,withdrawal}.journey.ts";

export default defineConfig({
  testDir: "tests/e2e",
  // In this order: what is short fills up the end, and processes change from one kind to the other once.
  projects: [
    { name: "on products of their own", testMatch: withProducts },
    { name: "on one product", testMatch: "*.journey.ts", testIgnore: withProducts },
  ],
  // Node runs TypeScript itself: translated, the journeys and what they call of the product took seconds before the first began.
  build: { external: ["**/*.ts"] },
  globalSetup: "./tests/setup/product.ts",
  outputDir: "test-results/traces",
  // One more than the cores of a small machine: journeys wait for mails and timers, too.
  workers: 3,
  fullyParallel: true,
  timeout: testTimeoutMs,
  expect: { timeout: patienceMs / 2, toPass: { timeout: patienceMs } },
  reporter: [["line"], ["json", { outputFile: "test-results/journeys.json" }]],
  use: {
    locale: "en-US",
    timezoneId: "UTC",
    // What moves is drawn again and again, which is most of a small machine's work. Journeys about motion ask for it.
    contextOptions: { reducedMotion: "reduce" },
    // A trace would be a quarter of all work, most of it for journeys that pass: `--trace on` records one. What a
    // failure leaves are its picture and the page's words (error-context.md), beside the steps in journeys.json.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...browserToUse(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        // A quarter of a run's work: code that a page runs once is not worth optimizing, nor a picture another process.
        "--js-flags=--no-opt --no-maglev --max-lazy",
        "--in-process-gpu",
        // A page begins in a process of its own, and moves into another at its first address: a third of what a visit costs.
        "--renderer-process-limit=1",
      ],
    },
  },
});
