import { Form } from "react-router";
import { runAct } from "#app/run-act.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import { isSilent } from "#core/payments/silence.ts";
import { Refusal } from "#core/refusal.ts";
import { retryAsOperator } from "#server/console/jobs/retry-as-operator.ts";
import { listStoppedJobs, type StoppedJob } from "#server/platform/jobs/stopped-jobs.ts";
import { findWorkerSeen, workerPeriodSeconds } from "#server/platform/jobs/worker-seen.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { OnlyShown } from "../parts/only-shown.tsx";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/jobs";

export const middleware = guard("jobs/read", "jobs/retry");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Jobs");
export const handle = { keys: listKeys };

const mostJobs = 100;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const [jobs, seenAt] = await Promise.all([listStoppedJobs(db, mostJobs), findWorkerSeen(db)]);
  return {
    jobs: jobs.map(explain),
    runs: seenAt !== null && !isSilent(seenAt, workerPeriodSeconds, now()),
  };
}

/** A refusal is kept by its code alone. */
function explain(job: StoppedJob): StoppedJob {
  const said = sayRefusal(new Refusal(job.lastError));
  return said ? { ...job, lastError: `${job.lastError}: ${said.text}` } : job;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const jobId = String((await request.formData()).get("jobId"));
  if (!/^\d{1,18}$/.test(jobId)) throw notFound();
  return runAct(
    async () => {
      await retryAsOperator(db, operator, { jobId, now: now() });
      return { to: "/operator/jobs", say: "job-queued-again" };
    },
    (said) => ({ fault: said.text }),
    sayRefusal,
  );
}

export default function Jobs({ loaderData: { jobs, runs }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Jobs"
        description="Work in the background that failed as often as it may. Each is safe to try again: what was done is not done twice."
      />
      {actionData?.fault ? (
        <Notice tone="warning" role="alert" title="The job was not tried again">
          {actionData.fault}
        </Notice>
      ) : null}
      {jobs.length === 0 ? (
        <EmptyState drawing="seal">
          {runs
            ? "Nothing was given up."
            : "Nothing was given up, and nothing is tried: no worker runs."}
        </EmptyState>
      ) : (
        <>
          <JobTable jobs={jobs} />
          <OnlyShown rows={jobs.length} most={mostJobs} which="oldest" />
        </>
      )}
    </>
  );
}

function JobTable({ jobs }: { jobs: StoppedJob[] }) {
  const mayRetry = useMay()("jobs/retry");
  return (
    <ConsoleTable
      label="Jobs that were given up"
      rows={jobs}
      columns={[
        {
          head: "Work",
          sort: "work",
          value: "task",
          cell: ({ task, lastError }) => (
            <>
              {task}
              <div className={styles.error}>{lastError}</div>
            </>
          ),
        },
        { head: "Attempts", kind: "number", value: "attempts" },
        { head: "Begun", value: "createdAt" },
        { head: "Last tried", sort: "-tried", value: "lastTriedAt" },
        mayRetry
          ? {
              head: <VisuallyHidden>Try again</VisuallyHidden>,
              cell: ({ id }) => (
                <Form method="post">
                  <input type="hidden" name="jobId" value={id} />
                  <SubmitButton pendingText="Queueing…">Try again</SubmitButton>
                </Form>
              ),
            }
          : null,
      ]}
    />
  );
}
