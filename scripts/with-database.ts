import { existsSync } from "node:fs";
import path from "node:path";
import { readConfig } from "../server/platform/config/read-config.ts";
import { type Config, ConfigError } from "../server/platform/config.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { type ReachedDatabase, reachDatabase } from "./reach-database.ts";

/** Works with the database that `readConfigOfExisting` found, by the application's login. */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const open = async ({ applicationUrl }: ReachedDatabase) =>
    openDatabase(applicationUrl, openLog("silent"), { connections: 1 });
  return withOpened(config, open, work);
}

/**
 * The settings of a product that has a database.
 *
 * @throws ConfigError also where there is none: in a new folder, without its `.env`, a command would make one, and secrets beside it
 */
export function readConfigOfExisting(env: NodeJS.ProcessEnv): Config {
  const dataDir = env["DATA_DIR"]?.trim() || "./data";
  const isThere = existsSync(path.join(dataDir, "postgres", "PG_VERSION"));
  if (isThere || env["DATABASE_URL"]?.trim()) return readConfig(env);
  throw new ConfigError(
    `There is no database in DATA_DIR ${dataDir}. Run it with the settings of the product, once that has started.`,
  );
}

/** Works with the database that is configured or runs, opened by `open`; what was opened or started for it ends with it. */
export async function withOpened<T>(
  config: Config,
  open: (database: ReachedDatabase) => Promise<Db>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const database = await reachDatabase(config);
  try {
    const db = await open(database);
    try {
      return await work(db);
    } finally {
      await db.$client.end();
    }
  } finally {
    await database.stop();
  }
}
