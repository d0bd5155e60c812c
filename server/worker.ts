import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Logger as GraphileLogger,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
import type pg from "pg";
import { sql } from "#server/platform/sql.ts";
import { adjustmentJobs } from "./adjustments/jobs.ts";
import type { App } from "./app-context.ts";
import { backupJobs } from "./backups/jobs.ts";
import { chainJobs } from "./chain/jobs.ts";
import { consoleJobs } from "./console/jobs.ts";
import { contactJobs } from "./contact/jobs.ts";
import { contractJobs } from "./contracts/jobs.ts";
import { depositJobs } from "./deposits/jobs.ts";
import { identityJobs } from "./identity/jobs.ts";
import { kycJobs } from "./kyc/jobs.ts";
import { ledgerJobs } from "./ledger/jobs.ts";
import { marketJobs } from "./markets/jobs.ts";
import { miningJobs } from "./mining/jobs.ts";
import { newsletterJobs } from "./newsletter/jobs.ts";
import { noticeJobs } from "./notices/jobs.ts";
import { payoutJobs } from "./payouts/jobs.ts";
import { personalDataJobs } from "./personal-data/jobs.ts";
import { enqueue, type Job, nodeQueues } from "./platform/jobs/jobs.ts";
import { monthJobs } from "./platform/jobs/open-months.ts";
import { mailJobs } from "./platform/mail/jobs.ts";
import { proofJobs } from "./proof/jobs.ts";
import { reconciliationJobs } from "./reconciliation/jobs.ts";
import { withdrawalJobs } from "./withdrawals/jobs.ts";

/** Jobs of which so many run at a time. */
interface Pool {
  concurrency: number;
  jobs: Job<App, unknown>[];
}

/** Work that may run beside what waits for nodes: of that runs one job of each queue. */
const usualConcurrency = 4;

const usual = {
  concurrency: usualConcurrency + Object.keys(nodeQueues).length,
  jobs: [
    ...ledgerJobs,
    ...marketJobs,
    ...chainJobs,
    ...monthJobs,
    ...identityJobs,
    ...noticeJobs,
    ...contactJobs,
    ...newsletterJobs,
    ...depositJobs,
    ...withdrawalJobs,
    ...adjustmentJobs,
    ...payoutJobs,
    ...miningJobs,
    ...kycJobs,
    ...contractJobs,
    ...personalDataJobs,
    ...reconciliationJobs,
    ...proofJobs,
    ...consoleJobs,
    ...backupJobs,
  ],
} as Pool;

/** A mail server that says nothing, and a letter to everybody, hold this one: no money waits for it. */
const mail = { concurrency: 1, jobs: mailJobs } as Pool;

export interface Worker {
  /** Takes no new jobs, finishes those under way for at most 5 s, then hands the rest back to the queue. */
  stop(): Promise<void>;
}

/** A job that holds its lock for longer belongs to a worker that died: a living one renews it. Any job may run twice. */
const abandonedAfterSeconds = 30;
/** With jobs under way a runner may be silent for longer. */
const stuckAfterMinutes = 5;
/** Nothing takes longer but what hangs: then another worker tries. */
const longestMinutes = 60;
const lookAfterLocksMs = 8_000;
const restartAfterMs = 2_000;

/** The library asks for work every second. Unheard of for so long, with nothing to do, it is stuck. */
const silenceMs = 10_000;
const stopWithinMs = 7_000;

/**
 * Starts the jobs of every room. Any number of workers may run against one database. The library gives up,
 * or falls silent, when the database goes away under it; it is started again until `stop`.
 */
export async function startWorker(
  app: App,
  {
    stuckAfterMs = silenceMs,
    renewEveryMs = lookAfterLocksMs,
  }: { stuckAfterMs?: number; renewEveryMs?: number } = {},
): Promise<Worker> {
  const stopping = new AbortController();
  const watched = { stuckAfterMs, signal: stopping.signal };
  const kept = await startAll(
    [usual, mail].map((pool) => keepRunner(app, pool, watched)),
    stopping,
  );
  await enqueueStarts(app);
  /** Since when this worker has renewed its locks without a gap: until all have done so for long, nobody knows whose worker is dead. */
  let steadySince = performance.now();
  let renewedAt = steadySince;
  let isLooking = false;
  const lookAfterLocks = async () => {
    if (isLooking) return;
    isLooking = true;
    const isRenewed = await renewLocks(
      app,
      kept.flatMap(({ signs }) => [...signs().underWay]),
    );
    // Also one that hung with the database: the others' are as late as this one's.
    const isLate = performance.now() - renewedAt > 3 * renewEveryMs;
    renewedAt = performance.now();
    if (isLate || !isRenewed) steadySince = renewedAt;
    if (renewedAt - steadySince > abandonedAfterSeconds * 1_000) await releaseAbandoned(app);
    isLooking = false;
  };
  const locks = setInterval(() => void lookAfterLocks(), renewEveryMs).unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(locks);
      const stopped = Promise.all(kept.map((runner) => runner.stop()));
      await Promise.race([stopped, wait(stopWithinMs, null, { ref: false })]);
    },
  };
}

interface Watched {
  stuckAfterMs: number;
  signal: AbortSignal;
}

interface KeptRunner extends Worker {
  /** Of the runner that works at the moment. */
  signs(): Signs;
}

/** @throws the first error there was: then those that had started are stopped */
async function startAll(
  starting: Promise<KeptRunner>[],
  stopping: AbortController,
): Promise<KeptRunner[]> {
  try {
    return await Promise.all(starting);
  } catch (error) {
    stopping.abort();
    for (const each of await Promise.allSettled(starting)) {
      if (each.status === "fulfilled") await each.value.stop();
    }
    throw error;
  }
}

/** Starts a runner, and another one whenever it ended or is stuck. */
async function keepRunner(app: App, pool: Pool, watched: Watched): Promise<KeptRunner> {
  const { signal } = watched;
  let runner = await startRunner(app, pool, watched.signal);
  const kept = keepRunning();
  return {
    signs: () => runner.signs,
    async stop() {
      // It may have ended by itself a moment ago, or hang.
      await Promise.all([runner.stop().catch(() => {}), kept]);
    },
  };

  async function keepRunning(): Promise<void> {
    for (;;) {
      const ended = runner.promise.catch((err: unknown) => app.log.error({ err }, "worker broke"));
      await Promise.race([ended, untilStuck(runner.signs, pool, watched)]);
      await wait(restartAfterMs, null, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      app.log.warn("worker ended or is stuck, starting another");
      void runner.stop().catch(() => {});
      runner = await startRunner(app, pool, signal).catch(() => runner);
      if (signal.aborted) await runner.stop().catch(() => {});
    }
  }
}

/** What is known of a runner: when it was last heard of, and its jobs, by their ids, with the holder of the lock and since when. */
interface Signs {
  lastAt: number;
  underWay: UnderWay;
}
type UnderWay = Map<string, { lockedBy: string; since: number }>;

/** Resolves when nothing was heard of a runner for too long, or when it shall stop anyway. */
async function untilStuck(
  signs: Signs,
  { concurrency }: Pool,
  { stuckAfterMs, signal }: Watched,
): Promise<void> {
  while (!signal.aborted) {
    const jobs = signs.underWay.size;
    // With all at work nobody asks for more.
    const minutes = jobs < concurrency ? stuckAfterMinutes : longestMinutes;
    const allowedMs = jobs > 0 ? minutes * 60_000 : stuckAfterMs;
    if (performance.now() - signs.lastAt > allowedMs) return;
    await wait(1_000, null, { signal, ref: false }).catch(() => {});
  }
}

async function startRunner(
  app: App,
  { jobs, concurrency }: Pool,
  signal: AbortSignal,
): Promise<Runner & { signs: Signs }> {
  const signs: Signs = { lastAt: performance.now(), underWay: new Map() };
  const heard = () => {
    signs.lastAt = performance.now();
  };
  const events: WorkerEvents = new EventEmitter();
  events.on("worker:getJob:start", heard);
  events.on("job:start", ({ worker, job }) => {
    heard();
    signs.underWay.set(job.id, { lockedBy: worker.workerPool.id, since: signs.lastAt });
  });
  events.on("job:complete", ({ job }) => {
    heard();
    signs.underWay.delete(job.id);
  });
  const taskList: TaskList = {};
  for (const job of jobs) taskList[job.name] = (payload) => job.run(app, payload, signal);
  const runner = await run({
    events,
    pgPool: givingBackOnce(app.db.$client),
    taskList,
    parsedCronItems: parseCronItems(recurring(jobs)),
    concurrency,
    pollInterval: 1000,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: 5_000,
    logger: graphileLog(app),
    // Jobs are marked as done in batches, if only of one: otherwise the library drops the promise of that, and a
    // database that goes away at this moment would end the whole process by an unhandled rejection.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  return Object.assign(runner, { signs });
}

/**
 * The pool for the library, which gives a connection back twice when it is stopped while the database hangs. Of that
 * pg would make an unhandled rejection, which ends the process.
 */
function givingBackOnce(pool: pg.Pool): pg.Pool {
  const connect = (taken?: Parameters<pg.Pool["connect"]>[0]) => {
    if (!taken) return pool.connect();
    return pool.connect((error, client, giveBack) => {
      let given = false;
      taken(error, client, (broken) => {
        // Without a connection there is nothing to give back, whatever the types say.
        if (!given) giveBack?.(broken);
        given = true;
      });
    });
  };
  return new Proxy(pool, {
    get(_, name) {
      if (name === "connect") return connect;
      const value: unknown = Reflect.get(pool, name, pool);
      return typeof value === "function" ? value.bind(pool) : value;
    },
  });
}

/** Begins what should not wait for its minute. Several workers that start at once begin it once. */
async function enqueueStarts({ db, log }: App): Promise<void> {
  try {
    for (const { name, atStart, queue } of usual.jobs) {
      const once = { key: `${name}:start`, maxAttempts: 1, ...(queue && { queue }) };
      if (atStart) await enqueue(db, name, {}, once);
    }
  } catch (error) {
    log.warn({ err: error }, "jobs of the start could not be begun");
  }
}

/** Says of the jobs under way, and of their queues, that their worker lives; whether it could. */
async function renewLocks(
  { db, log }: App,
  underWay: Array<[string, { lockedBy: string; since: number }]>,
): Promise<boolean> {
  const earliest = performance.now() - longestMinutes * 60_000;
  const living = underWay.filter(([, { since }]) => since > earliest);
  const ids = sql.param(living.map(([id]) => id));
  const ours = sql.param(living.map(([, { lockedBy }]) => lockedBy));
  try {
    await db.execute(sql`
      update graphile_worker._private_jobs set locked_at = now()
       where id = any(${ids}::bigint[]) and locked_by = any(${ours}::text[])`);
    await db.execute(sql`
      update graphile_worker._private_job_queues q set locked_at = now() from graphile_worker._private_jobs j
       where q.id = j.job_queue_id and j.id = any(${ids}::bigint[]) and q.locked_by = any(${ours}::text[])`);
    return true;
  } catch (error) {
    log.warn({ err: error }, "locks of jobs could not be renewed");
    return false;
  }
}

/** Hands jobs of dead workers back to the queue. The library itself would wait for four hours: a reset link is dead by then. */
export async function releaseAbandoned({ db, log }: Pick<App, "db" | "log">): Promise<void> {
  try {
    const { rowCount } = await db.execute(sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
       where locked_at < now() - make_interval(secs => ${abandonedAfterSeconds})`);
    // A queue is held by whoever runs one of its jobs: left locked, nothing in it would be done.
    await db.execute(sql`
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null
       where locked_at < now() - make_interval(secs => ${abandonedAfterSeconds})`);
    if (rowCount) log.warn({ jobs: rowCount }, "jobs of a dead worker handed back");
  } catch (error) {
    log.warn({ err: error }, "jobs of dead workers could not be looked for");
  }
}

function recurring(jobs: Job<App, unknown>[]) {
  return jobs.flatMap(({ name, schedule, queue }) => {
    if (!schedule) return [];
    // What is due every minute is due at once, so that a worker that comes back is seen at once. The rest waits for its time.
    const backfillPeriod = schedule === "* * * * *" ? 60_000 : 0;
    const inTurn = queue ? { queueName: queue, jobKey: name } : {};
    const options = { backfillPeriod, ...inTurn };
    return [{ task: name, match: schedule, options, identifier: name }];
  });
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
