import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import { eraseEvidence } from "./erase-evidence.ts";
import { sweepEvidence } from "./sweep-evidence.ts";

const sweep: Job<{ db: Db; files: FileStore; now(): Date }, unknown> = {
  name: "adjustments/sweep-evidence",
  schedule: "41 * * * *",
  async run(app) {
    await sweepEvidence(app, app.now());
  },
};

const erase: typeof sweep = {
  name: "adjustments/erase-evidence",
  schedule: "57 3 * * *",
  async run(app) {
    await eraseEvidence(app, app.now());
  },
};

export const adjustmentJobs = [sweep, erase];
