import { ConfigError } from "../server/platform/config.ts";
import { oneLine } from "./run-until-stopped.ts";

/** Runs the one of a program's commands that was asked for; whatever goes wrong is said, and the exit code is 1. */
export async function runCommand(
  usage: string,
  commands: Record<string, () => void | Promise<void>>,
): Promise<void> {
  const [command = "", ...rest] = process.argv.slice(2);
  const run = rest.length === 0 && Object.hasOwn(commands, command) ? commands[command] : undefined;
  try {
    if (!run) throw new ConfigError(usage);
    await run();
  } catch (error) {
    console.error(oneLine(error));
    process.exitCode = 1;
  }
}
