import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { closeWhatWaited } from "./ask-closing.ts";
import { eraseCustomers } from "./erase-customers.ts";
import { makeExport } from "./make-export.ts";
import { sweepExports } from "./sweep-exports.ts";

interface Context {
  db: Db;
  files: FileStore;
  config: Site;
  now(): Date;
}

const make: Job<Context, { exportId: string }> = {
  name: "personal-data/make-export",
  run: (app, { exportId }) => makeExport(app, exportId, app.now()),
};

const sweep: Job<Context, unknown> = {
  name: "personal-data/sweep-exports",
  schedule: "41 * * * *",
  run: (app) => sweepExports(app, app.now()),
};

const close: Job<Context, unknown> = {
  name: "personal-data/close-what-waited",
  schedule: "11 * * * *",
  run: ({ db, config, now }) => closeWhatWaited(db, { site: config, now: now() }),
};

const erase: Job<Context, unknown> = {
  name: "personal-data/erase-customers",
  schedule: "47 * * * *",
  async run({ db, config, now }) {
    await eraseCustomers(db, { site: config, now: now() });
  },
};

export const personalDataJobs = [make, sweep, close, erase];
