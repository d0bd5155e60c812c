import { data, Link, redirect } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { type FlashKey, flash } from "#app/ui/flash.ts";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { When } from "#app/ui/when.tsx";
import { coverageWords } from "#core/custody-count.ts";
import { Refusal } from "#core/refusal.ts";
import { type App, appContext } from "#server/app-context.ts";
import type { Operator } from "#server/identity/operator.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { confirmCount, rejectCount, withdrawCount } from "#server/reconciliation/decide-count.ts";
import {
  type EnteredCount,
  findCount,
  listWalletReadings,
} from "#server/reconciliation/queries.ts";
import { ConsoleError } from "../console-error.tsx";
import grid from "../deposit.module.css";
import { readAfterConflict } from "../read-after-conflict.ts";
import { FileView } from "../slip-view.tsx";
import type { Route } from "./+types/count";
import { type CountFault, DecideCount } from "./decide-count-form.tsx";
import own from "./reconciliation.module.css";
import { refusalText } from "./refusal-text.ts";
import { sumOfReadings } from "./wallet-readings.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("reconciliation/read", {
    confirm: "reconciliation/confirm-count",
    reject: "reconciliation/reject-count",
    withdraw: "reconciliation/withdraw-count",
  }),
];
export const ErrorBoundary = ConsoleError;
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
  const { db } = context.get(appContext);
  const count = await findCount(db, params.countId);
  if (!count) throw data(null, { status: 404, statusText: "Not Found" });
  const isOwn = count.proposedBy === context.get(operatorContext).id;
  return { count, isOwn, readUnits: sumOfReadings(await listWalletReadings(db), count.asset) };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const reason = String(form.get("reason") ?? "").replaceAll("\0", "");
  try {
    const wish = { countId: params.countId, intent, reason };
    return await decide(context.get(appContext), context.get(operatorContext), wish);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "reconciliation/not-found") {
      throw data(null, { status: 404, statusText: "Not Found" });
    }
    const late = error.code === "reconciliation/already-decided";
    const fault: CountFault = { intent, reason, fault: refusalText(error.code), late };
    return data(fault, late ? 409 : 400);
  }
}

async function decide(
  { db, now }: App,
  operator: Operator,
  { countId, intent, reason }: { countId: string; intent: string; reason: string },
) {
  const place = `/operator/reconciliation/${countId}`;
  if (intent === "confirm") {
    await confirmCount(db, operator, countId, now());
    return said("count-confirmed", place);
  }
  if (intent === "reject") {
    await rejectCount(db, operator, { countId, reason }, now());
    return said("count-rejected", place);
  }
  await withdrawCount(db, operator, countId, now());
  return said("count-withdrawn", "/operator/reconciliation");
}

async function said(key: FlashKey, to: string) {
  return redirect(to, { headers: { "Set-Cookie": await flash(key) } });
}

export default function CountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { count, isOwn, readUnits } = loaderData;
  return (
    <>
      <PageHeader
        title={`Count of ${count.asset}`}
        actions={
          <Link to="/operator/reconciliation" data-key="q">
            Overview
          </Link>
        }
      />
      <div className={grid.case} key={count.id}>
        <div className={grid.claim}>
          {actionData?.late ? (
            <Notice tone="warning" role="alert" title="A colleague was quicker">
              {actionData.fault} What was decided stands below.
            </Notice>
          ) : null}
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
    </>
  );
}

function CountFacts({ count, readUnits }: { count: EnteredCount; readUnits: bigint | null }) {
  const { asset, units, asOf, blockHeight, wallets, counterName, proposedAt } = count;
  const custody = BigInt(count.custodyUnits);
  const difference = units - custody;
  return (
    <Panel title="Beside the journal">
      <Facts
        facts={[
          { label: "Counted on chain", value: <Amount units={units} asset={asset} /> },
          readUnits !== null && {
            label: "Read last by the machine",
            value: <Amount units={readUnits} asset={asset} />,
          },
          { label: "In the journal then", value: <Amount units={custody} asset={asset} /> },
          {
            label: "Difference",
            value: <Amount units={difference} asset={asset} signed />,
          },
          { label: "Coverage", value: coverageWords(units, custody) },
          { label: "As of", value: <When at={asOf} beside /> },
          blockHeight !== null && { label: "Block", value: String(blockHeight) },
          { label: "Wallets", value: wallets },
          { label: "Counted by", value: counterName },
          { label: "Entered", value: <When at={proposedAt} /> },
        ]}
      />
      {difference < 0n ? (
        <div className={own.beneath}>
          <Notice tone="warning" title="Less than the journal says">
            Confirmed, this stops the sale of contracts until a later count covers everything.
            Withdrawals go on.
          </Notice>
        </div>
      ) : null}
    </Panel>
  );
}
