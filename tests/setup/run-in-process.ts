import type { Printed } from "../../scripts/printed.ts";

type Command = (args: string[], env: NodeJS.ProcessEnv, printed: Printed) => Promise<number>;

/** Runs a command of `scripts/` in this process: loading the product anew takes longer than what it does. */
export async function runInProcess(command: Command, args: string[], env: NodeJS.ProcessEnv) {
  const lines: Record<keyof Printed, string[]> = { log: [], error: [] };
  const status = await command(args, env, {
    log: (line: string) => lines.log.push(`${line}\n`),
    error: (line: string) => lines.error.push(`${line}\n`),
  });
  return { status, stdout: lines.log.join(""), stderr: lines.error.join("") };
}
