import { rm } from "node:fs/promises";
import type { Config } from "#server/platform/config.ts";
import {
  findRunningEmbeddedPostgres,
  walArchive,
} from "#server/platform/database/embedded-postgres.ts";
import { flag, getRow, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { filesToKeep } from "#server/platform/files/local-file-store.ts";
import type { Job } from "#server/platform/jobs/jobs.ts";
import { ne, sql } from "#server/platform/sql.ts";
import { openBackupFolder } from "./backup-folder.ts";
import { listBackups } from "./backup-names.ts";
import { keepWal } from "./keep-wal.ts";
import { makeBackup } from "./make-backup.ts";
import { backupMarks } from "./schema.ts";

interface Context {
  db: Db;
  config: Config;
  now(): Date;
}

const keep: Job<Context, unknown> = {
  name: "backups/keep-wal",
  schedule: "* * * * *",
  queue: "backups/wal",
  async run({ db, config, now }) {
    const { backups } = config;
    if (backups) await keepWal(db, { ...config, backups }, now());
  },
};

const make: Job<Context, unknown> = {
  name: "backups/make",
  schedule: "17 2 * * *",
  queue: "backups/make",
  run: makeOne,
};

/** The night may be far when backups are set up, or when one was restored: PostgreSQL then counts a new timeline. */
const makeFirst: Job<Context, unknown> = {
  name: "backups/make-first",
  schedule: "*/5 * * * *",
  atStart: true,
  queue: "backups/make",
  async run(context) {
    const { backups } = context.config;
    if (!backups) await forget(context);
    else if (!(await hasOne(context.db, backups.folder))) await makeOne(context);
  },
};

async function makeOne({ config, now }: Context): Promise<void> {
  const { backups, dataDir } = config;
  const ownerUrl = backups && findRunningEmbeddedPostgres(dataDir)?.ownerUrl;
  if (ownerUrl) await makeBackup(ownerUrl, { ...config, backups }, { now, asked: false });
}

/** Whether what is written now can be added to a backup. */
async function hasOne(db: Db, folder: string): Promise<boolean> {
  const query = sql`
    select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
           coalesce((select of from backup_marks where of = 'backup'), '') as known`;
  const { timeline, known } = await getRow(db, query, { timeline: text, known: text });
  const backups = await listBackups(openBackupFolder(folder));
  return known !== "" && backups.some(({ startWal }) => startWal.startsWith(timeline));
}

/** Without backups nothing waits to be kept, and what is written meanwhile is missing: when there are backups again, they begin anew. */
async function forget({ db, config }: Context): Promise<void> {
  await db.delete(backupMarks).where(ne(backupMarks.of, "drill"));
  const query = sql`select current_setting('archive_mode') = 'on' as archives`;
  const { archives } = config.databaseUrl
    ? { archives: false }
    : await getRow(db, query, { archives: flag });
  if (archives) return;
  await rm(walArchive(config.dataDir), { recursive: true, force: true });
  await rm(filesToKeep(config.dataDir), { recursive: true, force: true });
}

export const backupJobs = [keep, make, makeFirst];
