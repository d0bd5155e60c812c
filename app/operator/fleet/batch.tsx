import { data, Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { formatHashrate, writeThs } from "#core/mining/hashrate.ts";
import { utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import { findBatch, listBatchStates } from "#server/fleet/list-batches.ts";
import { recordBatchState } from "#server/fleet/record-batch-state.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { ActForm } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { ConsoleError } from "../parts/console-error.tsx";
import list from "../parts/console-list.module.css";
import columns from "../parts/two-columns.module.css";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/batch";
import { BatchStateFields } from "./batch-state-fields.tsx";
import { stateSchema } from "./fleet-schema.ts";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("fleet/read", "fleet/record-batch-state"),
];
export const ErrorBoundary = ConsoleError;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [
    { title: `${loaderData?.batch.model ?? "Machines"} · ${matches[0].loaderData.siteName}` },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const batch = isId(params.batchId) ? await findBatch(db, params.batchId) : null;
  if (!batch) throw data(null, { status: 404, statusText: "Not Found" });
  return { batch, today: utcDay(now()), states: await listBatchStates(db, batch.id) };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const operator = context.get(operatorContext);
  const { batchId } = params;
  if (!isId(batchId)) throw data(null, { status: 404, statusText: "Not Found" });
  return answerAct(await request.formData(), stateSchema, async ({ measured, watts, ...rest }) => {
    const state = { ...rest, batchId, measuredGhs: measured, powerWatts: watts };
    await recordBatchState(db, operator, state, now());
    return { to: `/operator/fleet/batches/${batchId}`, say: "fleet-saved" };
  });
}

export default function BatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { batch, states, today } = loaderData;
  const may = useMay();
  const [last] = states;
  return (
    <>
      <PageHeader
        title={batch.model}
        description={
          <>
            {batch.siteName} · {formatHashrate(batch.nameplateGhs)} each by its maker ·{" "}
            <Link to="/operator/fleet">Fleet</Link>
          </>
        }
      />
      <div className={columns.page}>
        <DataTable
          label="How these machines run, newest day first"
          rows={states}
          rowKey={(state) => String(state.number)}
          columns={[
            {
              head: "From",
              cellClass: list.day,
              cell: (state, index) => (
                <>
                  {state.effectiveFrom}
                  {states[index - 1]?.effectiveFrom === state.effectiveFrom ? (
                    <div className={list.second}>replaced</div>
                  ) : null}
                </>
              ),
            },
            { head: "Machines", className: list.number, cell: (state) => state.machines },
            {
              head: "Measured, each",
              className: list.number,
              cell: (state) => formatHashrate(state.measuredGhs),
            },
            {
              head: "Power, each",
              className: list.number,
              cell: (state) => <>{state.powerWatts} W</>,
            },
            { head: "Rests on", cellClass: list.memo, cell: (state) => state.evidence },
            {
              head: "Entered",
              cell: (state) => (
                <>
                  <When at={state.createdAt} />
                  <div className={list.second}>{state.by ?? "on the server"}</div>
                </>
              ),
            },
          ]}
        />
        {may("fleet/record-batch-state") ? (
          <Panel title="How they run from a day on">
            <ActForm
              key={String(last?.number ?? 0)}
              intent="state"
              rules={async () => (await import("./fleet-schema.ts")).stateSchema}
              answer={actionData}
              defaults={{
                effectiveFrom: today,
                machines: `${last?.machines ?? ""}`,
                measured: last ? writeThs(last.measuredGhs) : "",
                watts: `${last?.powerWatts ?? ""}`,
              }}
              button="Save"
              pendingText="Saving…"
            >
              {(form) => <BatchStateFields form={form} />}
            </ActForm>
          </Panel>
        ) : null}
      </div>
    </>
  );
}
