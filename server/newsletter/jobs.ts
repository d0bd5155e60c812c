import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { sendConfirmation, type Wish } from "./send-confirmation.ts";
import { sweepSubscriptions } from "./sweep-subscriptions.ts";

interface Context {
  db: Db;
  config: Site;
  now(): Date;
}

const confirm: Job<Context, Wish> = {
  name: "newsletter/send-confirmation",
  run: ({ db, config, now }, wish) => sendConfirmation(db, { wish, site: config, now: now() }),
};

const sweep: Job<Context, unknown> = {
  name: "newsletter/sweep-subscriptions",
  schedule: "41 * * * *",
  run: ({ db, now }) => sweepSubscriptions(db, now()),
};

export const newsletterJobs = [confirm, sweep];
