import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs.ts";
import { tellOfMaintenance } from "./tell-of-maintenance.ts";

const tell: Job<{ db: Db }, { changeId: string; after: string | null }> = {
  name: "contracts/tell-of-maintenance",
  run: ({ db }, payload) => tellOfMaintenance(db, payload),
};

export const contractJobs = [tell];
