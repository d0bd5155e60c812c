import type { Config } from "#server/platform/config.ts";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import type { Db } from "#server/platform/database.ts";
import type { Job } from "#server/platform/jobs/jobs.ts";
import { hasBackup } from "./has-backup.ts";
import { keepWal } from "./keep-wal.ts";
import { makeBackup } from "./make-backup.ts";
import { markBackup } from "./mark-backup.ts";

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
    if (config.backups) await keepWal(db, config, now());
  },
};

const make: Job<Context, unknown> = {
  name: "backups/make",
  schedule: "17 2 * * *",
  queue: "backups/make",
  run: makeAndMark,
};

/** The night may be far when backups are set up. */
const makeFirst: Job<Context, unknown> = {
  name: "backups/make-first",
  schedule: "*/5 * * * *",
  atStart: true,
  queue: "backups/make",
  async run(context) {
    if (context.config.backups && !(await hasBackup(context.db))) await makeAndMark(context);
  },
};

async function makeAndMark({ db, config, now }: Context): Promise<void> {
  const { backups, dataDir } = config;
  const ownerUrl = backups && findRunningEmbeddedPostgres(dataDir)?.ownerUrl;
  if (!backups || !ownerUrl) return;
  const { endedAt } = await makeBackup(ownerUrl, { ...config, backups }, now);
  await markBackup(db, { of: "backup", at: new Date(endedAt) });
}

export const backupJobs = [keep, make, makeFirst];
