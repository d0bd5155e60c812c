import { existsSync } from "node:fs";

/** Reads `.env` into the environment where there is one; what the environment says already wins. */
export function loadEnv(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}
