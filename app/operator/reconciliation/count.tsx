import { type ActResult, runAct } from "#app/run-act.ts";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { coverageWords } from "#core/payments/custody-count.ts";
import type { App } from "#server/app-context.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { confirmCount, rejectCount, withdrawCount } from "#server/reconciliation/decide-count.ts";
import { type EnteredCount, findCount } from "#server/reconciliation/list-counts.ts";
import { listWalletReadings } from "#server/reconciliation/list-wallet-readings.ts";
import grid from "../deposits/deposit.module.css";
import { CasePage } from "../parts/case-page.tsx";
import { consoleOf, found, guard } from "../parts/route.ts";
import { FileView } from "../parts/slip-view.tsx";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/count";
import { type CountFault, DecideCount } from "./decide-count-form.tsx";
import { Difference } from "./difference.tsx";
import own from "./reconciliation.module.css";
import { sumOfReadings } from "./wallet-readings.tsx";

export const middleware = guard("reconciliation/read", {
  confirm: "reconciliation/confirm-count",
  reject: "reconciliation/reject-count",
  withdraw: "reconciliation/withdraw-count",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const name = loaderData ? `Count of ${loaderData.count.asset}` : "Count";
  return [{ title: `${name} · ${matches[0].loaderData.siteName}` }];
}
export const handle = {
  keys: [
    { key: "a", does: "confirm", needs: "reconciliation/confirm-count" },
    { key: "r", does: "reject", needs: "reconciliation/reject-count" },
    { key: "z", does: "enlarge the evidence", needs: "reconciliation/view-evidence" },
    { key: "q", does: "overview" },
  ],
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, operator } = consoleOf(context);
  const count = found(await findCount(db, params.countId));
  const isOwn = count.proposedBy === operator.id;
  return { count, isOwn, readUnits: sumOfReadings(await listWalletReadings(db), count.asset) };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const reason = String(form.get("reason") ?? "").replaceAll("\0", "");
  const wish = { countId: params.countId, intent, reason };
  return runAct(
    () => decide(app, operator, wish),
    ({ text }): CountFault => ({ intent, reason, fault: text }),
    sayRefusal,
  );
}

async function decide(
  { db, now }: App,
  operator: Operator,
  { countId, intent, reason }: { countId: string; intent: string; reason: string },
): Promise<ActResult> {
  const to = `/operator/reconciliation/${countId}`;
  if (intent === "confirm") {
    await confirmCount(db, operator, countId, now());
    return { to, say: "count-confirmed" };
  }
  if (intent === "reject") {
    await rejectCount(db, operator, { countId, reason }, now());
    return { to, say: "count-rejected" };
  }
  await withdrawCount(db, operator, countId, now());
  return { to: "/operator/reconciliation", say: "count-withdrawn" };
}

export default function CountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { count, isOwn, readUnits } = loaderData;
  return (
    <CasePage title={`Count of ${count.asset}`} queue="/operator/reconciliation">
      <div className={grid.case} key={count.id}>
        <div className={grid.claim}>
          <CountFacts count={count} readUnits={readUnits} />
        </div>
        <div className={grid.evidence}>
          <FileView
            title="Evidence"
            what="evidence"
            source={`/operator/reconciliation/${count.id}/evidence`}
            name={count.evidenceName}
            mediaType={count.evidenceMediaType}
            byteSize={count.evidenceByteSize}
          />
        </div>
        <div className={grid.decision}>
          <DecideCount count={count} isOwn={isOwn} answer={actionData} />
        </div>
      </div>
    </CasePage>
  );
}

function CountFacts({ count, readUnits }: { count: EnteredCount; readUnits: bigint | null }) {
  const { asset, units, asOf, blockHeight, wallets, counterName, proposedAt } = count;
  const custody = BigInt(count.custodyUnits);
  const difference = units - custody;
  return (
    <Panel title="Compared with the ledger">
      <Facts
        facts={[
          { label: "Counted on chain", value: <Amount units={units} asset={asset} /> },
          readUnits !== null && {
            label: "Read last by the node",
            value: <Amount units={readUnits} asset={asset} />,
          },
          { label: "In the ledger then", value: <Amount units={custody} asset={asset} /> },
          {
            label: "Difference",
            value: <Difference units={difference} asset={asset} />,
          },
          { label: "Coverage", value: coverageWords(units, custody) },
          { label: "As of", value: <When at={asOf} beside /> },
          blockHeight !== null && { label: "Block", value: String(blockHeight) },
          { label: "Wallets", value: wallets },
          { label: "Counted by", value: counterName },
          { label: "Entered", value: proposedAt },
        ]}
      />
      {difference < 0n ? (
        <div className={own.beneath}>
          <Notice tone="warning" title="Less than the ledger says">
            Confirmed, this stops the sale of contracts until a later count covers everything.
            Withdrawals go on.
          </Notice>
        </div>
      ) : null}
    </Panel>
  );
}
