import { randomUUID } from "node:crypto";
import { DayChart } from "#app/ui/charts/day-chart.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { utcDay } from "#core/utc-day.ts";
import { addDelivery } from "#server/fleet/add-delivery.ts";
import { getSalesBounds } from "#server/fleet/get-sales-bounds.ts";
import { type Delivery, listDeliveries } from "#server/fleet/list-deliveries.ts";
import { type FleetDay, listFleetDays, sinceMachines } from "#server/fleet/list-fleet-days.ts";
import { listSites } from "#server/fleet/list-sites.ts";
import { setReserve } from "#server/fleet/set-reserve.ts";
import { listKeys } from "../console-keys.ts";
import { ActForm, type FormAnswer, Pair } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Folded } from "../parts/folded.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/capacity";
import { DeliveryStateFields } from "./delivery-state-fields.tsx";
import styles from "./fleet.module.css";
import { deliverySchema, reserveSchema } from "./fleet-schema.ts";
import { FleetTabs } from "./fleet-tabs.tsx";

const shownDays = 30;

export const middleware = guard("fleet/read", {
  delivery: "fleet/add-delivery",
  reserve: "fleet/set-reserve",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Fleet");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const at = now();
  const daysFromNow = (days: number) => utcDay(new Date(at.getTime() + days * 86_400_000));
  const today = utcDay(at);
  const [around, deliveries, sites, bounds] = await Promise.all([
    listFleetDays(db, { from: daysFromNow(-shownDays), until: daysFromNow(shownDays) }),
    listDeliveries(db, today),
    listSites(db),
    getSalesBounds(db),
  ]);
  const ofToday = around.find(({ day }) => day === today);
  const days = sinceMachines(around);
  return { today, ofToday, days, deliveries, sites, ...bounds, newDeliveryId: randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const done = { to: "/operator/fleet", say: "fleet-saved" } as const;
  if (form.get("intent") === "reserve") {
    return answerAct(form, reserveSchema, async ({ percent }) => {
      await setReserve(db, operator, Number(percent), now());
      return done;
    });
  }
  return answerAct(form, deliverySchema, async (value) => {
    const { nameplate, measured, watts, ...rest } = value;
    const delivery = { ...rest, nameplateGhs: nameplate, measuredGhs: measured, powerWatts: watts };
    await addDelivery(db, operator, delivery, now());
    return done;
  });
}

export default function Capacity({ loaderData, actionData }: Route.ComponentProps) {
  const { today, ofToday, days, deliveries, sites, seenGhs, reservePpm, newDeliveryId } =
    loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Fleet"
        description="What the machines can do, what is sold of it, and what the pools saw. Days are UTC days."
      />
      <FleetTabs />
      <div className={layout.main}>
        <div className={layout.stack}>
          {deliveries.length === 0 ? (
            <EmptyState>
              {sites.length === 0
                ? "No machines yet. Add a site first, then its machines."
                : "No machines yet. Add the first ones on this page."}
            </EmptyState>
          ) : (
            <>
              <Deliveries deliveries={deliveries} />
              <CapacityByDay days={days} today={today} />
            </>
          )}
        </div>
        <div className={layout.stack}>
          <Panel title="Today">
            <Facts
              facts={[
                { label: "Capacity", value: formatHashrate(ofToday?.capacityGhs ?? 0n) },
                { label: "Sold", value: formatHashrate(ofToday?.soldGhs ?? 0n) },
                {
                  label: "Owed for downtime",
                  value: formatHashrate(ofToday?.owedGhs ?? 0n),
                },
                { label: "Free", value: formatHashrate(ofToday?.freeGhs ?? 0n) },
                {
                  label: "Most that pools saw",
                  value: seenGhs === null ? "Not bounded yet" : formatHashrate(seenGhs),
                },
                { label: "Never sold", value: `${writeDecimal(BigInt(reservePpm), 4)} %` },
              ]}
            />
            {seenGhs === 0n ? (
              <Notice tone="error">
                Nothing is for sale: fewer than seven of the last ten days are credited, or pools
                measured or paid nothing, or nobody asked the network.
              </Notice>
            ) : null}
            {may("fleet/set-reserve") ? (
              <Folded title="Change the reserve" open={actionData?.form === "reserve"}>
                <ReserveForm reservePpm={reservePpm} answer={actionData} />
              </Folded>
            ) : null}
          </Panel>
          {may("fleet/add-delivery") && sites.length > 0 ? (
            <Panel title="Add machines">
              <DeliveryForm
                key={deliveries.length}
                sites={sites}
                deliveryId={newDeliveryId}
                today={today}
                answer={actionData}
              />
            </Panel>
          ) : null}
        </div>
      </div>
    </>
  );
}

/** What there is of each day: as lines, and as figures. */
function CapacityByDay({ days, today }: { days: FleetDay[]; today: string }) {
  if (days.length === 0) return null;
  return (
    <>
      <Panel title="Capacity by day">
        <DayChart
          label={`Capacity, sold, free and delivered hashrate from ${days[0]?.day} to ${days.at(-1)?.day}. The table below holds the figures.`}
          days={days.map(({ day }) => day)}
          mark={today}
          write={(ghs) => formatHashrate(BigInt(Math.round(ghs)))}
          series={[
            { name: "Capacity", line: "first", values: days.map((d) => Number(d.capacityGhs)) },
            { name: "Sold", line: "second", values: days.map((d) => Number(d.soldGhs)) },
            {
              name: "Delivered",
              line: "third",
              values: days.map((d) => (d.reportedGhs === null ? null : Number(d.reportedGhs))),
            },
            { name: "Free", line: "fourth", values: days.map((d) => Number(d.freeGhs)) },
          ]}
        />
      </Panel>
      <DaysTable days={days} today={today} />
    </>
  );
}

function DaysTable({ days, today }: { days: FleetDay[]; today: string }) {
  return (
    <div className={styles.days}>
      <ConsoleTable
        label="Capacity, sold, free and delivered by day"
        rows={days}
        rowKey={(day) => day.day}
        rowClass={(day) => (day.day === today ? styles.today : undefined)}
        columns={[
          {
            head: "Day",
            kind: "day",
            value: "day",
            second: (day) => (day.day === today ? "today" : null),
          },
          { head: "Capacity", value: "capacityGhs", format: "hashrate" },
          { head: "Sold", value: "soldGhs", format: "hashrate" },
          { head: "Owed", value: "owedGhs", format: "hashrate" },
          { head: "Free", value: "freeGhs", format: "hashrate" },
          { head: "Delivered", value: "reportedGhs", format: "hashrate" },
          { head: "Paid for", value: "impliedGhs", format: "hashrate" },
        ]}
      />
    </div>
  );
}

function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  return (
    <ConsoleTable
      label="Machines"
      rows={deliveries}
      columns={[
        {
          head: "Machines",
          sort: "model",
          value: "model",
          to: ({ id }) => `/operator/fleet/deliveries/${id}`,
        },
        { head: "Site", sort: "site", value: "siteName" },
        {
          head: "Run today",
          kind: "number",
          sort: "-run",
          value: ({ state }) => state?.machines ?? null,
          cell: ({ state }) => (state ? state.machines : "not yet"),
        },
        {
          head: "Measured, each",
          kind: "number",
          sort: "-measured",
          value: ({ state }) => state?.measuredGhs ?? null,
          cell: ({ state }) => (state ? formatHashrate(state.measuredGhs) : "–"),
        },
        { head: "Nameplate", sort: "-nameplate", value: "nameplateGhs", format: "hashrate" },
        {
          head: "Power, each",
          kind: "number",
          sort: "-watts",
          value: ({ state }) => state?.powerWatts ?? null,
          cell: ({ state }) => (state ? `${state.powerWatts} W` : "–"),
        },
        {
          head: "Together",
          kind: "number",
          cell: ({ nameplateGhs, state }) =>
            state ? formatHashrate(together(state.measuredGhs, nameplateGhs, state.machines)) : "–",
        },
      ]}
    />
  );
}

/** As the capacity counts it: never more than the maker says. */
function together(measuredGhs: bigint, nameplateGhs: bigint, machines: number): bigint {
  return (measuredGhs < nameplateGhs ? measuredGhs : nameplateGhs) * BigInt(machines);
}

function ReserveForm({
  reservePpm,
  answer,
}: {
  reservePpm: number;
  answer: FormAnswer | undefined;
}) {
  return (
    <ActForm
      intent="reserve"
      rules={async () => (await import("./fleet-schema.ts")).reserveSchema}
      answer={answer}
      defaults={{ percent: writeDecimal(BigInt(reservePpm), 4) }}
      button="Change the reserve"
      pendingText="Changing…"
      tone="plain"
    >
      {(form) => (
        <TextField
          label="Never sold, in percent"
          description="Kept back, so that what downtime owes can be delivered"
          inputMode="decimal"
          {...form.field("percent")}
        />
      )}
    </ActForm>
  );
}

interface DeliveryFormProps {
  sites: { id: string; name: string }[];
  deliveryId: string;
  today: string;
  answer: FormAnswer | undefined;
}

function DeliveryForm({ sites, deliveryId, today, answer }: DeliveryFormProps) {
  return (
    <ActForm
      intent="delivery"
      rules={async () => (await import("./fleet-schema.ts")).deliverySchema}
      answer={answer}
      defaults={{ siteId: sites[0]?.id ?? "", effectiveFrom: today }}
      button="Add the machines"
      pendingText="Adding…"
    >
      {(form) => (
        <>
          <FormKey name="deliveryId" fresh={deliveryId} />
          <SelectField
            label="Site"
            choices={sites.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.field("siteId")}
          />
          <Pair>
            <TextField label="Model" {...form.field("model")} />
            <TextField
              label="Nameplate, TH/s each"
              inputMode="decimal"
              {...form.field("nameplate")}
            />
          </Pair>
          <DeliveryStateFields form={form} />
        </>
      )}
    </ActForm>
  );
}
