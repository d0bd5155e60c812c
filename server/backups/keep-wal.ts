import pg from "pg";
import { findRunningEmbeddedPostgres } from "../platform/database/embedded-postgres.ts";
import type { Db } from "../platform/database.ts";
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
  const { system, known } = await askArchive(config.dataDir);
  const folder = openBackupFolder(config.backups.folder);
  if (!(await requireOwn(folder, { system, known, asked: false }))) return;
  await shipWal(config);
  await shipFiles(config);
  await db
    .insert(backupMarks)
    .values({ of: "wal", at: now })
    .onConflictDoUpdate({ target: backupMarks.of, set: { at: now } });
}

interface Archive {
  archives: boolean;
  /** Whether something is full and was not archived for minutes: PostgreSQL does not count each reason as a failure. */
  waits: boolean;
  system: string;
  known: boolean;
}

async function askArchive(dataDir: string): Promise<Archive> {
  const running = findRunningEmbeddedPostgres(dataDir);
  if (!running) throw new Error("the embedded database does not run");
  const owner = new pg.Client({ connectionString: running.ownerUrl });
  owner.on("error", () => {});
  await owner.connect();
  try {
    const { rows } = await owner.query<Archive>(`
      select current_setting('archive_mode') = 'on' as archives,
             exists (select from pg_ls_archive_statusdir()
                      where name like '%.ready' and modification < now() - interval '3 minutes') as waits,
             system_identifier::text as system, exists (select from backup_marks where of = 'backup') as known
        from pg_control_system()`);
    const [found] = rows;
    if (!found?.archives) {
      throw new Error("PostgreSQL runs without its archive: start the product again");
    }
    if (found.waits) throw new Error("PostgreSQL does not archive: is the disk of DATA_DIR full?");
    return found;
  } finally {
    await owner.end();
  }
}
