import { Link } from "react-router";
import { DayChart } from "#app/ui/charts/day-chart.tsx";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { listMiningDays, type MiningDay } from "#server/console/mining/list-mining-days.ts";
import { setAutomatic } from "#server/console/mining/set-automatic.ts";
import { getRunSettings } from "#server/mining/days/get-run-settings.ts";
import { countClocks } from "#server/mining/grace-periods/list-clocks.ts";
import { listKeys } from "../console-keys.ts";
import fleet from "../fleet/fleet.module.css";
import { ActForm } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { counted } from "../parts/counted.ts";
import { Folded } from "../parts/folded.tsx";
import { ListFile } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/days";
import { automaticSchema } from "./mining-schema.ts";
import { MiningTabs } from "./mining-tabs.tsx";
import { signedPercent } from "./percent.ts";

const shownDays = 60;

export const middleware = guard("mining/read", { automatic: "mining/set-automatic" });
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Mining");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const at = now();
  const [listed, settings, clocks] = await Promise.all([
    listMiningDays(db, { days: shownDays, now: at }),
    getRunSettings(db),
    countClocks(db, at),
  ]);
  return { ...listed, settings, clocks };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  return answerAct(
    await request.formData(),
    automaticSchema,
    async ({ seen, byItself, percent }) => {
      const settings = { seen: Number(seen), byItself, mostDeviationPpm: percent };
      await setAutomatic(db, operator, settings, now());
      return { to: "/operator/mining", say: "saved" };
    },
  );
}

export default function Days({ loaderData, actionData }: Route.ComponentProps) {
  const { days, next, settings, clocks } = loaderData;
  const may = useMay();
  // Before the first pool counts there is nothing to say of a day.
  const shown = days.filter(({ day, pools, run }) => pools > 0 || run !== null || day === next);
  const drawn = [...shown].reverse();
  return (
    <>
      <PageHeader
        title="Mining"
        description="For each UTC day: what the pools paid, what was credited of it, and what the network would have paid."
        actions={<ListFile list="days" />}
      />
      <MiningTabs />
      <div className={layout.main}>
        <div className={layout.stack}>
          {shown.length === 0 ? (
            <EmptyState>No day yet. Days begin with the first pool that counts.</EmptyState>
          ) : (
            <Panel title="Paid and reference by day">
              <DayChart
                label={`What the pools paid and what the network would have paid, from ${drawn[0]?.day} to ${drawn.at(-1)?.day}. The table below holds the figures.`}
                days={drawn.map(({ day }) => day)}
                write={(sats) => `${writeDecimal(BigInt(Math.round(sats)), 8)} BTC`}
                series={[
                  {
                    name: "Paid by the pools",
                    line: "first",
                    values: drawn.map(({ complete, payoutSats }) =>
                      complete ? Number(payoutSats) : null,
                    ),
                  },
                  {
                    name: "Reference: what the network would have paid",
                    line: "second",
                    values: drawn.map(({ run }) =>
                      run?.reference ? Number(run.reference.sats) : null,
                    ),
                  },
                  {
                    name: "Credited to customers",
                    line: "third",
                    values: drawn.map(({ run }) => (run ? Number(run.creditedSats) : null)),
                  },
                ]}
              />
            </Panel>
          )}
        </div>
        <Panel title="Automatic posting">
          <Facts
            facts={[
              { label: "Next day", value: next ?? "No pool counts yet" },
              {
                label: "Posted",
                value: settings.byItself ? "Automatically, once complete" : "By staff only",
              },
              {
                label: "Waits for staff when",
                value: `the payout is more than ${writeDecimal(BigInt(settings.mostDeviationPpm), 4)} % from the reference, or there is none`,
              },
              clocks.clocks > 0 && {
                label: "Unpaid maintenance",
                value: <Link to="/operator/mining/contracts">{sayClocks(clocks)}</Link>,
              },
            ]}
          />
          {may("mining/set-automatic") ? (
            <Folded title="Change this" open={actionData?.form === "automatic"}>
              <ActForm
                intent="automatic"
                seen={{
                  mark: String(settings.number),
                  again: () => ({ byItself: settings.byItself ? "on" : "" }),
                }}
                rules={async () => (await import("./mining-schema.ts")).automaticSchema}
                answer={actionData}
                defaults={{
                  byItself: settings.byItself ? "on" : "",
                  percent: writeDecimal(BigInt(settings.mostDeviationPpm), 4),
                }}
                button="Save"
                pendingText="Saving…"
                tone="plain"
              >
                {(form) => (
                  <>
                    <CheckField
                      label="Post a day automatically once its evidence is complete"
                      {...form.check("byItself")}
                    />
                    <TextField
                      label="Wait for staff from this difference on, in percent"
                      inputMode="decimal"
                      {...form.field("percent")}
                    />
                  </>
                )}
              </ActForm>
            </Folded>
          ) : null}
        </Panel>
      </div>
      {shown.length > 0 ? (
        <div className={fleet.below}>
          <DaysTable days={shown} next={next} />
        </div>
      ) : null}
    </>
  );
}

function sayClocks({ clocks, waitFor }: Route.ComponentProps["loaderData"]["clocks"]): string {
  const all = counted(clocks, "clock");
  if (waitFor === null) return `${all} ${clocks === 1 ? "runs" : "run"}`;
  return `${all} ${clocks === 1 ? "is" : "are"} paused until ${waitFor} is posted`;
}

function DaysTable({ days, next }: { days: MiningDay[]; next: string | null }) {
  return (
    <ConsoleTable
      label="Days, newest first"
      rows={days}
      rowKey={(day) => day.day}
      columns={[
        {
          head: "Day",
          kind: "day",
          sort: "-day",
          value: "day",
          to: (day) => `/operator/mining/${day.day}`,
          second: (day) => (day.day === next ? "comes next" : null),
        },
        { head: "State", cell: (day) => <DayState day={day} /> },
        {
          head: "Paid",
          kind: "number",
          sort: "-paid",
          value: "payoutSats",
          cell: (day) => (day.recorded > 0 ? <Amount units={day.payoutSats} asset="BTC" /> : "–"),
        },
        {
          head: "Delivered",
          kind: "number",
          sort: "-delivered",
          value: "deliveredGhs",
          cell: (day) => (day.recorded > 0 ? formatHashrate(day.deliveredGhs) : "–"),
        },
        {
          head: "Reference",
          kind: "number",
          cell: (day) =>
            day.run?.reference ? (
              <>
                <Amount units={day.run.reference.sats} asset="BTC" />
                <div className={list.second}>
                  {difference(day.run.payoutSats, day.run.reference.sats)}
                </div>
              </>
            ) : (
              "–"
            ),
        },
        {
          head: "Credited",
          kind: "number",
          sort: "-credited",
          value: (day) => day.run?.creditedSats ?? null,
          cell: (day) => (day.run ? <Amount units={day.run.creditedSats} asset="BTC" /> : "–"),
        },
        {
          head: "Contracts",
          kind: "number",
          sort: "-contracts",
          value: (day) => day.run?.contracts ?? null,
          cell: (day) => day.run?.contracts ?? "–",
        },
      ]}
    />
  );
}

function difference(payoutSats: bigint, referenceSats: bigint): string {
  if (referenceSats === 0n) return "";
  return signedPercent(((payoutSats - referenceSats) * 1_000_000n) / referenceSats);
}

function DayState({ day }: { day: MiningDay }) {
  if (day.run?.state === "posted") {
    return (
      <>
        <StatusBadge status="credited" />
        {day.run.corrections > 0 ? <div className={list.second}>corrected since</div> : null}
      </>
    );
  }
  if (day.run) return <StatusBadge status="being credited" tone="waiting" />;
  if (day.pools === 0) {
    return (
      <>
        <StatusBadge status="no pool" tone="waiting" />
        <div className={list.second}>waits for a person</div>
      </>
    );
  }
  if (day.complete) return <StatusBadge status="complete" tone="waiting" />;
  return (
    <>
      <StatusBadge status="awaiting pool payout" tone="plain" />
      <div className={list.second}>
        {day.recorded} of {day.pools} {day.pools === 1 ? "pool" : "pools"}
        {day.waiting > 0 ? `, ${day.waiting} waiting for a person` : ""}
      </div>
    </>
  );
}
