import { Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { CheckField, ChoiceField } from "#app/ui/controls/check-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import {
  type PaymentResolution,
  paymentResolutions,
  resolutionTerms,
} from "#core/payments/payment-resolution.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import { confirmationsNeeded, isConfirmed } from "#server/chain/payment.ts";
import {
  findPaymentForStaff,
  type PaymentCase,
} from "#server/deposits/payments/list-payments-for-staff.ts";
import { listResolutionsOf } from "#server/deposits/payments/list-resolutions.ts";
import {
  decidePaymentResolution,
  proposePaymentResolution,
} from "#server/deposits/payments/resolve-payments.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import styles from "../deposits/deposit.module.css";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { resolutionForm } from "../refusals/deposits.ts";
import { sayWith } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/payment";
import { confirmationsOf, PaymentState } from "./payment-state.tsx";
import { refusalWords, resolutionWords } from "./payment-words.ts";
import { DecideResolution, ResolutionFacts } from "./resolution-parts.tsx";

export const middleware = guard("chain/read", {
  "propose-resolution": "deposits/propose-resolution",
  "confirm-resolution": "deposits/confirm-resolution",
  "decline-resolution": "deposits/decline-resolution",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Payment");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config, operator } = consoleOf(context);
  const arrived = found(await findPaymentForStaff(db, params.chainPaymentId));
  const resolutions = await listResolutionsOf(db, arrived.id);
  const needed = confirmationsNeeded(config.confirmations[arrived.asset], arrived);
  const payment = { ...arrived, needed, isConfirmed: isConfirmed(arrived, needed) };
  return { payment, resolutions, operatorId: operator.id };
}

interface Answer {
  reason: string;
  says: PaymentResolution | null;
  fault: string;
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const field = (name: string) => String(form.get(name) ?? "").replaceAll("\0", "");
  const says = paymentResolutions.find((each) => each === field("says")) ?? null;
  const wanted = {
    intent: field("intent"),
    resolutionId: field("resolutionId"),
    paymentId: params.chainPaymentId,
    says,
    reason: field("reason"),
    withSimilar: field("withSimilar") === "yes",
  };
  return runAct(
    async () => ({
      to: `/operator/chain/payments/${params.chainPaymentId}`,
      say: await decide(app, operator, wanted),
    }),
    (said): Answer => ({ says, reason: wanted.reason, fault: said.text }),
    sayWith(resolutionForm),
  );
}

interface Wanted {
  intent: string;
  resolutionId: string;
  paymentId: string;
  says: PaymentResolution | null;
  reason: string;
  withSimilar: boolean;
}

async function decide(
  { db, now }: App,
  operator: ActingOperator,
  { intent, resolutionId, says, ...wanted }: Wanted,
): Promise<FlashKey> {
  if (intent === "propose-resolution") {
    if (!says) throw new Refusal("deposits/reason-missing");
    await proposePaymentResolution(db, operator, { ...wanted, says }, now());
    return "payment-resolution-proposed";
  }
  const into = intent === "confirm-resolution" ? ("confirmed" as const) : ("declined" as const);
  await decidePaymentResolution(db, operator, { resolutionId, into }, now());
  return `payment-resolution-${into}`;
}

export default function PaymentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { payment, resolutions, operatorId } = loaderData;
  const open = resolutions.find(({ state }) => state === "open");
  const isComing = isOnItsWay(payment);
  const isFinal = payment.resolvedAs !== null && payment.resolvedAs !== "customers";
  return (
    <>
      <PageHeader
        title="Payment"
        description="A payment to an address of your wallets, and whose it is."
        actions={<Link to="/operator/chain">Chain</Link>}
      />
      <div className={layout.main}>
        <div className={layout.stack}>
          <Panel title="What arrived">
            <div className={styles.form}>
              {isComing ? (
                <Notice>This payment is still confirming. We credit it automatically.</Notice>
              ) : null}
              <Facts facts={factsOf(payment)} />
            </div>
          </Panel>
        </div>
        <div className={layout.stack}>
          {resolutions.length > 0 || !isFinal ? (
            <Panel title="Whose it is">
              <div className={styles.form}>
                {resolutions.map((resolution) => (
                  <ResolutionFacts key={resolution.id} resolution={resolution} />
                ))}
                <FormAlert errors={actionData ? [actionData.fault] : null} />
                {open ? (
                  <DecideResolution resolution={open} isOwn={open.proposedBy === operatorId} />
                ) : null}
                {open || isFinal ? null : <Propose payment={payment} answer={actionData} />}
              </div>
            </Panel>
          ) : null}
        </div>
      </div>
    </>
  );
}

type Shown = Route.ComponentProps["loaderData"]["payment"];

const mayComeYet = ({ customerId, resolvedAs }: Shown): boolean =>
  customerId !== null && resolvedAs !== "operators" && resolvedAs !== "set-aside";

/** Whether it will be credited, as far as is known, without a word from anybody. */
function isOnItsWay(payment: Shown): boolean {
  const { state, settledAt, refusal } = payment;
  const isThere = state === "seen" || state === "mined";
  return mayComeYet(payment) && isThere && settledAt === null && refusal === null;
}

function factsOf(payment: Shown) {
  const { customerId, refusal, refusedAt, resolvedAs } = payment;
  return [
    // Of one to an address of ours nothing is credited, however deep it is.
    (customerId !== null || !payment.isConfirmed || resolvedAs !== null) && {
      label: "State",
      value: <PaymentState payment={payment} />,
    },
    {
      label: "Customer",
      value: payment.customerId ? (
        <Link to={`/operator/customers/${payment.customerId}`}>
          {payment.customerFirstName} {payment.customerLastName}
        </Link>
      ) : (
        "None: no customer had this address when it arrived"
      ),
    },
    { label: "Quantity", value: <Amount units={payment.units} asset={payment.asset} /> },
    { label: "Address", code: payment.address },
    { label: "Transaction", code: payment.txid },
    {
      label: payment.chain === "bitcoin" ? "Output" : "Place in the transaction",
      value: payment.outputIndex,
    },
    { label: "First seen", value: payment.seenAt },
    { label: "Confirmations", value: confirmationsOf(payment) ?? "None" },
    {
      label: "Credited",
      value: <CreditedAt payment={payment} />,
    },
    refusal !== null && { label: "Why not", value: refusalWords(refusal) },
    refusedAt !== null && { label: "Last tried", value: <When at={refusedAt} /> },
    resolvedAs !== null && { label: "Two people said", value: resolutionWords[resolvedAs] },
  ];
}

function CreditedAt({ payment }: { payment: Shown }) {
  const { settledAt, depositId } = payment;
  if (!settledAt) return mayComeYet(payment) ? "Not yet" : "No";
  return (
    <>
      <When at={settledAt} />
      {depositId ? (
        <>
          {", "}
          <Link to={`/operator/deposits/${depositId}`}>the deposit</Link>
        </>
      ) : null}
    </>
  );
}

type PaymentKind = "credited" | "nobodys" | "waiting";

function kindOf({ customerId, settledAt, depositId }: PaymentCase): PaymentKind {
  if (customerId === null) return "nobodys";
  return settledAt !== null || depositId !== null ? "credited" : "waiting";
}

const notes: Record<PaymentKind, string> = {
  nobodys:
    "Record a payment to one of your own addresses as a payout or as own money. If it needs no entry, set it aside: then it is no longer listed. A colleague confirms it.",
  credited:
    "If this payment was the operator's own, a pool's payout for instance, we take its credit back. No balance falls below zero: what the customer has used is taken from what arrives later. A colleague confirms it.",
  waiting:
    "A payment that is set aside is not credited and not tried again: its coins stay in your wallet. A colleague confirms it.",
};

const buttons: Record<PaymentKind, string> = {
  nobodys: "Propose to set it aside",
  credited: "Propose to take the credit back",
  waiting: "Propose decision",
};

function Propose({ payment, answer }: { payment: PaymentCase; answer: Answer | undefined }) {
  const may = useMay();
  if (!may("deposits/propose-resolution")) return null;
  const kind = kindOf(payment);
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <p className={layout.note}>{notes[kind]}</p>
      {kind === "waiting" ? (
        <Choices says={answer?.says ?? null} wasRefused={payment.refusal !== null} />
      ) : (
        <input type="hidden" name="says" value={kind === "credited" ? "operators" : "set-aside"} />
      )}
      <TextArea
        name="reason"
        label="What you found"
        rows={3}
        required
        maxLength={resolutionTerms.reasonMax}
        defaultValue={answer?.reason ?? ""}
      />
      <div>
        <SubmitButton name="intent" value="propose-resolution" look="quiet">
          {buttons[kind]}
        </SubmitButton>
      </div>
    </Form>
  );
}

function Choices({ says, wasRefused }: { says: PaymentResolution | null; wasRefused: boolean }) {
  return (
    <>
      <ChoiceField
        name="says"
        label="What it was"
        choices={paymentResolutions.map((value) => ({ value, label: resolutionWords[value] }))}
        chosen={says ? [says] : []}
      />
      {wasRefused ? (
        <CheckField
          name="withSimilar"
          value="yes"
          label="All payments at this address that were refused for the same reason"
        />
      ) : null}
    </>
  );
}
