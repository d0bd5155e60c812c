import { randomUUID } from "node:crypto";
import { data, Link, redirect } from "react-router";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { flash } from "#app/ui/toasts/flash.ts";
import { listBookedCoins } from "#server/ledger/list-house-balances.ts";
import { listWalletReadings } from "#server/reconciliation/list-wallet-readings.ts";
import styles from "../adjustments/adjustments.module.css";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/new-count";
import { CountForm } from "./count-form.tsx";
import { type CountAnswer, receiveCount } from "./receive-count.ts";
import { readingToCount, WalletReadings } from "./wallet-readings.tsx";

export const middleware = guard("reconciliation/count", "reconciliation/count");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Enter a count");
export const handle = { keys: [{ key: "q", does: "overview" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config } = consoleOf(context);
  const [readings, coins] = await Promise.all([
    listWalletReadings(db),
    listBookedCoins(db, config.coins),
  ]);
  const isFilled = new URL(request.url).searchParams.get("from") === "node";
  const filled = isFilled ? readingToCount(readings) : null;
  return { submissionKey: randomUUID(), readings, coins, filled };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { operator, app } = consoleOf(context);
  const outcome = await receiveCount(app, operator, request);
  if ("answer" in outcome) return data<CountAnswer>(outcome.answer, outcome.status);
  const headers = { "Set-Cookie": await flash("count-entered") };
  return redirect(`/operator/reconciliation/${outcome.countId}`, { headers });
}

export default function NewCount({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Enter a count"
        description="All that our wallets hold of one coin, at one moment. It counts once a colleague has confirmed it."
        actions={
          <Link to="/operator/reconciliation" data-key="q">
            Overview
          </Link>
        }
      />
      <div className={styles.narrow}>
        <CountForm
          submissionKey={loaderData.submissionKey}
          coins={loaderData.coins}
          filled={loaderData.filled}
          answer={actionData}
        />
        <Panel title="Read by the node" flush>
          <WalletReadings readings={loaderData.readings} mayCount={!loaderData.filled} />
        </Panel>
      </div>
    </>
  );
}
