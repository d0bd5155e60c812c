import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const root = path.resolve(import.meta.dirname, "../..");

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a program of ours that says in its first line where it serves. */
export async function startServer(args: string[]): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  for await (const url of createInterface({ input: child.stdout })) {
    return { url, pid: child.pid as number, stop: () => end(child) };
  }
  throw new Error(`${args[0]} ended before it served`);
}

/** Starts the product, or its demo, as an operator does; its log goes to a file, as a service's does. */
export async function startProduct(
  command: "start" | "demo",
  env: Record<string, string> & { DATA_DIR: string; PORT: string },
): Promise<Running> {
  const log = `${env.DATA_DIR}.log`;
  const child = spawn(process.execPath, ["scripts/run.mjs", command], {
    cwd: root,
    stdio: ["ignore", openSync(log, "w"), "inherit"],
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  const url = `http://127.0.0.1:${env.PORT}`;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null)
      throw new Error(`npm run ${command} ended with code ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, pid: child.pid as number, stop: () => end(child) };
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}
