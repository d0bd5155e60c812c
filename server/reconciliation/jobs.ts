import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs.ts";
import { noteCustody } from "./note-custody.ts";

const note: Job<{ db: Db; now(): Date }, unknown> = {
  name: "reconciliation/note-custody",
  // The first run after midnight notes the day; the others find it noted.
  schedule: "7 * * * *",
  async run({ db, now }) {
    await noteCustody(db, now());
  },
};

export const reconciliationJobs = [note];
