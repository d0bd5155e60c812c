import { settleJob } from "../chain/watch-chain.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log/log.ts";
import type { Site } from "../platform/mail/layout.ts";
import { notifyStaffOfReversal } from "./payments/notify-staff-of-reversal.ts";
import { settlePayments } from "./payments/settle-payments.ts";
import { notifyStaffJob } from "./payments/take-back-credit.ts";
import { eraseSlips } from "./slips/erase-slips.ts";
import { sweepSlips } from "./slips/sweep-slips.ts";

interface Context {
  db: Db;
  files: FileStore;
  config: Pick<Config, "confirmations" | "internalEtherUnits"> & Site;
  log: Log;
  now(): Date;
}

const sweep: Job<Context, unknown> = {
  name: "deposits/sweep-slips",
  schedule: "17 * * * *",
  async run(app) {
    await sweepSlips(app, app.now());
  },
};

const erase: Job<Context, unknown> = {
  name: "deposits/erase-slips",
  schedule: "53 3 * * *",
  async run(app) {
    await eraseSlips(app, app.now());
  },
};

const settle: Job<Context, unknown> = {
  name: settleJob,
  // Also enqueued by each pass over a chain.
  schedule: "* * * * *",
  run: (app) => settlePayments(app, app.now()),
};

const notifyStaff: Job<Context, { depositId: string; isDone: boolean }> = {
  name: notifyStaffJob,
  run: (app, told) => notifyStaffOfReversal(app.db, { ...told, site: app.config, now: app.now() }),
};

export const depositJobs = [sweep, erase, settle, notifyStaff];
