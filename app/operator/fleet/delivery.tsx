import { Link } from "react-router";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { formatHashrate, writeThs } from "#core/mining/hashrate.ts";
import { utcDay } from "#core/utc-day.ts";
import {
  findDelivery,
  findLastStateNumber,
  listDeliveryStates,
} from "#server/fleet/list-deliveries.ts";
import { recordDeliveryState } from "#server/fleet/record-delivery-state.ts";
import { ActForm } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, found, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/delivery";
import { DeliveryStateFields } from "./delivery-state-fields.tsx";
import { stateSchema } from "./fleet-schema.ts";

export const middleware = guard("fleet/read", "fleet/record-delivery-state");
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [
    { title: `${loaderData?.delivery.model ?? "Machines"} · ${matches[0].loaderData.siteName}` },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const delivery = found(
    isUuid(params.deliveryId) ? await findDelivery(db, params.deliveryId) : null,
  );
  // In this order: what is recorded between the two makes the form old.
  const mark = await findLastStateNumber(db, delivery.id);
  const states = await listDeliveryStates(db, delivery.id);
  return { delivery, today: utcDay(now()), states, mark };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { deliveryId } = params;
  if (!isUuid(deliveryId)) throw notFound();
  return answerAct(await request.formData(), stateSchema, async ({ measured, watts, ...rest }) => {
    const state = { ...rest, deliveryId, measuredGhs: measured, powerWatts: watts };
    await recordDeliveryState(db, operator, state, now());
    return { to: `/operator/fleet/deliveries/${deliveryId}`, say: "fleet-saved" };
  });
}

export default function DeliveryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { delivery, states, mark, today } = loaderData;
  const may = useMay();
  const [last] = states;
  return (
    <>
      <PageHeader
        title={delivery.model}
        description={
          <>
            {delivery.siteName} · {formatHashrate(delivery.nameplateGhs)} each by its maker ·{" "}
            <Link to="/operator/fleet">Fleet</Link>
          </>
        }
      />
      <div className={layout.main}>
        <ConsoleTable
          label="How these machines run, newest day first"
          rows={states}
          rowKey={(state) => String(state.number)}
          columns={[
            {
              head: "From",
              kind: "day",
              cell: (state) => state.effectiveFrom,
              second: (state, index) =>
                states[index - 1]?.effectiveFrom === state.effectiveFrom ? "replaced" : null,
            },
            { head: "Machines", kind: "number", value: "machines" },
            { head: "Measured, each", value: "measuredGhs", format: "hashrate" },
            { head: "Power, each", kind: "number", cell: (state) => `${state.powerWatts} W` },
            { head: "Rests on", kind: "memo", value: "evidence" },
            { head: "Entered", value: "createdAt", second: (state) => state.by ?? "on the server" },
          ]}
        />
        {may("fleet/record-delivery-state") ? (
          <Panel title="How they run from a day on">
            <ActForm
              intent="state"
              seen={{ mark, again: () => ({}) }}
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
              {(form) => <DeliveryStateFields form={form} />}
            </ActForm>
          </Panel>
        ) : null}
      </div>
    </>
  );
}
