import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs.ts";
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

export const contractJobs = [sweep];
