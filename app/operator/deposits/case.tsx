import { useEffect, useRef } from "react";
import { data } from "react-router";
import { type ActResult, errorsOf, runAct } from "#app/run-act.ts";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { StoredPrice } from "#app/ui/market/stored-price.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { formatAmount, formatUsd } from "#core/money.ts";
import { type Claimed, coinOfMethod, isClaimed } from "#core/payments/deposit.ts";
import { type PriceMessage, valueInUsdCents } from "#core/price.ts";
import type { App } from "#server/app-context.ts";
import { approveAsOperator } from "#server/console/deposits/approve-as-operator.ts";
import { decideApprovalAsOperator } from "#server/console/deposits/decide-approval.ts";
import { findNextWaiting } from "#server/console/deposits/find-next-waiting.ts";
import { previewApproval } from "#server/console/deposits/preview-approval.ts";
import { rejectAsOperator } from "#server/console/deposits/reject-as-operator.ts";
import { findApproval } from "#server/deposits/find-approval.ts";
import {
  type DepositForReview,
  findDepositForReview,
} from "#server/deposits/find-deposit-for-review.ts";
import { listDeposits } from "#server/deposits/list-deposits.ts";
import { listResolutionsOfDeposit } from "#server/deposits/payments/list-resolutions.ts";
import {
  decidePaymentResolution,
  proposeMistake,
} from "#server/deposits/payments/resolve-payments.ts";
import { listDepositsWithSameSlip } from "#server/deposits/slips/list-deposits-with-same-slip.ts";
import { findCustomer } from "#server/identity/account/find-customer.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { findFreshPrice, findLastPrice } from "#server/markets/find-fresh-price.ts";
import { findStoredPrice } from "#server/markets/find-stored-price.ts";
import { toMessage } from "#server/markets/price.ts";
import type { Db } from "#server/platform/database.ts";
import { CasePage } from "../parts/case-page.tsx";
import type { FourEyesAnswer } from "../parts/four-eyes.tsx";
import { readFlags } from "../parts/read-flags.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import { SlipView } from "../parts/slip-view.tsx";
import { useMay } from "../parts/use-may.ts";
import { resolutionForm } from "../refusals/deposits.ts";
import { decided } from "../refusals/meanwhile.ts";
import { sayRefusal, sayWith } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import { approvalSchema } from "./approval-schema.ts";
import { ApproveForm } from "./approve-form.tsx";
import { type ApprovalSummary, ApproveSummary } from "./approve-summary.tsx";
import { ClaimPanel } from "./claim-panel.tsx";
import { DecisionMade } from "./decision-made.tsx";
import styles from "./deposit.module.css";
import { OtherDeposits, SameSlips } from "./deposit-lists.tsx";
import { MistakePanel } from "./mistake-panel.tsx";
import { PaymentEvidence } from "./payment-evidence.tsx";
import { ProposalPanel } from "./proposal-panel.tsx";
import { RejectForm } from "./reject-form.tsx";
import { rejectionSchema } from "./rejection-schema.ts";

export const middleware = guard("deposits/read", {
  preview: "deposits/approve",
  change: "deposits/approve",
  approve: "deposits/approve",
  reject: "deposits/reject",
  "confirm-approval": "deposits/confirm-approval",
  "decline-approval": "deposits/decline-approval",
  "propose-resolution": "deposits/propose-resolution",
  "confirm-resolution": "deposits/confirm-resolution",
  "decline-resolution": "deposits/decline-resolution",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const { deposit } = loaderData ?? {};
  const title = deposit ? titleOf(deposit) : "Deposit";
  return [{ title: `${title} · ${matches[0].loaderData.siteName}` }];
}

export const handle = {
  keys: [
    { key: "a", does: "approve", needs: "deposits/approve" },
    { key: "r", does: "reject", needs: "deposits/reject" },
    { key: "n", does: "next that waits" },
    { key: "z", does: "enlarge the slip" },
    { key: "q", does: "queue" },
  ],
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const deposit = await getDeposit(db, params.depositId);
  const { depositId, customerId } = deposit;
  const at = now();
  const [
    customer,
    balances,
    sameSlips,
    others,
    nextId,
    price,
    flags,
    valuedAt,
    resolutions,
    proposal,
  ] = await Promise.all([
    findCustomer(db, customerId),
    getBalances(db, customerId),
    listDepositsWithSameSlip(db, depositId),
    listDeposits(db, customerId, { show: 11 }),
    findNextWaiting(db, depositId, operator.id),
    findLastPrice(db, coinOfMethod[deposit.method], at),
    readFlags(context, customerId),
    deposit.priceId ? findStoredPrice(db, deposit.priceId) : null,
    listResolutionsOfDeposit(db, depositId),
    findApproval(db, depositId),
  ]);
  return {
    now: at,
    price: price && toMessage(price, at),
    valuedAt,
    deposit,
    customer,
    flags,
    balances,
    sameSlips,
    others: others.deposits.filter((other) => other.depositId !== depositId).slice(0, 10),
    othersTotal: others.total - 1,
    nextId,
    resolutions,
    proposal,
    operatorId: operator.id,
  };
}

type ClaimedDeposit = Claimed<DepositForReview>;

/** What the page says after a form came in. */
type Answer =
  | { form: "approve" | "reject"; result: FormReply }
  | { summary: ApprovalSummary }
  | { mistake: { reason: string; fault: string } }
  | { proposal: FourEyesAnswer }
  | { meanwhile: string };

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const deposit = await getDeposit(app.db, params.depositId);
  // A payment on chain decided it.
  if (!isClaimed(deposit)) return data<Answer>({ meanwhile: decided.text }, decided.status);
  const form = await request.formData();
  if (String(form.get("intent")).endsWith("-approval")) {
    return decideProposal(app, operator, deposit.depositId, form);
  }
  if (String(form.get("intent")).endsWith("-resolution")) {
    return resolveMistake(app, operator, deposit.depositId, form);
  }
  const review = form.get("intent") === "reject" ? reject : approve;
  return review(app, operator, deposit, form);
}

async function approve(app: App, operator: Operator, deposit: ClaimedDeposit, form: FormData) {
  const submission = parseForm(form, { schema: approvalSchema(deposit.method) });
  const answer = (result: FormReply): Answer => ({ form: "approve", result });
  if (submission.status !== "success") return data(answer(submission.reply()), 400);
  if (form.get("intent") === "change") return data(answer(submission.reply()));
  const { quantity, txid, outputIndex = null, usd = deposit.claimedUsdCents } = submission.value;
  const { depositId: id, customerId, method, claimedUsdCents } = deposit;
  const approval = {
    deposit: { id, customerId, method, claimedUsdCents },
    quantityUnits: quantity,
    txid,
    outputIndex,
    usdCents: usd,
  };
  return runAct(
    async () => {
      if (form.get("intent") !== "approve") {
        const transfer = await previewApproval(app.db, operator, approval, app.now());
        const worth = await worthOf(app, deposit, quantity);
        const summary = { transfer, txid, outputIndex, usdCents: usd, worth, typed: typedIn(form) };
        return data<Answer>({ summary });
      }
      const { transferId } = await approveAsOperator(app.db, operator, approval, app.now());
      return goOn(app, operator, id, transferId === null ? "deposit-proposed" : "deposit-approved");
    },
    (said) => answer(submission.reply(errorsOf(said, form))),
    sayRefusal,
  );
}

/** What arrived at the stored price; null when that is too old to value anything. */
async function worthOf(app: App, { method }: ClaimedDeposit, quantity: bigint) {
  const coin = coinOfMethod[method];
  const now = app.now();
  const price = await findFreshPrice(app.db, coin, now);
  if (!price) return null;
  const usdCents = valueInUsdCents(quantity, coin, price.usdE8);
  return { usdCents, price: toMessage(price, now), now };
}

async function reject(app: App, operator: Operator, deposit: ClaimedDeposit, form: FormData) {
  const submission = parseForm(form, { schema: rejectionSchema });
  const answer = (result: FormReply): Answer => ({ form: "reject", result });
  if (submission.status !== "success") return data(answer(submission.reply()), 400);
  const { depositId: id, customerId } = deposit;
  const rejection = { deposit: { id, customerId }, reason: submission.value.reason };
  return runAct(
    async () => {
      await rejectAsOperator(app.db, operator, rejection, app.now());
      return goOn(app, operator, id, "deposit-rejected");
    },
    (said) => answer(submission.reply(errorsOf(said, form))),
    sayRefusal,
  );
}

/** Confirms or declines what a colleague said that arrived, or takes back what one said oneself. */
async function decideProposal(app: App, operator: Operator, depositId: string, form: FormData) {
  const intent = String(form.get("intent"));
  const approvalId = String(form.get("approvalId") ?? "");
  const into = intent === "confirm-approval" ? ("confirmed" as const) : ("declined" as const);
  return runAct(
    async () => {
      await decideApprovalAsOperator(app.db, operator, { approvalId, into }, app.now());
      if (into === "confirmed") return goOn(app, operator, depositId, "deposit-approved");
      return { to: `/operator/deposits/${depositId}`, say: "deposit-declined" };
    },
    (said): Answer => ({ proposal: { intent, reason: "", fault: said.text } }),
    sayRefusal,
  );
}

/** Proposes, confirms or declines that the deposit was approved by mistake. */
async function resolveMistake(app: App, operator: Operator, depositId: string, form: FormData) {
  const field = (name: string) => String(form.get(name) ?? "").replaceAll("\0", "");
  const [intent, reason] = [field("intent"), field("mistake")];
  const into = intent === "confirm-resolution" ? ("confirmed" as const) : ("declined" as const);
  return runAct(
    async () => {
      const to = `/operator/deposits/${depositId}`;
      if (intent === "propose-resolution") {
        await proposeMistake(app.db, operator, { depositId, reason }, app.now());
        return { to, say: "payment-resolution-proposed" };
      }
      const decision = { resolutionId: field("resolutionId"), into };
      await decidePaymentResolution(app.db, operator, decision, app.now());
      return { to, say: `payment-resolution-${into}` };
    },
    (said): Answer => ({ mistake: { reason, fault: said.text } }),
    sayWith(resolutionForm),
  );
}

/** To the deposit that waits longest, or to the empty queue. */
async function goOn(
  app: App,
  operator: Operator,
  decidedId: string,
  say: FlashKey,
): Promise<ActResult> {
  const next = await findNextWaiting(app.db, decidedId, operator.id);
  return { to: next ? `/operator/deposits/${next}` : "/operator/deposits", say };
}

async function getDeposit(db: Db, id: string): Promise<DepositForReview> {
  const deposit = found(await findDepositForReview(db, id));
  return deposit;
}

function typedIn(form: FormData): Record<string, string> {
  const names = ["quantity", "txid", "outputIndex", "usd"];
  const typed = names.map((name) => [name, form.get(name)] as const);
  return Object.fromEntries(
    typed.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

function titleOf(deposit: DepositForReview): string {
  const { claimedUsdCents, quantityUnits, asset } = deposit;
  const what =
    claimedUsdCents === null
      ? `${formatAmount(quantityUnits ?? 0n, asset)} ${asset}`
      : formatUsd(claimedUsdCents);
  return `${what} by ${nameOf(deposit)}`;
}

function nameOf(deposit: { customerFirstName: string; customerLastName: string }): string {
  return `${deposit.customerFirstName} ${deposit.customerLastName}`;
}

export default function DepositPage({ loaderData, actionData }: Route.ComponentProps) {
  const { deposit, customer, balances, sameSlips, others, othersTotal, nextId, now } = loaderData;
  useStartAtTop(deposit.depositId);
  // Used before: that must be seen before the picture is.
  const same = (
    <SameSlips slips={sameSlips} count={deposit.sameFileCount} customerId={deposit.customerId} />
  );
  return (
    <CasePage
      title={titleOf(deposit)}
      queue="/operator/deposits"
      nextId={nextId}
      flags={{ standing: loaderData.flags, customerId: deposit.customerId }}
    >
      <div className={styles.case} key={deposit.depositId}>
        <div className={styles.claim}>
          <ClaimPanel deposit={deposit} customer={customer} balances={balances} now={now} />
        </div>
        {isClaimed(deposit) ? (
          <div className={styles.evidence}>
            {sameSlips.length > 0 ? same : null}
            <SlipView deposit={deposit} />
            {sameSlips.length > 0 ? null : same}
          </div>
        ) : (
          <div className={styles.evidence}>
            <PaymentEvidence deposit={deposit} />
          </div>
        )}
        <div className={styles.decision}>
          <Decisions data={loaderData} answer={actionData} />
        </div>
        <div className={styles.others}>
          <OtherDeposits deposits={others} total={othersTotal} customerId={deposit.customerId} />
        </div>
      </div>
    </CasePage>
  );
}

/** A case that follows a decision begins at its top, though the forms of a case leave the page where it was. */
function useStartAtTop(depositId: string): void {
  const shown = useRef(depositId);
  useEffect(() => {
    if (shown.current !== depositId) window.scrollTo(0, 0);
    shown.current = depositId;
  }, [depositId]);
}

/** What is to be decided, and what was. */
function Decisions({
  data,
  answer,
}: {
  data: Route.ComponentProps["loaderData"];
  answer: Answer | undefined;
}) {
  const { deposit, proposal, resolutions, operatorId, price, valuedAt, now } = data;
  const isProposed = proposal?.state === "open";
  return (
    <>
      {proposal ? (
        <ProposalPanel
          proposal={proposal}
          deposit={deposit}
          operatorId={operatorId}
          answer={answer && "proposal" in answer ? answer.proposal : null}
        />
      ) : null}
      {isProposed ? null : <Decision deposit={deposit} price={price} now={now} answer={answer} />}
      {deposit.reviewActionId === null ? null : (
        <MistakePanel
          deposit={deposit}
          resolutions={resolutions}
          operatorId={operatorId}
          answer={answer && "mistake" in answer ? answer.mistake : null}
        />
      )}
      {deposit.quantityUnits === null ? null : (
        <StoredPrice units={deposit.quantityUnits} coin={deposit.asset} price={valuedAt} />
      )}
    </>
  );
}

interface DecisionProps {
  deposit: DepositForReview;
  price: PriceMessage | null;
  now: Date;
  answer: Answer | undefined;
}

function Decision({ deposit, price, now, answer }: DecisionProps) {
  const may = useMay();
  if (deposit.state !== "pending" || !isClaimed(deposit)) return <DecisionMade deposit={deposit} />;
  const { method, claimedUsdCents } = deposit;
  if (answer && "summary" in answer) {
    const { summary } = answer;
    return (
      <ApproveSummary
        summary={summary}
        customerName={nameOf(deposit)}
        claimedUsdCents={claimedUsdCents}
      />
    );
  }
  const resultOf = (form: "approve" | "reject") =>
    answer && "form" in answer && answer.form === form ? answer.result : undefined;
  return (
    <>
      {may("deposits/approve") ? (
        <ApproveForm
          method={method}
          claimedUsdCents={claimedUsdCents}
          price={price}
          now={now}
          lastResult={resultOf("approve")}
        />
      ) : (
        <Notice title="Waits for an approver">
          Your role sees this case; approving and rejecting is for others.
        </Notice>
      )}
      {may("deposits/reject") ? <RejectForm lastResult={resultOf("reject")} /> : null}
    </>
  );
}
