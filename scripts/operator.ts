import { loadEnv } from "./load-env.ts";
import { operatorCommand } from "./operator-command.ts";

process.exitCode = await operatorCommand(process.argv.slice(2), loadEnv(), console);
