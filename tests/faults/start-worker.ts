import { spawn } from "node:child_process";
import path from "node:path";

export interface KillableWorker {
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
}

/** Starts a process that does these jobs (`name` or `name=payload`) again and again. */
export function startWorker(
  {
    applicationUrl,
    nodeUrl = "",
    ethereumUrl = "",
  }: { applicationUrl: string; nodeUrl?: string; ethereumUrl?: string },
  ...jobs: string[]
): KillableWorker {
  const script = path.join(import.meta.dirname, "worker-app.ts");
  const stdio = ["ignore", "ignore", "inherit"] as const;
  const child = spawn(process.execPath, [script, applicationUrl, nodeUrl, ethereumUrl, ...jobs], {
    stdio: [...stdio],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
