import type { Db } from "#server/platform/database.ts";
import type { Job } from "#server/platform/jobs.ts";

interface Context {
  db: Db;
}

export const ledgerJobs: Job<Context, object>[] = [];
