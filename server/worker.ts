import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import {
  type Logger as GraphileLogger,
  Logger,
  parseCronItems,
  type Runner,
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
  /** Takes no new jobs, finishes those under way for at most 5 s, then hands the rest back to the queue. */
  stop(): Promise<void>;
}

/** A job that holds its lock for longer belongs to a worker that died: every job takes seconds, and may run twice. */
const abandonedAfterMinutes = 5;
const lookForAbandonedMs = 60_000;
const restartAfterMs = 2_000;

/**
 * Starts the jobs of every room. Any number of workers may run against one database. The library gives up
 * when the database goes away under a job; it is started again until `stop`.
 */
export async function startWorker(app: App): Promise<Worker> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let runner = await startRunner(app);
  const release = setInterval(() => void releaseAbandoned(app), lookForAbandonedMs).unref();
  void releaseAbandoned(app);
  const kept = keepRunning();
  return {
    async stop() {
      stopping.abort();
      clearInterval(release);
      // It may have ended by itself a moment ago.
      await runner.stop().catch(() => {});
      await kept;
    },
  };

  async function keepRunning(): Promise<void> {
    for (;;) {
      await runner.promise.catch((error: unknown) => app.log.error({ err: error }, "worker broke"));
      await wait(restartAfterMs, null, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      app.log.warn("worker ended, starting it again");
      runner = await startRunner(app).catch(() => runner);
      if (signal.aborted) await runner.stop().catch(() => {});
    }
  }
}

function startRunner(app: App): Promise<Runner> {
  const taskList: TaskList = {};
  for (const job of allJobs) taskList[job.name] = (payload) => job.run(app, payload);
  return run({
    pgPool: app.db.$client,
    taskList,
    parsedCronItems: parseCronItems(recurring()),
    concurrency: 4,
    pollInterval: 1000,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: 5_000,
    logger: graphileLog(app),
    // Jobs are marked as done in batches, if only of one: otherwise the library drops the promise of that, and a
    // database that goes away at this moment would end the whole process by an unhandled rejection.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
}

/** Hands jobs of dead workers back to the queue. The library itself would wait for four hours: a reset link is dead by then. */
export async function releaseAbandoned({ db, log }: Pick<App, "db" | "log">): Promise<void> {
  try {
    const { rowCount } = await db.execute(sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
       where locked_at < now() - make_interval(mins => ${abandonedAfterMinutes})`);
    if (rowCount) log.warn({ jobs: rowCount }, "jobs of a dead worker handed back");
  } catch (error) {
    log.warn({ err: error }, "jobs of dead workers could not be looked for");
  }
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
