import { loadEnv } from "./load-env.ts";
import { moveCommand } from "./move-command.ts";

process.exitCode = await moveCommand(loadEnv(), console);
