import { data, Form } from "react-router";
import { runAct, sayFrom } from "#app/run-act.ts";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
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
import { Timeline } from "#app/ui/page/timeline.tsx";
import {
  cancellableStates,
  chainOf,
  leavesOn,
  standingHold,
  type WithdrawalState,
  withdrawalStateWords,
} from "#core/payments/withdrawal.ts";
import { formatDay } from "#core/utc-day.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { findPosition } from "#server/chain/find-position.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { cancelWithdrawal } from "#server/withdrawals/cancel-withdrawal.ts";
import { findWithdrawal, type WithdrawalCase } from "#server/withdrawals/find-withdrawal.ts";
import { cancelling } from "../refusals/withdrawals.ts";
import type { Route } from "./+types/withdrawal";
import { eventsOf } from "./events.tsx";
import { toneOf } from "./tones.ts";
import { Tracker } from "./tracker.tsx";
import styles from "./withdraw.module.css";

export const meta = titled("Withdrawal");
export const shouldRevalidate = readAfterConflict;

const notFound = () => data(null, { status: 404, statusText: "Not Found" });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const withdrawal = await findWithdrawal(db, { withdrawalId: params.withdrawalId, customerId });
  if (!withdrawal) throw notFound();
  const position =
    withdrawal.state === "broadcast" ? await findPosition(db, chainOf[withdrawal.asset]) : null;
  return { withdrawal, tipHeight: position?.height ?? null, now: now() };
}

/** Cancels. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const browser = { ipAddress, userAgent: request.headers.get("user-agent") };
  const { withdrawalId } = params;
  return runAct(
    async () => {
      await cancelWithdrawal(db, { customerId, withdrawalId, browser }, now());
      return { to: `/account/withdraw/${withdrawalId}`, say: "withdrawal-cancelled" };
    },
    (said) => ({ fault: said.text }),
    sayFrom(cancelling),
  );
}

export default function WithdrawalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { withdrawal, tipHeight, now } = loaderData;
  const { state, reason, units, asset } = withdrawal;
  const hold = standingHold(withdrawal, now);
  const leaves = leavesOn({ ...withdrawal, heldUntil: hold?.endsAt ?? null }, now);
  return (
    <>
      <PageHeader
        title={
          <>
            Withdrawal of <Amount units={units} asset={asset} plain />
          </>
        }
        description={
          hold ? (
            <StatusBadge status="Held" tone="waiting" />
          ) : (
            <StatusBadge status={withdrawalStateWords[state]} tone={toneOf(state)} />
          )
        }
        actions={
          <>
            <ButtonLink to={`/account/messages/new?about=withdrawal:${withdrawal.id}`} look="quiet">
              Write to us
            </ButtonLink>
            <ButtonLink to="/account/withdraw" look="quiet">
              All withdrawals
            </ButtonLink>
          </>
        }
      />
      {reason ? (
        <div>
          <Notice
            tone="error"
            title={
              state === "rejected"
                ? "This withdrawal was rejected"
                : "We could not send this withdrawal"
            }
            role="status"
          >
            <div>{reason}</div>
            <div>The whole amount is available in your balance again.</div>
          </Notice>
        </div>
      ) : null}
      {hold ? (
        <div>
          <Notice tone="warning" title="This withdrawal is held">
            <div>{hold.reason}</div>
            <div>
              {hold.owner} of our staff placed the hold. It ends automatically on{" "}
              <When at={hold.endsAt} plain />.
            </div>
          </Notice>
        </div>
      ) : null}
      {withdrawal.waitsForCredit ? (
        <div>
          <Notice tone="warning" title="This withdrawal waits">
            We have to take back a credit of {asset} from your account. Until that is done no{" "}
            {asset} can leave. The page of that deposit says why.
            {cancellableStates.includes(state)
              ? " If you cancel this withdrawal, what it holds is used for that first."
              : null}
          </Notice>
        </div>
      ) : null}
      {withdrawal.isRefused ? (
        <div>
          <Notice tone="warning" title="This withdrawal does not leave">
            The contract at this address refused ether that we sent before. Cancel this withdrawal,
            and withdraw to another address.
          </Notice>
        </div>
      ) : null}
      {state === "requested" ? (
        <div>
          <Notice title="Confirm it by e-mail">
            We sent you an e-mail with a link that shows address and amount. Follow it before{" "}
            <When at={withdrawal.confirmBy} plain />; after that we cancel the withdrawal.
          </Notice>
        </div>
      ) : null}
      <div className={styles.tracked}>
        <Tracker withdrawal={withdrawal} tipHeight={tipHeight} />
      </div>
      <div className={styles.columns}>
        <Panel title="Amounts">
          <Numbers withdrawal={withdrawal} leaves={leaves} />
        </Panel>
        <div className={layout.stack}>
          <Panel title="What happened">
            <Timeline events={eventsOf(withdrawal, leaves)} />
          </Panel>
          <Cancel state={state} fault={actionData?.fault} />
        </div>
      </div>
    </>
  );
}

function Numbers({ withdrawal, leaves }: { withdrawal: WithdrawalCase; leaves: string }) {
  const { units, feeUnits, asset, usdCents, address, txid, id, endedAt, broadcastAt } = withdrawal;
  return (
    <Facts
      facts={[
        {
          label: "From the balance",
          value: (
            <>
              <Amount units={units} asset={asset} />{" "}
              <Hallmark
                to={`/account/evidence/${withdrawal.endTransferId ?? withdrawal.requestTransferId}`}
                label="The ledger's entries behind this withdrawal"
              />
            </>
          ),
        },
        { label: "Our fee, deducted", value: <Amount units={feeUnits} asset={asset} /> },
        { label: "Arrives", value: <Amount units={units - feeUnits} asset={asset} /> },
        usdCents !== null && { label: "Worth when requested", value: <Usd cents={usdCents} /> },
        { label: "Address", value: <CopyField text={address} label="address" /> },
        txid !== null && {
          label: "Transaction",
          value: <CopyField text={txid} label="transaction id" short />,
        },
        !endedAt && !broadcastAt && { label: "Leaves on", value: `${formatDay(leaves)} (UTC day)` },
        { label: "ID", value: <CopyField text={id} label="withdrawal id" short /> },
      ]}
    />
  );
}

function Cancel({ state, fault }: { state: WithdrawalState; fault: string | undefined }) {
  return (
    <>
      <FormAlert errors={fault ? [fault] : null} />
      {cancellableStates.includes(state) ? (
        <Panel title="Cancel">
          <Form method="post" preventScrollReset className={layout.form}>
            <p className={styles.note}>
              You can cancel until it is in a batch. The whole amount is available again at once.
            </p>
            <div>
              <SubmitButton look="outline" tone="brick" pendingText="Cancelling…">
                Cancel this withdrawal
              </SubmitButton>
            </div>
          </Form>
        </Panel>
      ) : null}
    </>
  );
}
