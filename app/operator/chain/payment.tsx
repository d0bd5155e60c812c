import { data, Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { CheckField, ChoiceField } from "#app/ui/controls/check-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { type PaymentRuling, paymentRulings, rulingTerms } from "#core/payments/payment-ruling.ts";
import { Refusal } from "#core/refusal.ts";
import { type App, appContext } from "#server/app-context.ts";
import { confirmationsNeeded, isConfirmed } from "#server/chain/payment.ts";
import {
  findPaymentForStaff,
  type PaymentCase,
} from "#server/deposits/payments/list-payments-for-staff.ts";
import { listRulingsOf } from "#server/deposits/payments/list-rulings.ts";
import {
  decidePaymentRuling,
  proposePaymentRuling,
} from "#server/deposits/payments/rule-on-payments.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import styles from "../deposits/deposit.module.css";
import { ConsoleError } from "../parts/console-error.tsx";
import { readAfterConflict } from "../parts/read-after-conflict.ts";
import columns from "../parts/two-columns.module.css";
import { useMay } from "../parts/use-may.ts";
import { rulingForm } from "../refusals/deposits.ts";
import { sayWith } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/payment";
import { confirmationsOf, PaymentState } from "./payment-state.tsx";
import { refusalWords, rulingWords } from "./payment-words.ts";
import { DecideRuling, RulingFacts } from "./ruling-parts.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("chain/read", {
    "propose-ruling": "deposits/propose-ruling",
    "confirm-ruling": "deposits/confirm-ruling",
    "decline-ruling": "deposits/decline-ruling",
  }),
];
export const ErrorBoundary = ConsoleError;
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Payment");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const found = await findPaymentForStaff(db, params.chainPaymentId);
  if (!found) throw data(null, { status: 404, statusText: "Not Found" });
  const rulings = await listRulingsOf(db, found.id);
  const needed = confirmationsNeeded(config.confirmations[found.asset], found);
  const payment = { ...found, needed, isConfirmed: isConfirmed(found, needed) };
  return { payment, rulings, operatorId: context.get(operatorContext).id };
}

interface Answer {
  reason: string;
  says: PaymentRuling | null;
  fault: string;
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const field = (name: string) => String(form.get(name) ?? "").replaceAll("\0", "");
  const says = paymentRulings.find((each) => each === field("says")) ?? null;
  const wanted = {
    ...{
      intent: field("intent"),
      rulingId: field("rulingId"),
      paymentId: params.chainPaymentId,
      says,
    },
    ...{ reason: field("reason"), withSimilar: field("withSimilar") === "yes" },
  };
  return runAct(
    async () => ({
      to: `/operator/chain/payments/${params.chainPaymentId}`,
      say: await decide(context.get(appContext), context.get(operatorContext), wanted),
    }),
    (said): Answer => ({ says, reason: wanted.reason, fault: said.text }),
    sayWith(rulingForm),
  );
}

interface Wanted {
  intent: string;
  rulingId: string;
  paymentId: string;
  says: PaymentRuling | null;
  reason: string;
  withSimilar: boolean;
}

async function decide(
  { db, now }: App,
  operator: ActingOperator,
  { intent, rulingId, says, ...wanted }: Wanted,
): Promise<FlashKey> {
  if (intent === "propose-ruling") {
    if (!says) throw new Refusal("deposits/reason-missing");
    await proposePaymentRuling(db, operator, { ...wanted, says }, now());
    return "payment-ruling-proposed";
  }
  const into = intent === "confirm-ruling" ? ("confirmed" as const) : ("declined" as const);
  await decidePaymentRuling(db, operator, { rulingId, into }, now());
  return `payment-ruling-${into}`;
}

export default function PaymentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { payment, rulings, operatorId } = loaderData;
  const open = rulings.find(({ state }) => state === "open");
  const isComing = isOnItsWay(payment);
  const isFinal = payment.ruledAs !== null && payment.ruledAs !== "customers";
  return (
    <>
      <PageHeader
        title="Payment"
        description="A payment to an address of your wallets, and whose it is."
        actions={<Link to="/operator/chain">Chain</Link>}
      />
      <div className={columns.page}>
        <div className={columns.column}>
          <Panel title="What arrived">
            <div className={styles.form}>
              {isComing ? (
                <Notice>This payment is still confirming. We credit it automatically.</Notice>
              ) : null}
              <Facts facts={factsOf(payment)} />
            </div>
          </Panel>
        </div>
        <div className={columns.column}>
          {rulings.length > 0 || !isFinal ? (
            <Panel title="Whose it is">
              <div className={styles.form}>
                {rulings.map((ruling) => (
                  <RulingFacts key={ruling.id} ruling={ruling} />
                ))}
                <FormAlert errors={actionData ? [actionData.fault] : null} />
                {open ? (
                  <DecideRuling ruling={open} isOwn={open.proposedBy === operatorId} />
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

const mayComeYet = ({ customerId, ruledAs }: Shown): boolean =>
  customerId !== null && ruledAs !== "operators" && ruledAs !== "set-aside";

/** Whether it will be credited, as far as is known, without a word from anybody. */
function isOnItsWay(payment: Shown): boolean {
  const { state, settledAt, refusal } = payment;
  const isThere = state === "seen" || state === "mined";
  return mayComeYet(payment) && isThere && settledAt === null && refusal === null;
}

function factsOf(payment: Shown) {
  const { customerId, refusal, refusedAt, ruledAs } = payment;
  return [
    // Of one to an address of ours nothing is credited, however deep it is.
    (customerId !== null || !payment.isConfirmed || ruledAs !== null) && {
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
    { label: "Address", value: <code className={styles.code}>{payment.address}</code> },
    { label: "Transaction", value: <code className={styles.code}>{payment.txid}</code> },
    {
      label: payment.chain === "bitcoin" ? "Output" : "Place in the transaction",
      value: payment.outputIndex,
    },
    { label: "First seen", value: <When at={payment.seenAt} /> },
    { label: "Confirmations", value: confirmationsOf(payment) ?? "None" },
    {
      label: "Credited",
      value: <CreditedAt payment={payment} />,
    },
    refusal !== null && { label: "Why not", value: refusalWords(refusal) },
    refusedAt !== null && { label: "Last tried", value: <When at={refusedAt} /> },
    ruledAs !== null && { label: "Two people said", value: rulingWords[ruledAs] },
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
  if (!may("deposits/propose-ruling")) return null;
  const kind = kindOf(payment);
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <p className={styles.note}>{notes[kind]}</p>
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
        maxLength={rulingTerms.reasonMax}
        defaultValue={answer?.reason ?? ""}
      />
      <div>
        <SubmitButton name="intent" value="propose-ruling" look="quiet">
          {buttons[kind]}
        </SubmitButton>
      </div>
    </Form>
  );
}

function Choices({ says, wasRefused }: { says: PaymentRuling | null; wasRefused: boolean }) {
  return (
    <>
      <ChoiceField
        name="says"
        label="What it was"
        choices={paymentRulings.map((value) => ({ value, label: rulingWords[value] }))}
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
