import { lstatSync } from "node:fs";
import process from "node:process";

/** Reads `.env` into the environment where there is one; what the environment says already wins. Ends the process where it cannot be read. */
export function loadEnv(): NodeJS.ProcessEnv {
  // Also a link that leads nowhere: its settings are missing.
  if (!lstatSync(".env", { throwIfNoEntry: false })) return process.env;
  try {
    process.loadEnvFile(".env");
  } catch {
    console.error("The settings in .env cannot be read: it leads nowhere, or this user may not.");
    process.exit(1);
  }
  return process.env;
}
