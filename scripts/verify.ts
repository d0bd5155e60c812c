import { loadEnv } from "./load-env.ts";
import { verifyCommand } from "./verify-command.ts";

process.exitCode = await verifyCommand(process.argv.slice(2), loadEnv(), console);
