import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import { readDueSources, readSource } from "./read-source.ts";

interface Context {
  db: Db;
  config: Pick<Config, "feedsAllowLoopback">;
  now(): Date;
}

const readDue: Job<Context, unknown> = {
  name: "news/read-due",
  schedule: "*/5 * * * *",
  run: ({ db, now }) => readDueSources(db, now()),
};

const read: Job<Context, { sourceId: string }> = {
  name: "news/read-source",
  run: ({ db, config, now }, { sourceId }, stopping) =>
    readSource(db, sourceId, { allowLoopback: config.feedsAllowLoopback, now: now(), stopping }),
};

export const newsJobs = [readDue, read];
