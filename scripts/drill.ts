import { drillCommand } from "./drill-command.ts";
import { loadEnv } from "./load-env.ts";

process.exitCode = await drillCommand(process.argv.slice(2), loadEnv(), console);
