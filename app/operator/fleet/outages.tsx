import { randomUUID } from "node:crypto";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { utcDay } from "#core/utc-day.ts";
import { endOutage } from "#server/fleet/end-outage.ts";
import { listDeliveries } from "#server/fleet/list-deliveries.ts";
import { listOutages } from "#server/fleet/list-outages.ts";
import { listSites } from "#server/fleet/list-sites.ts";
import { recordOutage } from "#server/fleet/record-outage.ts";
import { ActForm } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Folded } from "../parts/folded.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/outages";
import { endSchema, outageSchema } from "./fleet-schema.ts";
import { FleetTabs } from "./fleet-tabs.tsx";
import { OutageFields, outagePlaces } from "./outage-fields.tsx";
import { OutageState } from "./outage-state.tsx";
import { readOutagePlace } from "./read-outage-place.ts";

export const middleware = guard("fleet/read", {
  outage: "fleet/record-outage",
  end: "fleet/end-outage",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Outages");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const [outages, sites, deliveries] = await Promise.all([
    listOutages(db, { limit: 100 }),
    listSites(db),
    listDeliveries(db, utcDay(now())),
  ]);
  return { outages, sites, deliveries, newOutageId: randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const done = { to: "/operator/fleet/outages", say: "fleet-saved" } as const;
  if (form.get("intent") === "end") {
    return answerAct(form, endSchema, async ({ outageId, until }) => {
      await endOutage(db, operator, { outageId, endedAt: until }, now());
      return done;
    });
  }
  return answerAct(form, outageSchema, async ({ what, at, lost, ...rest }) => {
    const outage = { ...rest, ...readOutagePlace(what), startedAt: at, lostGhs: lost };
    await recordOutage(db, operator, outage, now());
    return done;
  });
}

export default function Outages({ loaderData, actionData }: Route.ComponentProps) {
  const { outages, sites, deliveries, newOutageId } = loaderData;
  const may = useMay();
  const places = outagePlaces(sites, deliveries);
  const goOn = outages.filter(({ endedAt, withdrawnAt }) => !endedAt && !withdrawnAt);
  return (
    <>
      <PageHeader
        title="Fleet"
        description="What was down, and why, as customers read it. The pools say what was delivered; contracts run longer automatically by the difference."
      />
      <FleetTabs />
      <div className={layout.main}>
        {outages.length === 0 ? (
          <EmptyState>Nothing has stood still yet.</EmptyState>
        ) : (
          <ConsoleTable
            label="Outages, those that go on first"
            rows={outages}
            columns={[
              {
                head: "What",
                sort: "site",
                value: "siteName",
                to: (outage) => `/operator/fleet/outages/${outage.id}`,
                second: (outage) => outage.model ?? "all machines",
              },
              { head: "Since", sort: "-since", value: "startedAt" },
              {
                head: "Until",
                sort: "-until",
                value: "endedAt",
                cell: (outage) => (
                  <>
                    {outage.endedAt ? <When at={outage.endedAt} /> : null}
                    <OutageState outage={outage} />
                    {!goOn.includes(outage) || !may("fleet/end-outage") ? null : (
                      <Folded title="It runs again" open={actionData?.form === `end-${outage.id}`}>
                        <ActForm
                          intent="end"
                          id={`end-${outage.id}`}
                          rules={async () => (await import("./fleet-schema.ts")).endSchema}
                          answer={actionData}
                          hidden={{ outageId: outage.id }}
                          button="Note the end"
                          pendingText="Saving…"
                          tone="plain"
                        >
                          {(form) => (
                            <TextField
                              label="Since (UTC)"
                              {...form.field("until")}
                              type="datetime-local"
                            />
                          )}
                        </ActForm>
                      </Folded>
                    )}
                  </>
                ),
              },
              { head: "Lost", sort: "-lost", value: "lostGhs", format: "hashrate" },
              { head: "Reason", kind: "memo", value: "reason" },
            ]}
          />
        )}
        {may("fleet/record-outage") && places.length > 0 ? (
          <Panel title="Note an outage">
            <ActForm
              key={Math.max(...outages.map(({ createdAt }) => createdAt.getTime()))}
              intent="outage"
              rules={async () => (await import("./fleet-schema.ts")).outageSchema}
              answer={actionData}
              defaults={{ what: places[0]?.value ?? "" }}
              button="Note the outage"
              pendingText="Saving…"
            >
              {(form) => (
                <>
                  <FormKey name="outageId" fresh={newOutageId} />
                  <OutageFields form={form} places={places} />
                </>
              )}
            </ActForm>
          </Panel>
        ) : null}
      </div>
    </>
  );
}
