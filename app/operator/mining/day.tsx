import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { formatAmount } from "#core/money.ts";
import { may as mayDo } from "#core/permissions.ts";
import { isDay } from "#core/utc-day.ts";
import { z } from "#core/zod.ts";
import { markOfDay, postDayAsOperator } from "#server/console/mining/post-day-as-operator.ts";
import { findRun } from "#server/mining/days/find-run.ts";
import { previewMiningDay } from "#server/mining/days/preview-mining-day.ts";
import { countClocks } from "#server/mining/grace-periods/list-clocks.ts";
import { ActForm } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { counted } from "../parts/counted.ts";
import { mark as seenMark } from "../parts/fields.ts";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { useProgress } from "../parts/use-progress.ts";
import type { Route } from "./+types/day";
import styles from "./day.module.css";
import { signedPercent } from "./percent.ts";

export const middleware = guard("mining/read", { post: "mining/post-day" });
export const shouldRevalidate = readAfterConflict;
export function meta({ params, matches }: Route.MetaArgs) {
  return [{ title: `${params.day} · Mining · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const { day } = params;
  if (!isDay(day)) throw notFound();
  const at = now();
  const [run, clocks] = await Promise.all([findRun(db, day), countClocks(db, at)]);
  const isTried = run === null && mayDo(operator.role, "mining/dry-run");
  const preview = isTried ? await previewMiningDay(db, day, at) : null;
  const mark = preview && markOfDay(preview);
  return { day, run, preview, mark, waitingClocks: clocks.waitFor === day ? clocks.clocks : 0 };
}

/** Of which preview it is. */
const seenSchema = z.object({ seen: seenMark });

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { day } = params;
  if (!isDay(day)) throw notFound();
  return answerAct(await request.formData(), seenSchema, async ({ seen }) => {
    await postDayAsOperator(db, operator, { day, seen }, now());
    return { to: `/operator/mining/${day}`, say: "day-posted" };
  });
}

type PageData = Route.ComponentProps["loaderData"];

export default function MiningDay({ loaderData, actionData }: Route.ComponentProps) {
  const { day, run, preview, mark, waitingClocks } = loaderData;
  const may = useMay();
  useProgress({ runs: run?.state === "posting", of: day, done: `${day} is credited` });
  return (
    <>
      <PageHeader
        title={<Day day={day} />}
        description={
          <>
            A UTC day · <Link to="/operator/mining">All days</Link>
          </>
        }
      />
      <div className={layout.main}>
        <div className={layout.stack}>
          {run ? <Posted run={run} /> : null}
          {preview ? <Preview preview={preview} /> : null}
        </div>
        <div className={layout.stack}>
          {run?.state === "posting" ? <Progress run={run} /> : null}
          {preview && preview.state !== "posted" ? (
            <Panel title="Post it">
              <div className={layout.stack}>
                <Missing preview={preview} />
                <WaitingClocks clocks={waitingClocks} />
                {preview.state !== "waiting" && may("mining/post-day") ? (
                  <ActForm
                    intent="post"
                    answer={actionData}
                    hidden={{ seen: mark ?? "" }}
                    button={
                      preview.isWithoutPool ? `Close ${day} without a payout` : `Credit ${day}`
                    }
                    pendingText="Asking for it…"
                  />
                ) : null}
              </div>
            </Panel>
          ) : null}
        </div>
      </div>
    </>
  );
}

function Progress({ run }: { run: NonNullable<PageData["run"]> }) {
  const { done, all } = run.progress;
  const percent = all === 0 ? 100 : Math.floor((done * 100) / all);
  return (
    <Panel title="Being credited">
      <progress className={styles.progress} value={done} max={Math.max(all, 1)}>
        {percent} %
      </progress>
      <p className={styles.note} role="status">
        {all === 0 ? "No contract ran on this day." : `${percent} % of the customers are credited.`}{" "}
        You can leave: it continues. If the process dies, another one takes over within two minutes.
      </p>
    </Panel>
  );
}

function WaitingClocks({ clocks }: { clocks: number }) {
  if (clocks === 0) return null;
  return (
    <p className={list.second}>
      <Link to="/operator/mining/contracts">
        {`${counted(clocks, "clock")} of unpaid maintenance`}
      </Link>{" "}
      {clocks === 1 ? "is" : "are"} paused until this day is posted.
    </p>
  );
}

function Missing({ preview }: { preview: NonNullable<PageData["preview"]> }) {
  const { missing, stops, state } = preview;
  const reasons = [
    missing.dayNotOver && "The day is not over yet, in UTC.",
    missing.earlierDay && (
      <>
        <Link to={`/operator/mining/${missing.earlierDay}`}>{missing.earlierDay}</Link> comes first.
      </>
    ),
    missing.noPool && missing.pools.length === 0 && "No pool paid for this day.",
    missing.pools.length > 0 &&
      `No recorded payout of ${missing.pools.map(({ name }) => name).join(", ")}.`,
    missing.price && "No price of BTC is known for the day.",
  ].filter((reason) => reason !== false && reason !== null);
  if (state === "waiting") {
    return (
      <Notice title="It waits">
        <ul className={styles.reasons}>
          {reasons.map((reason, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
            <li key={index}>{reason}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  if (preview.isWithoutPool) {
    return (
      <Notice tone="warning" title="No pool counts on this day">
        So no payout is waited for. Closing it credits nothing and serves nothing: contracts run on
        for it, and their maintenance is due. A pool that was to count for it cannot be added any
        more after that. If one worked, add it first.
      </Notice>
    );
  }
  return stops.length > 0 ? (
    <Notice tone="warning" title="It waits for staff">
      <ul className={styles.reasons}>
        {stops.map((stop) => (
          <li key={stop}>{sayStop(stop, preview)}</li>
        ))}
      </ul>
      Look at the figures first.
    </Notice>
  ) : null;
}

function sayStop(
  stop: NonNullable<PageData["preview"]>["stops"][number],
  preview: NonNullable<PageData["preview"]>,
): string {
  const paid = formatAmount(preview.payoutSats, "BTC");
  const delivered = formatHashrate(preview.deliveredGhs);
  switch (stop) {
    case "no-pool":
      return "No pool counts on this day.";
    case "not-by-itself":
      return "Days are not credited automatically now: the settings say so.";
    case "no-reference":
      return `We have no network figures of that day, so nothing says whether ${paid} BTC for ${delivered} is plausible.`;
    case "paid-for-nothing":
      return `The pools paid ${paid} BTC, and no hashrate was delivered.`;
    case "too-far": {
      const reference = formatAmount(preview.referenceSats ?? 0n, "BTC");
      const most = writeDecimal(BigInt(preview.mostDeviationPpm), 4);
      return `The pools paid ${paid} BTC; the reference is ${reference} BTC. That is ${signedPercent(preview.deviationPpm ?? 0n)}, and more than ${most} % waits for a person.`;
    }
  }
}

function Preview({ preview }: { preview: NonNullable<PageData["preview"]> }) {
  return (
    <>
      <Panel title="Dry run: what would be credited">
        <Facts
          facts={[
            {
              label: "Paid by the pools",
              value: <Amount units={preview.payoutSats} asset="BTC" />,
            },
            {
              label: "Carried from the day before",
              value: <Amount units={preview.carriedSats} asset="BTC" />,
            },
            { label: "Delivered", value: formatHashrate(preview.deliveredGhs) },
            { label: "Sold on that day", value: formatHashrate(preview.activeGhs) },
            { label: "Served", value: `${writeDecimal(preview.servedPpm, 4)} % of a day` },
            {
              label: "To customers",
              value: <Amount units={preview.creditSats} asset="BTC" />,
            },
            {
              label: "To the operator",
              value: <Amount units={preview.operatorShareSats} asset="BTC" />,
            },
            { label: "Left over", value: <Amount units={preview.remainderSats} asset="BTC" /> },
            {
              label: "Maintenance due",
              value:
                preview.feesDueSats === null ? (
                  "Not known without a price"
                ) : (
                  <Amount units={preview.feesDueSats} asset="BTC" />
                ),
            },
            preview.btcUsdE8 !== null && {
              label: "1 BTC",
              value: <Usd cents={preview.btcUsdE8 / 1_000_000n} />,
            },
            {
              label: "Reference",
              value:
                preview.referenceSats === null ? (
                  "No network figures of that day"
                ) : (
                  <Amount units={preview.referenceSats} asset="BTC" />
                ),
            },
            preview.deviationPpm !== null && {
              label: "Paid, against the reference",
              value:
                preview.payoutSats === 0n && preview.referenceSats === 0n
                  ? "–"
                  : signedPercent(preview.deviationPpm),
            },
          ]}
        />
      </Panel>
      {preview.plans.length > 0 ? (
        <ConsoleTable
          label="What each plan's contracts would get"
          rows={preview.plans}
          rowKey={(plan) => plan.planVersionId}
          columns={[
            { head: "Plan", value: "name", second: (plan) => `version ${plan.version}` },
            { head: "Contracts", kind: "number", value: "contracts" },
            { head: "Hashrate", value: "ghs", format: "hashrate" },
            { head: "Credits", value: "creditSats", format: "btc" },
            {
              head: "Maintenance",
              kind: "number",
              cell: (plan) =>
                preview.feesDueSats === null ? "–" : <Amount units={plan.feeSats} asset="BTC" />,
              second: (plan) => <>${writeDecimal(plan.maintenanceUsdMicros, 6)} per TH/s and day</>,
            },
            { head: "Reference", value: "referenceSats", format: "btc" },
          ]}
        />
      ) : null}
    </>
  );
}

function Posted({ run }: { run: NonNullable<PageData["run"]> }) {
  return (
    <>
      <Panel title={run.state === "posted" ? "Credited" : "What it is worked out from"}>
        <Facts
          facts={[
            { label: "Posted", value: run.postedAt },
            {
              label: "By",
              value: run.actionId ? "a member of staff, see the audit log" : "itself",
            },
            { label: "Paid by the pools", value: <Amount units={run.payoutSats} asset="BTC" /> },
            {
              label: "Carried from the day before",
              value: <Amount units={run.carriedSats} asset="BTC" />,
            },
            { label: "Delivered", value: formatHashrate(run.deliveredGhs) },
            { label: "Sold on that day", value: formatHashrate(run.activeGhs) },
            { label: "Served", value: `${writeDecimal(run.servedPpm, 4)} % of a day` },
            {
              label: "To customers",
              value: <Amount units={run.creditedSats} asset="BTC" />,
            },
            {
              label: "Contracts",
              value: `${run.contracts} of ${counted(run.customers, "customer")}`,
            },
            run.reservedSats > 0n && {
              label: "Reserved for customers who are set apart",
              value: (
                <Link to="/operator/mining/contracts">
                  <Amount units={run.reservedSats} asset="BTC" />
                </Link>
              ),
            },
            run.operatorShareSats !== null && {
              label: "To the operator",
              value: <Amount units={run.operatorShareSats} asset="BTC" />,
            },
            run.remainderSats !== null && {
              label: "Left over",
              value: <Amount units={run.remainderSats} asset="BTC" />,
            },
            run.feesDueSats !== null && {
              label: "Maintenance due",
              value: <Amount units={run.feesDueSats} asset="BTC" />,
            },
            run.feesPaidSats !== null && {
              label: "Of it paid",
              value: <Amount units={run.feesPaidSats} asset="BTC" />,
            },
            run.reference && {
              label: "Reference",
              value: <Amount units={run.reference.sats} asset="BTC" />,
            },
            run.corrections > 0 && {
              label: "Corrections since, to customers",
              value: <Amount units={run.customersChangeSats} asset="BTC" signed />,
            },
            run.lostSats > 0n && {
              label: "Not taken back: the operator's loss",
              value: <Amount units={run.lostSats} asset="BTC" />,
            },
          ]}
        />
      </Panel>
      {run.evidence.length === 0 ? (
        <Notice title="No pool counted on this day">
          Nothing was paid and nothing was delivered. Contracts run on for it.
        </Notice>
      ) : (
        <Payouts evidence={run.evidence} />
      )}
    </>
  );
}

function Payouts({ evidence }: { evidence: NonNullable<PageData["run"]>["evidence"] }) {
  return (
    <ConsoleTable
      label="The payouts that it rests on"
      rows={evidence}
      rowKey={(payout) => payout.payoutId}
      columns={[
        { head: "Pool", value: "pool", to: (payout) => `/operator/payouts/${payout.payoutId}` },
        { head: "Paid", value: "units", format: "btc" },
        { head: "Delivered", value: "deliveredGhs", format: "hashrate" },
      ]}
    />
  );
}
