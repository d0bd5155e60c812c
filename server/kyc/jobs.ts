import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import { expireKyc } from "./expire-kyc.ts";
import { sweepDocuments } from "./sweep-documents.ts";

interface Context {
  db: Db;
  files: FileStore;
  config: Config;
  now(): Date;
}

const sweep: Job<Context, unknown> = {
  name: "kyc/sweep-documents",
  schedule: "37 * * * *",
  async run(app) {
    await sweepDocuments(app, app.now());
  },
};

const expire: Job<Context, unknown> = {
  name: "kyc/expire",
  schedule: "7 * * * *",
  run: ({ db, config, now }) => expireKyc(db, config, now()),
};

export const kycJobs = [sweep, expire];
