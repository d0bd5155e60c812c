import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { sendResetLink } from "./passwords/send-reset-link.ts";
import { sweepEnded } from "./sessions/sweep-ended.ts";

interface Context {
  db: Db;
  config: Site;
  now(): Date;
}

const sendReset: Job<Context, { email: string }> = {
  name: "identity/send-reset-link",
  run: ({ db, config, now }, { email }) => sendResetLink(db, { email, site: config, now: now() }),
};

const sweep: Job<Context, unknown> = {
  name: "identity/sweep-ended",
  schedule: "17 * * * *",
  run: ({ db, now }) => sweepEnded(db, now()),
};

export const identityJobs = [sendReset, sweep];
