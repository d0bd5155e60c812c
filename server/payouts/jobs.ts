import { sql } from "#server/platform/sql.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log/log.ts";
import { pullPayouts } from "./braiins/pull-payouts.ts";
import { recordCovered } from "./record-covered.ts";

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

const cover: Job<Context, unknown> = {
  name: "payouts/cover",
  schedule: "*/2 * * * *",
  async run({ db, log, now }) {
    await db.execute(sql`select note_coins_amiss(${now().toISOString()}::timestamptz)`);
    const { failures } = await recordCovered(db, now());
    for (const error of failures)
      log.error({ err: error }, "a payout that coins cover was not recorded");
  },
};

export const payoutJobs = [pull, cover];
