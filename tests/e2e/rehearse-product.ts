import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import PostalMime from "postal-mime";
import { secretInDataDir } from "#server/platform/config/secrets.ts";
import { freePort } from "../setup/free-port.ts";
import type { RunningProduct } from "../setup/run-product.ts";
import { patienceMs, testTimeoutMs } from "../setup/slowness.ts";
import { test as journey } from "./journey.ts";

export interface RunningRehearsal extends RunningProduct {
  /** Of everybody who is there at the start. */
  password: string;
  /** The text of the newest mail to an address whose subject matches, once there is one. */
  mailTo(address: string, subject: RegExp): Promise<string>;
}

/** Starts a rehearsal that is ready to sell, as `npm run rehearse -- --ready` does. */
async function startRehearsal(): Promise<RunningRehearsal> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "assay-rehearsal-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, ["scripts/rehearse.ts", "--ready"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...env, REHEARSAL_DIR: dataDir, PORT: String(port), LOG_LEVEL: "error" },
  });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const deadline = performance.now() + patienceMs;
  while (!output.includes("What to do")) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`the rehearsal did not start: ${output}`);
    }
    await wait(100);
  }
  return {
    url,
    dataDir,
    stop,
    password: secretInDataDir(dataDir, "rehearsal-password"),
    async mailTo(address, subject) {
      const until = performance.now() + patienceMs;
      for (;;) {
        const found = await newestMail(path.join(dataDir, "outbox"), address, subject);
        if (found) return found;
        if (performance.now() > until) throw new Error(`no mail ${subject} to ${address}`);
        await wait(200);
      }
    },
  };
}

async function newestMail(outbox: string, address: string, subject: RegExp) {
  for (const name of readdirSync(outbox).toSorted().toReversed()) {
    const mail = await PostalMime.parse(readFileSync(path.join(outbox, name)));
    const isTo = mail.to?.some((each) => each.address === address);
    if (isTo && subject.test(mail.subject ?? "")) return mail.text ?? "";
  }
  return null;
}

export const test = journey.extend<object, { product: RunningRehearsal }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const product = await startRehearsal();
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: testTimeoutMs },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});
