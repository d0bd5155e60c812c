import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import { notifyOfMaintenance } from "./maintenance/notify-of-maintenance.ts";
import { sweepQuotes } from "./sweep-quotes.ts";

interface Context {
  db: Db;
  now(): Date;
}

const sweep: Job<Context, unknown> = {
  name: "contracts/sweep-quotes",
  schedule: "31 4 * * *",
  run: (app) => sweepQuotes(app.db, app.now()),
};

const tell: Job<Context, { changeId: string; after: string | null }> = {
  name: "contracts/notify-of-maintenance",
  run: ({ db }, payload) => notifyOfMaintenance(db, payload),
};

export const contractJobs = [sweep, tell];
