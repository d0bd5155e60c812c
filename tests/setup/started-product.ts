import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach } from "vitest";
import { freePort } from "./free-port.ts";
import { patienceMs } from "./slowness.ts";

/** One start of the product (`scripts/start.ts`, or another script), and what it prints. */
export class StartedProduct {
  output = "";
  readonly url: string;
  readonly exited: Promise<number | null>;
  readonly child: ChildProcess;

  /** @param output a file that takes what is printed; read from a pipe when absent. */
  constructor(port: number, env: Record<string, string>, script = "start", output?: string) {
    this.url = `http://127.0.0.1:${port}`;
    this.child = spawn(process.execPath, [`scripts/${script}.ts`], {
      env: { ...process.env, PORT: String(port), LOG_LEVEL: "error", ...env },
      stdio: output
        ? ["ignore", openSync(output, "w"), openSync(output, "w")]
        : ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    this.exited = new Promise((resolve) => this.child.once("exit", resolve));
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exited;
  }

  async healthy(): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.ok) return;
      if (this.child.exitCode !== null) break;
      await wait(20);
    }
    throw new Error(`never healthy: ${this.output}`);
  }
}

/**
 * Starts products with data directories in this folder, which end with the test that started them. With one web process, the
 * fewest that ship: web-processes.test.ts has what several are about.
 */
export function startProducts(folder: string) {
  const started: StartedProduct[] = [];
  afterEach(async () => {
    for (const each of started.splice(0)) await each.end("SIGTERM");
  });
  return async (
    dataDir: string,
    env: Record<string, string> = {},
    how: { script?: string; port?: number; output?: string } = {},
  ) => {
    const own = { DATA_DIR: path.join(folder, dataDir), WEB_CONCURRENCY: "1", ...env };
    const port = how.port ?? (await freePort());
    const product = new StartedProduct(port, own, how.script, how.output);
    started.push(product);
    return product;
  };
}
