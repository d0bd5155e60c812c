import { expect, test } from "vitest";
import { enqueue } from "#server/platform/jobs/jobs.ts";
import { listStoppedJobs } from "#server/platform/jobs/stopped-jobs.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { retryAsOperator } from "./retry-as-operator.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");

test("a job that was given up is shown, and is tried again when staff say so, once", async () => {
  const operator = { ...(await createTestOperator(db)), requestId: "test" };
  await enqueue(db, "test/works", {});
  await enqueue(db, "test/fails", {});
  await owner.query(
    `update graphile_worker._private_jobs j set attempts = max_attempts, last_error = E'no such thing\\n  at line 1'
       from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'test/fails'`,
  );
  const [stopped, ...others] = await listStoppedJobs(db, 10);
  expect(others).toEqual([]);
  expect(stopped).toMatchObject({ task: "test/fails", attempts: 25, lastError: "no such thing" });
  const jobId = stopped?.id ?? "";
  await retryAsOperator(db, operator, { jobId, now });
  expect(await listStoppedJobs(db, 10)).toEqual([]);
  await expect(retryAsOperator(db, operator, { jobId, now })).rejects.toThrow("job-not-stopped");
  const { rows } = await owner.query("select act, subject from audit_log where act = 'jobs/retry'");
  expect(rows).toEqual([{ act: "jobs/retry", subject: `job:${jobId}` }]);
});
