import type { Db } from "../platform/database.ts";
import type { Job } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { sendNotice } from "./send-notice.ts";

const send: Job<{ db: Db; config: Site; now(): Date }, { customerId: string; notice: string }> = {
  name: "notices/send",
  run: ({ db, config, now }, payload) => sendNotice(db, { ...payload, site: config, now: now() }),
};

export const noticeJobs = [send];
