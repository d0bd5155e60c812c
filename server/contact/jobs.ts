import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { notifyOfMessage } from "./notify-of-message.ts";
import { sweepFiles } from "./sweep-files.ts";
import { sweepThreads } from "./sweep-threads.ts";

interface Context {
  db: Db;
  files: FileStore;
  config: Site;
  now(): Date;
}

const tell: Job<Context, { messageId: string; notify: string | null }> = {
  name: "contact/notify-of-message",
  run: ({ db, config, now }, payload) =>
    notifyOfMessage(db, { ...payload, site: config, now: now() }),
};

const sweep: Job<Context, unknown> = {
  name: "contact/sweep-threads",
  schedule: "23 * * * *",
  async run(app) {
    await sweepThreads(app.db, app.now());
    await sweepFiles(app, app.now());
  },
};

export const contactJobs = [tell, sweep];
