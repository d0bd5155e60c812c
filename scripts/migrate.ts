import { migrate } from "../server/platform/database/migrate.ts";
import { loadEnv } from "./load-env.ts";
import { reachDatabase } from "./reach-database.ts";
import { oneLine } from "./run-until-stopped.ts";
import { readConfigOfExisting } from "./with-database.ts";

/** Brings the database to this version, while processes of the version before go on. A start does the same. */
try {
  const database = await reachDatabase(readConfigOfExisting(loadEnv()));
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
