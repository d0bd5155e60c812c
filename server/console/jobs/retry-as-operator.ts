import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { retryStoppedJob } from "#server/platform/jobs/stopped-jobs.ts";

/**
 * Lets a job that was given up be tried again, and writes down who asked for it.
 *
 * @throws Refusal `platform/job-not-stopped`
 */
export function retryAsOperator(
  db: Db,
  operator: ActingOperator,
  { jobId, now }: { jobId: string; now: Date },
): Promise<void> {
  const retry = { act: "jobs/retry" as const, subject: `job:${jobId}`, detail: {}, now };
  return actAsOperator(db, operator, retry, (tx) => retryStoppedJob(tx, jobId));
}
