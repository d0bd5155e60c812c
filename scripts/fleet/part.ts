import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";

/** As a supervisor waits before it starts a process again. */
const restartsAfterMs = 1_000;

export interface PartSettings {
  name: string;
  command: string;
  args: string[];
  /** By default that of whoever starts it. */
  cwd?: string;
  env?: Record<string, string>;
  /** A file that takes what it prints. */
  log: string;
  /** Whether it does its work now. */
  isReady(): Promise<boolean>;
}

/** One process of an installation, which is started again when it ends, as systemd does (`Restart=always`). */
export class Part {
  readonly name: string;
  /** How often it was started. */
  starts = 0;
  #settings: PartSettings;
  #child: ChildProcess | null = null;
  #isWanted = false;
  #isOver = false;
  #gone: Promise<number | null> = Promise.resolve(null);

  constructor(settings: PartSettings) {
    this.name = settings.name;
    this.#settings = settings;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  isReady(): Promise<boolean> {
    return this.#child ? this.#settings.isReady().catch(() => false) : Promise.resolve(false);
  }

  /** @param changed from now on; of the environment what is added */
  start(changed: Partial<Pick<PartSettings, "args" | "cwd" | "env">> = {}): void {
    const env = { ...this.#settings.env, ...changed.env };
    this.#settings = { ...this.#settings, ...changed, env };
    this.#isWanted = !this.#isOver;
    this.#launch();
  }

  /** @throws Error where it is not ready in time */
  async ready(withinMs = 120_000): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (!(await this.isReady())) {
      if (this.#isOver || performance.now() > deadline)
        throw new Error(`${this.name} is not ready: see ${this.#settings.log}`);
      await wait(50);
    }
  }

  /** The process alone: it comes again. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it, and it stays away until `start`. @returns its exit code; null where it was not there, or a signal ended it */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.#isWanted = false;
    // One that is stopped takes no other signal.
    this.#child?.kill("SIGCONT");
    if (!this.#child?.kill(signal)) return null;
    return this.#gone;
  }

  /** It is not started again, whoever asks. */
  retire(): void {
    this.#isOver = true;
    this.#isWanted = false;
  }

  #launch(): void {
    if (!this.#isWanted || this.#child) return;
    const { command, args, cwd, env, log } = this.#settings;
    const out = openSync(log, "a");
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", out, out],
      // A group of its own: Ctrl-C in a terminal must reach whoever ends them in order.
      detached: true,
    });
    closeSync(out);
    this.#child = child;
    this.starts += 1;
    this.#gone = new Promise((resolve) => {
      const ended = (code: number | null) => {
        this.#child = null;
        resolve(code);
        if (this.#isWanted) setTimeout(() => this.#launch(), restartsAfterMs);
      };
      child.once("exit", ended);
      child.once("error", () => ended(null));
    });
  }
}
