import { existsSync } from "node:fs";
import type { Config } from "../server/platform/config.ts";
import {
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
  walArchive,
} from "../server/platform/database/embedded-postgres.ts";

export interface ReachedDatabase {
  ownerUrl: string;
  applicationUrl: string;
  stop(): Promise<void>;
}

/** The configured database, the one that a running product has open, or the embedded one for this moment. */
export async function reachDatabase(config: Config): Promise<ReachedDatabase> {
  const nothing = async () => {};
  if (config.databaseUrl) {
    const ownerUrl = config.databaseOwnerUrl ?? config.databaseUrl;
    return { ownerUrl, applicationUrl: config.databaseUrl, stop: nothing };
  }
  const running = findRunningEmbeddedPostgres(config.dataDir);
  if (running) return { ...running, stop: nothing };
  const { ownerUrl, applicationUrl, stop } = await startEmbeddedPostgres(config.dataDir, {
    // In a shell without the settings of the service, too: a gap ends what can be restored.
    archives: config.backups !== null || existsSync(walArchive(config.dataDir)),
  });
  return { ownerUrl, applicationUrl, stop };
}
