import pg from "pg";
import { findRunningEmbeddedPostgres } from "../platform/database/embedded-postgres.ts";
import type { Db } from "../platform/database.ts";
import type { BackedUp } from "./backed-up.ts";
import { backupMarks } from "./schema.ts";
import { shipFiles, shipWal } from "./ship-wal.ts";

/**
 * Brings the backups up to the minute: the WAL that was archived since, and the files that were stored.
 *
 * @throws when PostgreSQL does not archive: then nothing is noted as kept
 */
export async function keepWal(db: Db, config: BackedUp, now: Date): Promise<void> {
  await requireArchive(config.dataDir);
  await shipWal(config);
  await shipFiles(config);
  await db
    .insert(backupMarks)
    .values({ of: "wal", at: now })
    .onConflictDoUpdate({ target: backupMarks.of, set: { at: now } });
}

/** What is full and was not archived for minutes, whatever the reason: PostgreSQL itself does not always count it as a failure. */
async function requireArchive(dataDir: string): Promise<void> {
  const running = findRunningEmbeddedPostgres(dataDir);
  if (!running) throw new Error("the embedded database does not run");
  const owner = new pg.Client({ connectionString: running.ownerUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ archives: boolean; waits: boolean }>(`
      select current_setting('archive_mode') = 'on' as archives,
             exists (select from pg_ls_archive_statusdir()
                      where name like '%.ready' and modification < now() - interval '3 minutes') as waits`);
    const [found] = rows;
    if (!found?.archives) {
      throw new Error("PostgreSQL runs without its archive: start the product again");
    }
    if (found.waits) throw new Error("PostgreSQL does not archive: is the disk of DATA_DIR full?");
  } finally {
    await owner.end();
  }
}
