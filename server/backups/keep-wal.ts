import pg from "pg";
import { findRunningEmbeddedPostgres } from "../platform/database/embedded-postgres.ts";
import type { Db } from "../platform/database.ts";
import { type Asked, askServer } from "./ask-server.ts";
import type { BackedUp } from "./backed-up.ts";
import { openBackupFolder } from "./backup-folder.ts";
import { requireOwn } from "./require-own.ts";
import { backupMarks } from "./schema.ts";
import { shipFiles, shipWal } from "./ship-wal.ts";

/**
 * Brings the backups up to the minute: the WAL that was archived since, and the files that were stored. Before the first backup is there
 * nothing is kept.
 *
 * @throws when PostgreSQL does not archive, or the folder is not that of this database's backups: then nothing is noted as kept
 */
export async function keepWal(db: Db, config: BackedUp, now: Date): Promise<void> {
  const server = await askArchive(config.dataDir);
  const folder = openBackupFolder(config.backups.folder);
  if (!(await requireOwn(folder, server, { asked: false }))) return;
  await shipWal(config);
  await shipFiles(config);
  await db
    .insert(backupMarks)
    .values({ of: "wal", at: now })
    .onConflictDoUpdate({ target: backupMarks.of, set: { at: now } });
}

async function askArchive(dataDir: string): Promise<Asked> {
  const running = findRunningEmbeddedPostgres(dataDir);
  if (!running) throw new Error("the embedded database does not run");
  const owner = new pg.Client({ connectionString: running.ownerUrl });
  owner.on("error", () => {});
  await owner.connect();
  try {
    const asked = await askServer(owner);
    if (!asked.archives) {
      throw new Error("PostgreSQL runs without its archive: start the product again");
    }
    if (asked.waits) throw new Error("PostgreSQL does not archive: is the disk of DATA_DIR full?");
    return asked;
  } finally {
    await owner.end();
  }
}
