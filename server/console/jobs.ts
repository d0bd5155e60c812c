import type { Db } from "#server/platform/database.ts";
import type { Job } from "#server/platform/jobs/jobs.ts";
import type { Site } from "#server/platform/mail/layout.ts";
import { sendMorningMails } from "./today/send-morning-mails.ts";

interface Context {
  db: Db;
  config: Site;
  now(): Date;
}

const mornings: Job<Context, unknown> = {
  name: "console/send-morning-mails",
  // Three times, in case no worker runs at the first: each person gets one mail a day.
  schedule: "0,20,40 7 * * *",
  run: ({ db, config, now }) => sendMorningMails(db, { site: config, now: now() }),
};

export const consoleJobs = [mornings];
