import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startSmtpInbox } from "../fakes/smtp-inbox.ts";
import { freePort } from "./free-port.ts";

/**
 * Starts the product as an operator would, with an SMTP server beside it, for all journeys of a run.
 * Tells the tests where through the environment: JOURNEY_URL, JOURNEY_INBOX, JOURNEY_DATA_DIR.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "assay-journeys-"));
  const inbox = await startSmtpInbox();
  const mails = createServer((request, response) => {
    const to = new URL(request.url ?? "/", "http://inbox").searchParams.get("to");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(inbox.mails.filter((mail) => !to || mail.to.includes(to))));
  });
  await new Promise<void>((resolve) => mails.listen(0, "127.0.0.1", resolve));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const product = spawn(process.execPath, ["scripts/start.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
      LOG_LEVEL: process.env["JOURNEY_LOG_LEVEL"] ?? "error",
      // Every journey comes from an address of its own, so that they do not share a rate limit.
      TRUSTED_PROXIES: "1",
    },
  });
  product.stdout?.pipe(process.stdout);
  await untilHealthy(url, product);
  process.env["JOURNEY_URL"] = url;
  process.env["JOURNEY_INBOX"] = `http://127.0.0.1:${addressPort(mails)}`;
  process.env["JOURNEY_DATA_DIR"] = dataDir;
  return async () => {
    const ended = new Promise((resolve) => product.once("exit", resolve));
    product.kill("SIGTERM");
    await ended;
    mails.closeAllConnections();
    mails.close();
    await inbox.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function untilHealthy(url: string, product: ChildProcess): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    if (product.exitCode !== null)
      throw new Error(`the product ended with code ${product.exitCode}`);
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer?.ok) return;
    await wait(50);
  }
  throw new Error("the product did not become healthy in two minutes");
}

function addressPort(server: { address(): unknown }): number {
  return (server.address() as { port: number }).port;
}
