import { Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import {
  cancellableStates,
  type ResolutionSays,
  standingHold,
  withdrawalStateWords,
  withdrawalTerms,
} from "#core/payments/withdrawal.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import type { App } from "#server/app-context.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { getKyc } from "#server/kyc/get-kyc.ts";
import { findLeaving } from "#server/personal-data/find-closing.ts";
import { listStandingFlags } from "#server/staff-notes/list-flags.ts";
import { approveWithdrawal, rejectWithdrawal } from "#server/withdrawals/decide-withdrawal.ts";
import { findPaymentException } from "#server/withdrawals/ethereum/find-payment-exception.ts";
import {
  decideResolution,
  proposeResolution,
} from "#server/withdrawals/ethereum/resolve-payment.ts";
import { findWithdrawal, type WithdrawalCase } from "#server/withdrawals/find-withdrawal.ts";
import { liftHold, placeHold } from "#server/withdrawals/hold-withdrawal.ts";
import { findNextWithdrawal } from "#server/withdrawals/list-withdrawal-queue.ts";
import { PlainForm } from "../parts/act-form.tsx";
import { CasePage } from "../parts/case-page.tsx";
import { Folded } from "../parts/folded.tsx";
import { MayLink } from "../parts/may-link.tsx";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import { PaymentExceptionNotice, PaymentExceptionPanel } from "./payment-exception.tsx";
import { WithdrawalBadge } from "./withdrawal-badge.tsx";
import styles from "./withdrawals.module.css";

export const middleware = guard("withdrawals/read", {
  approve: "withdrawals/approve",
  reject: "withdrawals/reject",
  hold: "withdrawals/place-hold",
  lift: "withdrawals/lift-hold",
  "propose-resolution": "withdrawals/propose-resolution",
  "confirm-resolution": "withdrawals/confirm-resolution",
  "decline-resolution": "withdrawals/decline-resolution",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const whose = loaderData?.withdrawal.customerName;
  return [{ title: `Withdrawal of ${whose} · ${matches[0].loaderData.siteName}` }];
}
export const handle = {
  keys: [
    { key: "a", does: "approve", needs: "withdrawals/approve" },
    { key: "r", does: "reject", needs: "withdrawals/reject" },
    { key: "n", does: "next that waits" },
    { key: "q", does: "queue" },
  ],
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const at = now();
  const withdrawal = await findWithdrawal(db, { withdrawalId: params.withdrawalId });
  if (!withdrawal) throw notFound();
  const { customerId, id } = withdrawal;
  const [flags, nextId, { level, residence }, exception, leaving] = await Promise.all([
    listStandingFlags(db, customerId, at),
    findNextWithdrawal(db, id),
    getKyc(db, customerId, at),
    findPaymentException(db, id),
    withdrawal.isFinal ? findLeaving(db, customerId) : null,
  ]);
  const operatorId = operator.id;
  const country = residence?.country ?? null;
  const isLeaving = leaving !== null;
  return { withdrawal, flags, nextId, level, country, exception, isLeaving, operatorId, now: at };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const reason = String(form.get("reason") ?? "").replaceAll("\0", "");
  const day = String(form.get("day") ?? "");
  const { withdrawalId } = params;
  const resolution = {
    resolutionId: String(form.get("resolutionId") ?? ""),
    txid: String(form.get("txid") ?? ""),
    says: form.get("says") === "paid" ? ("paid" as const) : ("undelivered" as const),
  };
  const holdId = String(form.get("holdId") ?? "");
  const wanted = { withdrawalId, intent, reason, day, holdId, ...resolution };
  return runAct(
    async () => ({
      to: `/operator/withdrawals/${withdrawalId}`,
      say: await decide(app, operator, wanted),
    }),
    (said) => ({ intent, reason, day, fault: said.text }),
    sayRefusal,
  );
}

interface Wanted {
  withdrawalId: string;
  intent: string;
  reason: string;
  day: string;
  /** Which hold ends. */
  holdId: string;
  /** Of a payment exception: which resolution is decided, or what is said of which transaction. */
  resolutionId: string;
  txid: string;
  says: ResolutionSays;
}

async function decide(
  { db, now }: App,
  operator: ActingOperator,
  { withdrawalId, intent, reason, day, holdId, resolutionId, txid, says }: Wanted,
): Promise<FlashKey> {
  const at = now();
  switch (intent) {
    case "propose-resolution":
      await proposeResolution(db, operator, { withdrawalId, txid, says, reason }, at);
      return "resolution-proposed";
    case "confirm-resolution":
      await decideResolution(db, operator, { withdrawalId, resolutionId, into: "confirmed" }, at);
      return "resolution-confirmed";
    case "decline-resolution":
      await decideResolution(db, operator, { withdrawalId, resolutionId, into: "declined" }, at);
      return "resolution-declined";
    case "approve":
      await approveWithdrawal(db, operator, withdrawalId, at);
      return "withdrawal-approved";
    case "reject":
      await rejectWithdrawal(db, operator, { withdrawalId, reason }, at);
      return "withdrawal-rejected";
    case "hold": {
      const endsAt = new Date(`${day}T00:00:00Z`);
      await placeHold(db, operator, { withdrawalId, reason, endsAt }, at);
      return "withdrawal-held";
    }
    default:
      await liftHold(db, operator, { withdrawalId, holdId }, at);
      return "withdrawal-hold-lifted";
  }
}

type Answer = Pick<Wanted, "intent" | "reason" | "day"> & { fault: string };

export default function WithdrawalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { withdrawal, flags, nextId, exception, operatorId, now } = loaderData;
  const answer = actionData as Answer | undefined;
  return (
    <CasePage
      title={
        <>
          Withdrawal of <Amount units={withdrawal.units} asset={withdrawal.asset} plain />
        </>
      }
      description={withdrawal.customerName}
      queue="/operator/withdrawals"
      nextId={nextId}
      flags={{ standing: flags, customerId: withdrawal.customerId }}
    >
      {exception && !exception.endedAt ? <PaymentExceptionNotice fault={exception.fault} /> : null}
      {withdrawal.waitsForCredit ? (
        <Notice tone="warning" title="It does not leave">
          A credit of {withdrawal.asset} has to be taken back from this customer.{" "}
          {withdrawal.batchId === null
            ? "Rejected, what this withdrawal holds is used for that first."
            : "Build its batch again without it."}
        </Notice>
      ) : null}
      {withdrawal.isRefused ? (
        <Notice tone="warning" title="It does not leave">
          The contract at this address refused ether that we sent before. Reject the withdrawal: the
          customer can withdraw to another address.
        </Notice>
      ) : null}
      {withdrawal.failedAt ? (
        <Notice tone="warning" title="It would fail">
          When a batch was formed, <When at={withdrawal.failedAt} />, the node said that this
          payment would fail, or use more than 100,000 gas. It stayed out. Check the address; if it
          cannot take the payment, reject the withdrawal with the reason.
        </Notice>
      ) : null}
      <div className={layout.case} key={withdrawal.id}>
        <CaseFacts data={loaderData} />
        <div className={layout.stack}>
          {exception ? (
            <PaymentExceptionPanel exception={exception} operatorId={operatorId} answer={answer} />
          ) : null}
          {exception ? null : <Decide withdrawal={withdrawal} answer={answer} />}
          <Holds withdrawal={withdrawal} now={now} answer={answer} />
        </div>
      </div>
    </CasePage>
  );
}

function CaseFacts({
  data: { withdrawal, level, country, exception, isLeaving, now },
}: {
  data: Route.ComponentProps["loaderData"];
}) {
  const { customerId, units, feeUnits, asset, usdCents, state } = withdrawal;
  const hold = standingHold(withdrawal, now);
  return (
    <Panel title="What is asked for">
      <Facts
        facts={[
          {
            label: "Customer",
            value: (
              <MayLink needs="customers/read" to={`/operator/customers/${customerId}`}>
                {withdrawal.customerName}
              </MayLink>
            ),
          },
          { label: "E-mail", value: withdrawal.customerEmail },
          { label: "Level", value: country ? `${level}, ${country}` : level },
          {
            label: "State",
            value: (
              <WithdrawalBadge
                state={state}
                heldUntil={hold?.endsAt ?? null}
                isException={exception?.endedAt === null}
              />
            ),
          },
          { label: "From the balance", value: <Amount units={units} asset={asset} /> },
          { label: "Our fee", value: <Amount units={feeUnits} asset={asset} /> },
          { label: "Arrives", value: <Amount units={units - feeUnits} asset={asset} /> },
          usdCents !== null && { label: "Worth then", value: <Usd cents={usdCents} /> },
          withdrawal.isFinal && {
            label: "Kind",
            value: isLeaving
              ? "Final payment, the account is closing"
              : "Final payment, and the customer kept the account",
          },
          { label: "Address", value: <code className={layout.fine}>{withdrawal.address}</code> },
          { label: "Asked for", value: withdrawal.requestedAt },
          { label: "Confirmed by mail", value: withdrawal.confirmedAt },
          { label: "Leaves on", value: `${withdrawal.dueOn} (UTC)` },
          withdrawal.batchId !== null && {
            label: "Batch",
            value: (
              <Link to={`/operator/withdrawals/batches/${withdrawal.batchId}`}>
                {withdrawal.batchDay}
              </Link>
            ),
          },
          withdrawal.txid !== null && {
            label: "Transaction",
            value: <code className={layout.fine}>{withdrawal.txid}</code>,
          },
          { label: "Reason", value: withdrawal.reason },
        ]}
      />
    </Panel>
  );
}

const faultOf = (answer: Answer | undefined, intent: string) =>
  answer?.intent === intent ? answer : null;

interface PartProps {
  withdrawal: WithdrawalCase;
  answer: Answer | undefined;
}

function Decide({ withdrawal, answer }: PartProps) {
  const may = useMay();
  const { state } = withdrawal;
  if (!cancellableStates.includes(state)) {
    return (
      <Panel title="Decision">
        <p className={layout.note}>{`${withdrawalStateWords[state]}: nothing is to be decided.`}</p>
      </Panel>
    );
  }
  const fault = faultOf(answer, "approve");
  return (
    <>
      {state === "requested" ? (
        <Notice title="Its customer has to confirm it by mail first" />
      ) : null}
      {state === "confirmed" && may("withdrawals/approve") ? (
        <Panel title="Approve">
          <Form method="post" preventScrollReset className={layout.form}>
            <FormAlert errors={fault ? [fault.fault] : null} />
            <p className={layout.note}>
              It then goes into the batch of its day. Its customer can still cancel until that is
              formed.
            </p>
            <div>
              <SubmitButton name="intent" value="approve" pendingText="Approving…" data-key="a">
                Approve
              </SubmitButton>
            </div>
          </Form>
        </Panel>
      ) : null}
      {state === "confirmed" && !may("withdrawals/approve") ? (
        <Notice title="Waits for an approver">
          Your role sees this case; approving and rejecting is for others.
        </Notice>
      ) : null}
      {may("withdrawals/reject") ? <Reject answer={answer} /> : null}
    </>
  );
}

function Reject({ answer }: { answer: Answer | undefined }) {
  const fault = faultOf(answer, "reject");
  return (
    <Folded title="Reject" look="grave" open={fault !== null}>
      <PlainForm
        intent="reject"
        fault={fault?.fault}
        button="Reject and tell the customer"
        tone="danger"
      >
        <TextArea
          name="reason"
          label="Reason"
          description="The customer reads it; the amount is available to them again"
          rows={3}
          required
          maxLength={withdrawalTerms.reasonMax}
          defaultValue={fault?.reason ?? ""}
          data-key="r"
        />
      </PlainForm>
    </Folded>
  );
}

function Holds({ withdrawal, now, answer }: PartProps & { now: Date }) {
  const may = useMay();
  const { holds, state } = withdrawal;
  const standing = standingHold(withdrawal, now);
  const canHold = cancellableStates.includes(state) && !standing && may("withdrawals/place-hold");
  const fault = faultOf(answer, "hold");
  return (
    <Panel title="Holds">
      {holds.length === 0 ? <p className={layout.note}>None.</p> : null}
      {holds.map(({ id, reason, ownerName, placedAt, endsAt, liftedAt }) => (
        <Facts
          key={id}
          facts={[
            { label: "Reason", value: reason },
            { label: "Placed by", value: ownerName },
            { label: "From", value: placedAt },
            { label: liftedAt ? "Ended early" : "Ends", value: liftedAt ?? endsAt },
          ]}
        />
      ))}
      {standing && may("withdrawals/lift-hold") ? (
        <div className={styles.next}>
          <PlainForm
            intent="lift"
            hidden={{ holdId: standing.id }}
            button="End the hold now"
            tone="plain"
          />
        </div>
      ) : null}
      {canHold ? (
        <div className={styles.next}>
          <Folded title="Hold it" look="card" open={fault !== null}>
            <PlainForm
              intent="hold"
              fault={fault?.fault}
              button="Hold and tell the customer"
              tone="plain"
            >
              <TextField
                type="date"
                name="day"
                label="Until"
                description="00:00 UTC of that day. It ends automatically, within 30 days"
                required
                min={addDays(utcDay(now), 1)}
                max={addDays(utcDay(now), withdrawalTerms.holdDays)}
                defaultValue={fault?.day ?? addDays(utcDay(now), 2)}
              />
              <TextArea
                name="reason"
                label="Why"
                description="The customer reads it, with your first name"
                rows={2}
                required
                maxLength={withdrawalTerms.reasonMax}
                defaultValue={fault?.reason ?? ""}
              />
            </PlainForm>
          </Folded>
        </div>
      ) : null}
    </Panel>
  );
}
