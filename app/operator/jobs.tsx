import { VisuallyHidden } from "@mantine/core";
import { data, Form, redirect } from "react-router";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { flash } from "#app/ui/flash.ts";
import { SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { Refusal } from "#core/refusal.ts";
import { isSilent } from "#core/silence.ts";
import { appContext } from "#server/app-context.ts";
import { retryAsOperator } from "#server/console/jobs/retry-as-operator.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { listStoppedJobs, type StoppedJob } from "#server/platform/stopped-jobs.ts";
import { findWorkerSeen, workerPeriodSeconds } from "#server/platform/worker-seen.ts";
import type { Route } from "./+types/jobs";
import { ConsoleError } from "./console-error.tsx";
import { listKeys } from "./console-keys.ts";
import styles from "./console-list.module.css";
import { readAfterConflict } from "./read-after-conflict.ts";
import { useMay } from "./use-may.ts";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("jobs/read", "jobs/retry"),
];
export const ErrorBoundary = ConsoleError;
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Jobs");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [jobs, seenAt] = await Promise.all([listStoppedJobs(db), findWorkerSeen(db)]);
  return { jobs, runs: seenAt !== null && !isSilent(seenAt, workerPeriodSeconds, now()) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const jobId = String((await request.formData()).get("jobId"));
  if (!/^\d{1,18}$/.test(jobId)) throw data(null, { status: 404, statusText: "Not Found" });
  try {
    await retryAsOperator(db, context.get(operatorContext), { jobId, now: now() });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return data({ refused: true }, 409);
  }
  return redirect("/operator/jobs", { headers: { "Set-Cookie": await flash("job-queued-again") } });
}

export default function Jobs({ loaderData: { jobs, runs }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Jobs"
        description="Work in the background that failed as often as it may. Each is safe to try again: what was done is not done twice."
      />
      {actionData?.refused ? (
        <Notice tone="warning" role="alert" title="This job runs again already">
          Somebody else has asked for it in the meantime. Below is what still waits.
        </Notice>
      ) : null}
      {jobs.length === 0 ? (
        <EmptyState drawing="seal">
          {runs
            ? "Nothing was given up."
            : "Nothing was given up, and nothing is tried: no worker runs."}
        </EmptyState>
      ) : (
        <JobTable jobs={jobs} />
      )}
    </>
  );
}

function JobTable({ jobs }: { jobs: StoppedJob[] }) {
  const mayRetry = useMay()("jobs/retry");
  return (
    <DataTable label="Jobs that were given up">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Work</Table.Th>
          <Table.Th className={styles.number}>Attempts</Table.Th>
          <Table.Th>Begun</Table.Th>
          <Table.Th>Last tried</Table.Th>
          {mayRetry ? (
            <Table.Th>
              <VisuallyHidden>Try again</VisuallyHidden>
            </Table.Th>
          ) : null}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {jobs.map(({ id, task, attempts, lastError, createdAt, lastTriedAt }) => (
          <Table.Tr key={id} className={styles.row}>
            <Table.Td>
              {task}
              <div className={styles.error}>{lastError}</div>
            </Table.Td>
            <Table.Td className={styles.number}>{attempts}</Table.Td>
            <Table.Td>
              <When at={createdAt} />
            </Table.Td>
            <Table.Td>
              <When at={lastTriedAt} />
            </Table.Td>
            {mayRetry ? (
              <Table.Td>
                <Form method="post">
                  <input type="hidden" name="jobId" value={id} />
                  <SubmitButton pendingText="Queueing…">Try again</SubmitButton>
                </Form>
              </Table.Td>
            ) : null}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
