import { existsSync } from "node:fs";
import process from "node:process";

/** Reads `.env` into the environment where there is one; what the environment says already wins. Ends the process where it cannot be read. */
export function loadEnv(): NodeJS.ProcessEnv {
  if (!existsSync(".env")) return process.env;
  try {
    process.loadEnvFile(".env");
  } catch {
    console.error("The settings in .env cannot be read by this user.");
    process.exit(1);
  }
  return process.env;
}
