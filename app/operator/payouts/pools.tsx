import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { poolFormatNames } from "#core/mining/pool-formats.ts";
import { isSilent } from "#core/payments/silence.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { addPoolAsOperator } from "#server/console/mining/add-pool-as-operator.ts";
import { findFirstSoldDay } from "#server/fleet/find-first-sold-day.ts";
import { listPulls } from "#server/payouts/braiins/list-pulls.ts";
import { findLeftForOne, getPayoutLimit } from "#server/payouts/get-payout-limit.ts";
import { listPools, type Pool } from "#server/payouts/list-pools.ts";
import { setPayoutLimit } from "#server/payouts/set-payout-limit.ts";
import { stopPool } from "#server/payouts/stop-pool.ts";
import { ActForm, type FormAnswer } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Folded } from "../parts/folded.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/pools";
import { limitSchema, poolSchema, stopSchema } from "./payout-schema.ts";
import { PayoutTabs } from "./payout-tabs.tsx";

export const middleware = guard("payouts/read", {
  pool: "payouts/add-pool",
  stop: "payouts/stop-pool",
  limit: "payouts/set-limit",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Pools and limit");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const today = utcDay(now());
  const [pools, limit, pulls, left, firstSold] = await Promise.all([
    listPools(db),
    getPayoutLimit(db),
    listPulls(db),
    findLeftForOne(db, operator.id),
    findFirstSoldDay(db),
  ]);
  const isAsked = config.braiins !== null;
  // No payout is needed of days on which nobody has a contract. The next one that is sold starts tomorrow at the earliest.
  const firstDay = firstSold ?? addDays(today, 1);
  const countsFrom = pools.length === 0 || firstDay > today ? firstDay : today;
  return { pools, limit, left, pulls, isAsked, now: now(), today, countsFrom, firstSold };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const done = { to: "/operator/payouts/pools", say: "payouts-saved" } as const;
  switch (form.get("intent")) {
    case "pool":
      return answerAct(form, poolSchema, async (pool) => {
        await addPoolAsOperator(db, operator, pool, now());
        return done;
      });
    case "stop":
      return answerAct(form, stopSchema, async (stop) => {
        await stopPool(db, operator, stop, now());
        return done;
      });
    default:
      return answerAct(form, limitSchema, async ({ limit }) => {
        await setPayoutLimit(db, operator, limit, now());
        return done;
      });
  }
}

export default function Pools({ loaderData, actionData }: Route.ComponentProps) {
  const { pools, limit, left, pulls, isAsked, now, today, countsFrom, firstSold } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Payouts"
        description="A day is complete, and can be credited, when every pool that counts on it has a recorded payout."
      />
      <PayoutTabs />
      <div className={layout.main}>
        <div className={layout.stack}>
          {pools.length === 0 ? (
            <EmptyState>No pool yet. Add the one that the machines work for.</EmptyState>
          ) : (
            <ConsoleTable
              label="Pools"
              rows={pools}
              columns={[
                { head: "Pool", value: "name", to: (pool) => `/operator/payouts/pools/${pool.id}` },
                { head: "Format of files", cell: (pool) => poolFormatNames[pool.format] },
                { head: "Counts from", cell: (pool) => <Day day={pool.countsFrom} /> },
                {
                  head: "Until",
                  cell: (pool) => (
                    <>
                      {pool.countsUntil ? <Day day={pool.countsUntil} /> : "goes on"}
                      {!pool.countsUntil && may("payouts/stop-pool") ? (
                        <Stop pool={pool} today={today} answer={actionData} />
                      ) : null}
                    </>
                  ),
                },
              ]}
            />
          )}
          <Panel title="Read automatically">
            {isAsked ? null : (
              <p className={list.second}>
                No token of Braiins Pool is set (BRAIINS_POOL_TOKEN): payouts are entered or
                imported.
              </p>
            )}
            {isAsked && pulls.length === 0 ? (
              <p className={list.second}>
                The worker asks within minutes, once one pool of the kind Braiins Pool counts.
              </p>
            ) : null}
            {pulls.map((pull) => (
              <Facts
                key={pull.poolId}
                facts={[
                  { label: "Pool", value: pull.poolName },
                  {
                    label: "State",
                    value: isSilent(pull.askAgainAt, 300, now) ? (
                      <StatusBadge status="not asked any more" tone="bad" />
                    ) : pull.failures === 0 ? (
                      <StatusBadge status="answers" tone="good" />
                    ) : (
                      <StatusBadge
                        status={`${pull.lastFailure ?? "failed"}, ${pull.failures} times in a row`}
                        tone="bad"
                      />
                    ),
                  },
                  { label: "Asked", value: pull.askedAt },
                  { label: "Last answer", value: pull.succeededAt },
                  { label: "Next", value: pull.askAgainAt },
                ]}
              />
            ))}
          </Panel>
        </div>
        <div className={layout.stack}>
          <TwoPeople limit={limit} left={left} answer={actionData} />
          {may("payouts/add-pool") ? (
            <Panel title="Add a pool">
              <ActForm
                key={pools.length}
                intent="pool"
                rules={async () => (await import("./payout-schema.ts")).poolSchema}
                answer={actionData}
                defaults={{ format: "braiins", countsFrom }}
                button="Add the pool"
                pendingText="Adding…"
              >
                {(form) => (
                  <>
                    <TextField label="Name" {...form.field("name")} />
                    <SelectField
                      label="Format of its files"
                      choices={Object.entries(poolFormatNames).map(([value, label]) => ({
                        value,
                        label,
                      }))}
                      {...form.field("format")}
                    />
                    <TextField
                      label="Counts from (UTC day)"
                      description={`${
                        firstSold
                          ? `The first day that a contract runs is ${firstSold}.`
                          : "Choose the first day that a contract runs."
                      } From then on no day is credited without its payout`}
                      type="date"
                      {...form.field("countsFrom")}
                    />
                  </>
                )}
              </ActForm>
            </Panel>
          ) : null}
        </div>
      </div>
    </>
  );
}

function TwoPeople({
  limit,
  left,
  answer,
}: Pick<Route.ComponentProps["loaderData"], "limit" | "left"> & {
  answer: FormAnswer | undefined;
}) {
  const may = useMay();
  return (
    <Panel title="Two people">
      <Facts
        facts={[
          { label: "Needed above", value: <Amount units={limit} asset="BTC" /> },
          {
            label: "Entered or imported",
            value:
              left === null
                ? "You record these alone: no other approver or owner has set a password"
                : "One person records at most 0.01 BTC within 24 hours",
          },
          {
            label: "And for",
            value:
              "Every correction, whatever its amount. Where two can act, every payout whose hashrate does not fit its amount",
          },
        ]}
      />
      {may("payouts/set-limit") ? (
        <Folded title="Change the limit" open={answer?.form === "limit"}>
          <ActForm
            key={String(limit)}
            intent="limit"
            rules={async () => (await import("./payout-schema.ts")).limitSchema}
            answer={answer}
            defaults={{ limit: writeDecimal(limit, 8) }}
            button="Change the limit"
            pendingText="Changing…"
            tone="plain"
          >
            {(form) => (
              <TextField
                label="Two people above, BTC"
                inputMode="decimal"
                {...form.field("limit")}
              />
            )}
          </ActForm>
        </Folded>
      ) : null}
    </Panel>
  );
}

function Stop({
  pool,
  today,
  answer,
}: {
  pool: Pool;
  today: string;
  answer: FormAnswer | undefined;
}) {
  const id = `stop-${pool.id}`;
  return (
    <Folded title="Stop counting this pool" open={answer?.form === id}>
      <ActForm
        intent="stop"
        id={id}
        rules={async () => (await import("./payout-schema.ts")).stopSchema}
        answer={answer}
        hidden={{ poolId: pool.id }}
        defaults={{ countsUntil: addDays(today, 7) }}
        button="Stop counting for good"
        pendingText="Saving…"
        tone="danger"
      >
        {(form) => (
          <>
            <TextField
              label="Last UTC day"
              description="Where a colleague could look: in seven days at the earliest, or today once a payout of 0 for yesterday or the day before is recorded, by two people or as the pool said. Add the next pool first: a day on which no pool counts waits for a person, and customers get nothing for it"
              type="date"
              {...form.field("countsUntil")}
            />
            <TextField label="Reason" {...form.field("reason")} />
          </>
        )}
      </ActForm>
    </Folded>
  );
}
