import { backupCommand } from "./backup-command.ts";
import { loadEnv } from "./load-env.ts";

process.exitCode = await backupCommand(process.argv.slice(2), loadEnv(), console);
