import type { Db } from "#server/platform/database.ts";
import type { Job } from "#server/platform/jobs/jobs.ts";
import { tellAlarms } from "./alarms/tell-alarms.ts";
import { sendMorningMails } from "./today/send-morning-mails.ts";

interface Context {
  db: Db;
  config: Parameters<typeof tellAlarms>[0]["config"];
  now(): Date;
}

const mornings: Job<Context, unknown> = {
  name: "console/send-morning-mails",
  // Three times, in case no worker runs at the first: each person gets one mail a day.
  schedule: "0,20,40 7 * * *",
  run: ({ db, config, now }) => sendMorningMails(db, { site: config, now: now() }),
};

const alarms: Job<Context, unknown> = {
  name: "console/tell-alarms",
  schedule: "* * * * *",
  queue: "console/alarms",
  async run({ db, config, now }) {
    await tellAlarms({ db, config, now: now() });
  },
};

export const consoleJobs = [mornings, alarms];
