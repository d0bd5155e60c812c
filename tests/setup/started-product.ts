import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

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
    const deadline = Date.now() + 40_000;
    while (Date.now() < deadline) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.ok) return;
      if (this.child.exitCode !== null) break;
      await wait(20);
    }
    throw new Error(`never healthy: ${this.output}`);
  }
}
