import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import { runEach } from "../platform/jobs/run-each.ts";
import type { Site } from "../platform/mail/layout.ts";
import { collectArrears } from "./collect-arrears.ts";
import { expireClocks } from "./expire-clocks.ts";
import { postCorrections } from "./post-corrections.ts";
import { postMiningDay } from "./post-mining-day.ts";
import { remindOfEndings } from "./remind-of-endings.ts";
import { retryCustomers } from "./retry-customers.ts";
import { runByItself } from "./run-by-itself.ts";
import { sendDigests } from "./send-digests.ts";
import { tellOfClocks } from "./tell-of-clocks.ts";
import { tellOfEndings } from "./tell-of-endings.ts";
import { tellOfInactivity } from "./tell-of-inactivity.ts";
import { tellStaffOfCustomersApart } from "./tell-staff-of-customers-apart.ts";
import { warnOfRunway } from "./warn-of-runway.ts";

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
    await runEach([retryCustomers, postCorrections, runByItself], (work) => work(db, now()));
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
    const works = [collectArrears, expireClocks, tellOfClocks, tellOfEndings, tellOfInactivity];
    await runEach(works, (work) => work(db, now()));
    await tellStaffOfCustomersApart(db, { site: config, now: now() });
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
