import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Job } from "../platform/jobs.ts";
import { compareSlip } from "./compare-slip.ts";
import { eraseSlips } from "./erase-slips.ts";
import { sweepSlips } from "./sweep-slips.ts";

interface Context {
  db: Db;
  files: FileStore;
  now(): Date;
}

const compare: Job<Context, { slipId: string }> = {
  name: "deposits/compare-slip",
  run: (app, { slipId }) => compareSlip(app.db, slipId, app.now()),
};

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

export const depositJobs = [compare, sweep, erase];
