import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { listPulls } from "#server/payouts/braiins/list-pulls.ts";
import { listPayouts } from "#server/payouts/list-payouts.ts";
import { payoutStates } from "#server/payouts/payout.ts";
import { listKeys } from "../console-keys.ts";
import fleet from "../fleet/fleet.module.css";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { StateTabs } from "../parts/tabs.tsx";
import type { Route } from "./+types/list";
import { PayoutTable } from "./payout-table.tsx";
import { PayoutTabs } from "./payout-tabs.tsx";

const pageSize = 60;

export const middleware = guard("payouts/read");
export const meta = titled("Payouts");
export const handle = { keys: listKeys };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
  const params = new URL(request.url).searchParams;
  const state = payoutStates.find((known) => known === params.get("state"));
  const asked = params.get("after");
  const after = isUuid(asked) ? asked : undefined;
  const [payouts, waiting, pulls] = await Promise.all([
    listPayouts(db, { ...(state && { state }), after, limit: pageSize + 1 }),
    listPayouts(db, { state: "proposed", limit: 100 }),
    listPulls(db),
  ]);
  return {
    state: state ?? null,
    waiting,
    payouts: payouts.slice(0, pageSize),
    after: payouts.length > pageSize ? (payouts[pageSize - 1]?.id ?? null) : null,
    differences: pulls.flatMap(({ differences, poolName }) =>
      differences.map((difference) => ({ ...difference, poolName })),
    ),
  };
}

export default function Payouts({ loaderData }: Route.ComponentProps) {
  const { state, waiting, payouts, after, differences } = loaderData;
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Payouts"
      description="What the pools paid for each UTC day. We credit customers only with payouts that are listed here, each with its evidence."
      file="payouts"
      tools={
        <>
          <PayoutTabs />
          <Differences differences={differences} />
          {state === null && waiting.length > 0 ? (
            <>
              <Panel title="Waiting for a person" flush>
                <PayoutTable payouts={waiting} label="Payouts that wait for a person" bare />
              </Panel>
              <div className={fleet.below} />
            </>
          ) : null}
          <StateTabs
            label="Payouts by state"
            page="/operator/payouts"
            states={[
              [null, "All"],
              ["proposed", "Waiting"],
              ["recorded", "Recorded"],
              ["refused", "Refused"],
            ]}
            state={state}
          />
        </>
      }
      empty={
        payouts.length === 0 ? (
          <EmptyState drawing="balance">
            {state
              ? "No payout is in this state."
              : "No payout yet. Add the pool first, then enter what it paid or import its file."}
          </EmptyState>
        ) : null
      }
      order="Newest day first"
      after={after}
    >
      <PayoutTable payouts={payouts} label="Payouts, newest day first" sorts={whole} />
    </QueuePage>
  );
}

type Differing = Route.ComponentProps["loaderData"]["differences"];

function Differences({ differences }: { differences: Differing }) {
  if (differences.length === 0) return null;
  return (
    <Notice tone="warning" title="A pool says otherwise now than is recorded">
      <ul>
        {differences.map(({ payoutId, day, poolName, sats, deliveredGhs }) => (
          <li key={payoutId}>
            <Link to={`/operator/payouts/${payoutId}`}>
              {poolName}, <Day day={day} />
            </Link>
            : now <Amount units={sats} asset="BTC" plain /> at{" "}
            {formatHashrate(BigInt(deliveredGhs))}. Look, and correct it if the pool is right.
          </li>
        ))}
      </ul>
    </Notice>
  );
}
