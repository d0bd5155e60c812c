import { randomUUID } from "node:crypto";
import { type ActResult, runAct } from "#app/run-act.ts";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { adjustmentKindWords } from "#core/payments/adjustments.ts";
import { approveAdjustment } from "#server/adjustments/approve-adjustment.ts";
import { type AdjustmentCase, findAdjustment } from "#server/adjustments/find-adjustment.ts";
import { findNextAdjustment } from "#server/adjustments/find-next-adjustment.ts";
import { proposeReversal } from "#server/adjustments/propose-adjustment.ts";
import { rejectAdjustment } from "#server/adjustments/reject-adjustment.ts";
import { withdrawAdjustment } from "#server/adjustments/withdraw-adjustment.ts";
import type { App } from "#server/app-context.ts";
import { listCustomersPaidBy } from "#server/deposits/payments/list-customers-paid-by.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { listHouseBalances } from "#server/ledger/list-house-balances.ts";
import { listOwnMoney } from "#server/ledger/list-own-money.ts";
import grid from "../deposits/deposit.module.css";
import { CasePage } from "../parts/case-page.tsx";
import { PaidCustomers } from "../parts/paid-customers.tsx";
import { readFlags } from "../parts/read-flags.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import { FileView } from "../parts/slip-view.tsx";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import { CaseFacts } from "./case-facts.tsx";
import { type CaseAnswer, Decide, ReverseForm } from "./decide.tsx";

export const middleware = guard("adjustments/read", {
  approve: "adjustments/approve",
  reject: "adjustments/reject",
  withdraw: "adjustments/withdraw",
  reverse: "adjustments/propose",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [{ title: `${titleOf(loaderData?.adjustment)} · ${matches[0].loaderData.siteName}` }];
}
export const handle = {
  keys: [
    { key: "a", does: "approve", needs: "adjustments/approve" },
    { key: "r", does: "reject", needs: "adjustments/reject" },
    { key: "n", does: "next that waits" },
    { key: "z", does: "enlarge the evidence", needs: "adjustments/view-evidence" },
    { key: "q", does: "queue" },
  ],
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, app, operator } = consoleOf(context);
  const adjustment = await getAdjustment(app, params.adjustmentId);
  const { id, customerId, reverses, asset } = adjustment;
  const at = now();
  const [house, ownMoney, nextId, original, flags] = await Promise.all([
    listHouseBalances(db),
    listOwnMoney(db),
    findNextAdjustment(db, { exceptId: id, operatorId: operator.id }),
    reverses ? findAdjustment(db, reverses) : null,
    readFlags(context, customerId),
  ]);
  const { txid } = adjustment;
  const paidCustomers = txid ? await listCustomersPaidBy(db, txid) : [];
  const mine = ownMoney.find((each) => each.asset === asset);
  const giftsFrom = house.find(
    (each) => each.account === "operator_equity" && each.asset === asset,
  );
  return {
    now: at,
    adjustment,
    original,
    flags,
    equity: mine?.units ?? 0n,
    giftable: giftsFrom?.units ?? 0n,
    paidCustomers,
    isOwn: adjustment.proposedBy === operator.id,
    nextId,
    submissionKey: randomUUID(),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const reason = String(form.get("reason") ?? "").replaceAll("\0", "");
  const { adjustmentId } = params;
  return runAct(
    () =>
      intent === "reverse"
        ? reverse(app, operator, adjustmentId, form, reason)
        : decide(app, operator, { adjustmentId, intent, reason }),
    ({ text }): CaseAnswer => ({ intent, reason, fault: text }),
    sayRefusal,
  );
}

async function decide(
  app: App,
  operator: Operator,
  { adjustmentId, intent, reason }: { adjustmentId: string; intent: string; reason: string },
): Promise<ActResult> {
  const { db } = app;
  const now = app.now();
  if (intent === "approve") {
    await approveAdjustment(db, operator, adjustmentId, now);
    return { to: `/operator/adjustments/${adjustmentId}`, say: "adjustment-approved" };
  }
  if (intent === "reject") {
    await rejectAdjustment(db, operator, { adjustmentId, reason: reason.slice(0, 1000) }, now);
    return { to: `/operator/adjustments/${adjustmentId}`, say: "adjustment-rejected" };
  }
  await withdrawAdjustment(db, operator, adjustmentId, now);
  return { to: "/operator/adjustments", say: "adjustment-withdrawn" };
}

async function reverse(
  app: App,
  operator: Operator,
  adjustmentId: string,
  form: FormData,
  reason: string,
): Promise<ActResult> {
  const submissionKey = String(form.get("submissionKey") ?? "");
  const isKey = isUuid(submissionKey);
  const reversal = {
    submissionKey: isKey ? submissionKey : randomUUID(),
    adjustmentId,
    reason,
    note: String(form.get("note") ?? "").replaceAll("\0", ""),
  };
  const proposed = await proposeReversal(app.db, operator, reversal, app.now());
  return { to: `/operator/adjustments/${proposed.adjustmentId}`, say: "adjustment-proposed" };
}

async function getAdjustment({ db }: App, id: string): Promise<AdjustmentCase> {
  const adjustment = found(await findAdjustment(db, id));
  return adjustment;
}

function titleOf(
  adjustment: { kind: AdjustmentCase["kind"]; customerName: string | null } | undefined,
) {
  if (!adjustment) return "Adjustment";
  const { kind, customerName } = adjustment;
  const words = adjustmentKindWords[kind];
  if (!customerName) return words;
  return kind === "reversal" ? `${words}, ${customerName}` : `${words} for ${customerName}`;
}

export default function AdjustmentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { adjustment, original, equity, giftable, isOwn, nextId, now, flags, submissionKey } =
    loaderData;
  const may = useMay();
  const canReverse =
    adjustment.state === "approved" &&
    adjustment.kind !== "reversal" &&
    adjustment.reversalId === null;
  return (
    <CasePage
      title={titleOf(adjustment)}
      queue="/operator/adjustments"
      nextId={nextId}
      isNextForReader
      flags={{ standing: flags, customerId: adjustment.customerId }}
    >
      <div className={grid.case} key={adjustment.id}>
        <div className={grid.claim}>
          <CaseFacts adjustment={adjustment} original={original} now={now} />
        </div>
        <div className={grid.evidence}>
          <PaidCustomers
            paid={loaderData.paidCustomers}
            units={adjustment.units}
            isTakenOut={adjustment.kind === "equity-drawing"}
          />
          <Evidence adjustment={adjustment} />
        </div>
        <div className={grid.decision}>
          <Decide
            adjustment={adjustment}
            equity={equity}
            giftable={giftable}
            isOwn={isOwn}
            answer={actionData}
          />
          {canReverse && may("adjustments/propose") ? (
            <ReverseForm submissionKey={submissionKey} answer={actionData} />
          ) : null}
        </div>
      </div>
    </CasePage>
  );
}

function Evidence({ adjustment }: { adjustment: AdjustmentCase }) {
  const may = useMay();
  const { id, evidenceName, evidenceMediaType, evidenceByteSize, kind } = adjustment;
  if (evidenceName === null || evidenceMediaType === null || evidenceByteSize === null) {
    return (
      <Panel title="Evidence">
        <p className={layout.note}>
          {kind === "equity-funding"
            ? "The transaction on the chain is the evidence."
            : kind === "reversal"
              ? "What is taken back has the evidence."
              : "None."}
        </p>
      </Panel>
    );
  }
  if (adjustment.evidenceErasedAt) {
    return (
      <Panel title="Evidence">
        <p className={layout.note}>
          Deleted on <When at={adjustment.evidenceErasedAt} />, as the privacy policy says. The file
          had this SHA-256: <code className={layout.code}>{adjustment.evidenceSha256}</code>
        </p>
      </Panel>
    );
  }
  if (!may("adjustments/view-evidence")) {
    return (
      <Panel title="Evidence">
        <p className={layout.note}>There is a file. Your role does not see it.</p>
      </Panel>
    );
  }
  return (
    <FileView
      title="Evidence"
      what="evidence"
      source={`/operator/adjustments/${id}/evidence`}
      name={evidenceName}
      mediaType={evidenceMediaType}
      byteSize={evidenceByteSize}
    />
  );
}
