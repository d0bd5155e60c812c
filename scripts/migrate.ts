import { readConfig } from "../server/platform/config/read-config.ts";
import { migrate } from "../server/platform/database/migrate.ts";
import { loadEnv } from "./load-env.ts";
import { reachDatabase } from "./reach-database.ts";
import { oneLine } from "./run-until-stopped.ts";
import { requireDatabase } from "./with-database.ts";

/** Brings the database to this version, while processes of the version before go on. A start does the same. */
try {
  const env = loadEnv();
  // Before anything is made: in a new folder, without its `.env`, all would be new.
  requireDatabase({
    databaseUrl: env["DATABASE_URL"] ?? null,
    dataDir: env["DATA_DIR"] ?? "./data",
  });
  const database = await reachDatabase(readConfig(env));
  try {
    const onWait = () => console.log("Tables are in use. Nothing was applied yet; trying again.");
    const applied = await migrate(database.ownerUrl, { onWait });
    console.log(applied.length === 0 ? "Nothing to apply." : `Applied: ${applied.join(", ")}.`);
  } finally {
    await database.stop();
  }
} catch (error) {
  console.error(oneLine(error));
  process.exitCode = 1;
}
