import type { Config } from "../platform/config.ts";
import { flag, getRow } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";
import { sql } from "../platform/sql.ts";
import { markBackup } from "./mark-backup.ts";
import { shipFiles, shipWal } from "./ship-wal.ts";

type Kept = Pick<Config, "dataDir" | "backups">;

/**
 * Brings the backups up to the minute: the WAL that was archived since, and the files that were stored.
 *
 * @throws when PostgreSQL does not archive, or cannot: then nothing is noted as kept
 */
export async function keepWal(db: Db, config: Kept, now: Date): Promise<void> {
  const { archives, fails } = await getRow(
    db,
    sql`select current_setting('archive_mode') = 'on' as archives,
               coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails from pg_stat_archiver`,
    { archives: flag, fails: flag },
  );
  if (!archives) throw new Error("PostgreSQL runs without its archive: start the product again");
  if (fails) throw new Error("PostgreSQL could not archive: is the disk of DATA_DIR full?");
  await shipWal(config);
  await shipFiles(config);
  await markBackup(db, { of: "wal", at: now });
}
