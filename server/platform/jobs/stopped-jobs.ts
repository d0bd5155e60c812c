import { Refusal } from "#core/refusal.ts";
import { moment, number, readRows, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../database.ts";

/** A job that failed as often as it may. Nothing tries it again until somebody says so. */
export interface StoppedJob {
  id: string;
  /** Room and work, for instance `notices/deposit-approved`. */
  task: string;
  attempts: number;
  /** The first line of what went wrong the last time. */
  lastError: string;
  createdAt: Date;
  lastTriedAt: Date;
}

const isStopped = sql`attempts >= max_attempts and locked_at is null`;

/** Lists the jobs that were given up, oldest first. */
export async function listStoppedJobs(db: Db, limit: number): Promise<StoppedJob[]> {
  return readRows(
    db,
    sql`select id::text, task_identifier as task, attempts,
          left(split_part(coalesce(last_error, ''), E'\n', 1), 300) as "lastError",
          created_at as "createdAt", updated_at as "lastTriedAt"
          from graphile_worker.jobs where ${isStopped} order by id limit ${limit}`,
    {
      id: text,
      task: text,
      attempts: number,
      lastError: text,
      createdAt: moment,
      lastTriedAt: moment,
    },
  );
}

/**
 * Lets a job that was given up be tried again, with a full set of attempts.
 *
 * @throws Refusal `platform/job-not-stopped`
 */
export async function retryStoppedJob(tx: Tx, jobId: string): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    select from graphile_worker.jobs where id = ${jobId}::bigint and ${isStopped}`);
  if (!rowCount) throw new Refusal("platform/job-not-stopped");
  await tx.execute(sql`
    select from graphile_worker.reschedule_jobs(
      array[${jobId}::bigint], run_at => now(), attempts => 0)`);
}
