import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findRunningEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { letFactoriesActAsMachine } from "./act-as-machine.ts";
import { freePort } from "./free-port.ts";
import { patienceMs } from "./slowness.ts";

export interface RunningProduct {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** Starts the product as an operator would, on a data directory of its own, and waits until it answers. */
export async function runProduct(env: Record<string, string>): Promise<RunningProduct> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "assay-journeys-"));
  const port = await freePort();
  // A name: passkeys are not bound to bare addresses.
  const url = `http://localhost:${port}`;
  const product = spawn(process.execPath, ["scripts/start.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      PORT: String(port),
      APP_URL: url,
      LOG_LEVEL: process.env["JOURNEY_LOG_LEVEL"] ?? "error",
      // Every journey comes from an address of its own, so that they do not share a rate limit.
      TRUSTED_PROXIES: "1",
      // Nobody in the world is asked; a journey may name an exchange of its own.
      PRICE_SOURCES: "off",
      BITCOIN_NETWORK_SOURCE: "off",
      // Each web process takes 2 s of processor time to start. The product that most journeys share runs as it ships.
      WEB_CONCURRENCY: "1",
      ...env,
    },
  });
  product.stdout?.pipe(process.stdout);
  const stop = async () => {
    const ended = new Promise((resolve) => product.once("exit", resolve));
    product.kill("SIGTERM");
    if (product.exitCode === null) await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await untilHealthy(url, product);
    const running = findRunningEmbeddedPostgres(dataDir);
    if (running) await letFactoriesActAsMachine(running.ownerUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, dataDir, stop };
}

async function untilHealthy(url: string, product: ChildProcess): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (product.exitCode !== null)
      throw new Error(`the product ended with code ${product.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await wait(50);
  }
  throw new Error("the product did not become healthy in two minutes");
}
