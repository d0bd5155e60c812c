import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log/log.ts";
import { pullPayouts } from "./braiins/pull-payouts.ts";

interface Context {
  db: Db;
  config: Pick<Config, "braiins">;
  log: Log;
  now(): Date;
}

const pull: Job<Context, unknown> = {
  name: "payouts/pull",
  schedule: "*/5 * * * *",
  async run({ db, config, log, now }, _, stopping) {
    if (config.braiins === null) return;
    await pullPayouts(db, { ...config.braiins, stopping }, { now: now(), log });
  },
};

export const payoutJobs = [pull];
