import { doctorCommand } from "./doctor-command.ts";
import { loadEnv } from "./load-env.ts";

process.exitCode = await doctorCommand(loadEnv(), console);
