import { loadEnv } from "./load-env.ts";
import { restoreCommand } from "./restore-command.ts";

process.exitCode = await restoreCommand(process.argv.slice(2), loadEnv(), console);
