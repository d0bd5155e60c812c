import {
  type Logger as GraphileLogger,
  Logger,
  parseCronItems,
  run,
  type TaskList,
} from "graphile-worker";
import type { App } from "./app-context.ts";
import { depositJobs } from "./deposits/jobs.ts";
import { identityJobs } from "./identity/jobs.ts";
import { ledgerJobs } from "./ledger/jobs.ts";
import { noticeJobs } from "./notices/jobs.ts";
import type { Job } from "./platform/jobs.ts";
import { mailJobs } from "./platform/mail/jobs.ts";

const allJobs = [...ledgerJobs, ...mailJobs, ...identityJobs, ...noticeJobs, ...depositJobs] as Job<
  App,
  unknown
>[];

export interface Worker {
  /** Takes no new jobs, finishes those under way for at most 6 s, then hands the rest back to the queue. */
  stop(): Promise<void>;
}

/** Starts the jobs of every room. Any number of workers may run against one database. */
export async function startWorker(app: App): Promise<Worker> {
  const taskList: TaskList = {};
  for (const job of allJobs) taskList[job.name] = (payload) => job.run(app, payload);
  const runner = await run({
    pgPool: app.db.$client,
    taskList,
    parsedCronItems: parseCronItems(recurring()),
    concurrency: 4,
    pollInterval: 1000,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: 6_000,
    logger: graphileLog(app),
  });
  runner.promise.catch((error: unknown) => app.log.error({ err: error }, "worker stopped"));
  return { stop: () => runner.stop() };
}

function recurring() {
  return allJobs.flatMap(({ name, schedule }) =>
    schedule
      ? [{ task: name, match: schedule, options: { backfillPeriod: 0 }, identifier: name }]
      : [],
  );
}

/** The library's own lines, without job payloads or the text of errors: those may name a person. */
function graphileLog(app: App): GraphileLogger {
  return new Logger(() => (level, message, meta) => {
    const { error, job } = (meta ?? {}) as { error?: unknown; job?: { task_identifier?: string } };
    if (error !== undefined) {
      app.log.error(
        { err: error, task: job?.task_identifier },
        "job failed, it will be tried again",
      );
    } else if (level === "error") app.log.error(message);
    else if (level === "warning") app.log.warn(message);
    else app.log.debug(message);
  });
}
