import type { Db } from "#server/platform/database.ts";
import type { Job } from "#server/platform/jobs/jobs.ts";
import { publishProofDays } from "./publish-days.ts";

const publish: Job<{ db: Db }, unknown> = {
  name: "proof/publish-days",
  // The first run after midnight publishes the day, when what was posted in it is sealed; the others find it done.
  schedule: "5 * * * *",
  run: ({ db }) => publishProofDays(db),
};

export const proofJobs = [publish];
