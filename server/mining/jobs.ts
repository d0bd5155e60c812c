import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs.ts";
import { collectArrears } from "./collect-arrears.ts";
import { expireClocks } from "./expire-clocks.ts";
import { postCorrections } from "./post-corrections.ts";
import { postMiningDay } from "./post-mining-day.ts";
import { runByItself } from "./run-by-itself.ts";
import { sendDigests } from "./send-digests.ts";
import { tellOfClocks } from "./tell-of-clocks.ts";
import { tellOfEndings } from "./tell-of-endings.ts";
import { tellOfInactivity } from "./tell-of-inactivity.ts";

interface Context {
  db: Db;
  now(): Date;
}

const run: Job<Context, unknown> = {
  name: "mining/run",
  schedule: "*/2 * * * *",
  atStart: true,
  async run({ db, now }) {
    await postCorrections(db, now());
    await runByItself(db, now());
  },
};

const postDay: Job<Context, { day: string }> = {
  name: "mining/post-day",
  async run({ db, now }, { day }) {
    await postMiningDay(db, day, now());
  },
};

const clocks: Job<Context, unknown> = {
  name: "mining/keep-clocks",
  schedule: "* * * * *",
  async run({ db, now }) {
    await collectArrears(db, now());
    await expireClocks(db, now());
    await tellOfClocks(db, now());
    await tellOfEndings(db, now());
    await tellOfInactivity(db, now());
  },
};

const digests: Job<Context, unknown> = {
  name: "mining/send-digests",
  schedule: "*/10 * * * *",
  run: ({ db, now }) => sendDigests(db, now()),
};

export const miningJobs = [run, postDay, clocks, digests];
