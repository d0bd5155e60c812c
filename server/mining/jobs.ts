import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import { runEach } from "../platform/jobs/run-each.ts";
import type { Site } from "../platform/mail/layout.ts";
import { notifyOfEndings } from "./contracts/notify-of-endings.ts";
import { notifyOfInactivity } from "./contracts/notify-of-inactivity.ts";
import { remindOfEndings } from "./contracts/remind-of-endings.ts";
import { warnOfRunway } from "./contracts/warn-of-runway.ts";
import { notifyStaffOfCustomersApart } from "./days/notify-staff-of-customers-apart.ts";
import { postAutomatically } from "./days/post-automatically.ts";
import { postCorrections } from "./days/post-corrections.ts";
import { postMiningDay } from "./days/post-mining-day.ts";
import { retryCustomers } from "./days/retry-customers.ts";
import { sendDigests } from "./digests/send-digests.ts";
import { collectArrears } from "./grace-periods/collect-arrears.ts";
import { expireClocks } from "./grace-periods/expire-grace-periods.ts";
import { notifyOfGracePeriods } from "./grace-periods/notify-of-grace-periods.ts";

interface Context {
  db: Db;
  config: Site;
  now(): Date;
}

const run: Job<Context, unknown> = {
  name: "mining/run",
  schedule: "*/2 * * * *",
  atStart: true,
  async run({ db, now }) {
    // None of them waits for another that fails.
    await runEach([retryCustomers, postCorrections, postAutomatically], (work) => work(db, now()));
  },
};

const postDay: Job<Context, { day: string }> = {
  name: "mining/post-day",
  async run({ db, now }, { day }) {
    await postMiningDay(db, day, now());
  },
};

const retry: Job<Context, unknown> = {
  name: "mining/retry-customers",
  async run({ db, now }) {
    await runEach([retryCustomers, collectArrears, expireClocks], (work) => work(db, now()));
  },
};

const clocks: Job<Context, unknown> = {
  name: "mining/keep-clocks",
  schedule: "* * * * *",
  async run({ db, config, now }) {
    const works = [
      collectArrears,
      expireClocks,
      notifyOfGracePeriods,
      notifyOfEndings,
      notifyOfInactivity,
    ];
    await runEach(works, (work) => work(db, now()));
    await notifyStaffOfCustomersApart(db, { site: config, now: now() });
  },
};

const runway: Job<Context, { day: string; after: string }> = {
  name: "mining/warn-of-runway",
  run: ({ db, now }, page) => warnOfRunway(db, page, now()),
};

const digests: Job<Context, unknown> = {
  name: "mining/send-digests",
  schedule: "*/10 * * * *",
  run: ({ db, now }) => sendDigests(db, now()),
};

const reminders: Job<Context, unknown> = {
  name: "mining/remind-of-endings",
  schedule: "23 * * * *",
  run: ({ db, now }) => remindOfEndings(db, now()),
};

export const miningJobs = [run, postDay, retry, clocks, runway, digests, reminders];
