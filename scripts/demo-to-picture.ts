import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { secretInDataDir } from "../server/platform/config/secrets.ts";
import { browserToUse } from "../tests/setup/find-browser.ts";
import { freePort } from "../tests/setup/free-port.ts";
import { startDemo } from "./start-demo.ts";

export interface DemoToPicture {
  browser: Browser;
  url: string;
  /** Of every invented person. */
  password: string;
}

/** Runs a demo of its own, with its simulated prices, and a browser for as long as pictures are taken of it. */
export async function demoToPicture(take: (demo: DemoToPicture) => Promise<void>): Promise<void> {
  process.env["NODE_ENV"] ??= "production";
  const dataDir = mkdtempSync(path.join(tmpdir(), "assay-pictures-"));
  const port = String(await freePort());
  const product = await startDemo({
    DATA_DIR: dataDir,
    PORT: port,
    SITE_NAME: "Assay",
    LOG_LEVEL: "error",
  });
  const browser = await chromium.launch({ ...browserToUse(), args: ["--no-sandbox"] });
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilPricesAreShown(url);
    await take({ browser, url, password: secretInDataDir(dataDir, "demo-password") });
  } finally {
    await browser.close();
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The worker asks for them after the start, and pages are kept for some seconds. */
async function untilPricesAreShown(url: string): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt++) {
    const page = await (await fetch(url)).text();
    if (/data-price="SOL" data-state="fresh"/.test(page) && page.includes("data-overview=")) return;
    await wait(500);
  }
  throw new Error("the demo shows no prices after a minute");
}
