import { type RouterContextProvider, redirect } from "react-router";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { titled } from "#app/ui/page/page-title.ts";
import type { SetupState } from "#core/people/setup-steps.ts";
import { may } from "#core/permissions.ts";
import { utcDay } from "#core/utc-day.ts";
import { findUncredited } from "#server/chain/list-payments-to-settle.ts";
import { listSetupSteps } from "#server/console/setup/list-setup-steps.ts";
import { listHeartbeats, listLate } from "#server/console/today/list-late.ts";
import { listWaiting } from "#server/console/today/list-waiting.ts";
import { readStanding, type Standing } from "#server/console/today/read-standing.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { listKeys } from "../console-keys.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/today";
import { CoinsPanel } from "./coins-panel.tsx";
import { HashratePanel } from "./hashrate-panel.tsx";
import { LatePanel } from "./late-panel.tsx";
import { MovedPanel } from "./moved-panel.tsx";
import { readWork } from "./read-work.ts";
import { SetupList } from "./setup-list.tsx";
import styles from "./today.module.css";
import { WaitingPanel } from "./waiting-panel.tsx";

/** More lines than these leave no room below them on one screen. */
const manyLines = 8;

/** What is listed of batches, the newest first. */
const shownBatches = 3;

/** How often the page is read again while somebody looks at it. */
const refreshMs = 30_000;

export const middleware = guard("console/read");
export const meta = titled("Today");
export const handle = { keys: listKeys };

export async function loader({ url, context }: Route.LoaderArgs) {
  // Here was the list of deposits: older mails and bookmarks name one of its states.
  if (url.searchParams.has("state")) throw redirect(`/operator/deposits${url.search}`);
  const { db, config, now, operator } = consoleOf(context);
  const at = now();
  const [work, standing, uncredited, setup] = await Promise.all([
    readWork(context),
    readStanding(db, at),
    findUncredited(db, config.confirmations),
    readSetup(context),
  ]);
  const seen = { standing, work, uncredited, config, now: at };
  return {
    now: at,
    today: utcDay(at),
    setup,
    waiting: listWaiting(operator, work, standing.staff),
    late: listLate(operator.role, seen),
    heartbeats: listHeartbeats(operator.role, seen),
    ...figuresFor(operator, standing, config.coins),
  };
}

/** What of the business a role may read; null: nothing of it. */
function figuresFor({ role }: Operator, standing: Standing, offered: readonly string[]) {
  const { coins, fleet, lastDay, nextDay, payouts, batches } = standing;
  const isShown = ({ asset, custodyUnits, owedUnits }: Standing["coins"][number]) =>
    offered.includes(asset) || custodyUnits !== 0n || owedUnits !== 0n;
  return {
    coins: may(role, "reconciliation/read") ? coins.filter(isShown) : null,
    hashrate: may(role, "fleet/read") && may(role, "mining/read") ? { ...fleet, lastDay } : null,
    payouts: may(role, "payouts/read") ? { listed: payouts, nextDay } : null,
    batches: may(role, "withdrawals/read") ? batches.slice(0, shownBatches) : null,
  };
}

export default function Today({ loaderData }: Route.ComponentProps) {
  const { now, today, waiting, late, heartbeats, coins, hashrate, payouts, batches } = loaderData;
  useRefresh(refreshMs);
  const moved =
    payouts || batches ? (
      <div className={styles.last}>
        <MovedPanel payouts={payouts} batches={batches} />
      </div>
    ) : null;
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.title}>Today</h1>
        <p className={styles.day}>{dayWords(today)} (UTC)</p>
      </header>
      <div className={styles.page}>
        <div className={styles.column}>
          <WaitingPanel waiting={waiting} now={now} />
          {waiting.length > manyLines ? null : moved}
        </div>
        <div className={styles.column}>
          <LatePanel late={late} heartbeats={heartbeats} now={now} />
          {coins ? <CoinsPanel coins={coins} now={now} /> : null}
          {hashrate ? <HashratePanel hashrate={hashrate} today={today} /> : null}
          {waiting.length > manyLines ? moved : null}
        </div>
      </div>
      <SetupList states={loaderData.setup} />
    </>
  );
}

const days = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

function dayWords(day: string): string {
  return days.format(new Date(`${day}T00:00:00Z`));
}

/** The setup list, for owners: most of it is theirs to do. A demo's company is invented and needs none; a rehearsal is to be set up. */
async function readSetup(context: Readonly<RouterContextProvider>): Promise<SetupState[]> {
  const { db, config, now, rehearsal, operator } = consoleOf(context);
  const isRehearsal = rehearsal !== null;
  const isDemo = config.demo && !isRehearsal;
  if (isDemo || operator.role !== "owner") return [];
  return listSetupSteps(db, { ...config, isRehearsal }, now());
}
