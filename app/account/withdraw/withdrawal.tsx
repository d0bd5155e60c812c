import { Button } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { flash } from "#app/ui/flash.ts";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Hallmark } from "#app/ui/hallmark.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Timeline } from "#app/ui/timeline.tsx";
import { When } from "#app/ui/when.tsx";
import { Refusal } from "#core/refusal.ts";
import {
  cancellableStates,
  leavesOn,
  standingHold,
  withdrawalStateWords,
} from "#core/withdrawal.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { cancelWithdrawal } from "#server/withdrawals/cancel-withdrawal.ts";
import { findWithdrawal, type WithdrawalCase } from "#server/withdrawals/queries.ts";
import type { Route } from "./+types/withdrawal";
import { eventsOf } from "./events.tsx";
import { toneOf } from "./tones.ts";
import styles from "./withdraw.module.css";

export const meta = titled("Withdrawal");

const notFound = () => data(null, { status: 404, statusText: "Not Found" });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const withdrawal = await findWithdrawal(db, { withdrawalId: params.withdrawalId, customerId });
  if (!withdrawal) throw notFound();
  return { withdrawal, now: now() };
}

/** Cancels. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const browser = { ipAddress, userAgent: request.headers.get("user-agent") };
  const { withdrawalId } = params;
  try {
    await cancelWithdrawal(db, { customerId, withdrawalId, browser }, now());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "withdrawals/not-found") throw notFound();
    return data({ fault: "It is in a batch already and cannot be cancelled any more." }, 409);
  }
  return redirect(`/account/withdraw/${withdrawalId}`, {
    headers: { "Set-Cookie": await flash("withdrawal-cancelled") },
  });
}

export default function WithdrawalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { withdrawal, now } = loaderData;
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
          <Button component={Link} to="/account/withdraw" variant="default">
            All withdrawals
          </Button>
        }
      />
      {reason ? (
        <div className={styles.reason}>
          <Notice
            tone="error"
            title={state === "rejected" ? "This withdrawal was rejected" : "It could not leave"}
            role="status"
          >
            <div>{reason}</div>
            <div>The whole amount is available in your balance again.</div>
          </Notice>
        </div>
      ) : null}
      {hold ? (
        <div className={styles.reason}>
          <Notice tone="warning" title="This withdrawal is held">
            <div>{hold.reason}</div>
            <div>
              The hold was placed by {hold.owner} of our staff and ends by itself on{" "}
              <When at={hold.endsAt} plain />.
            </div>
          </Notice>
        </div>
      ) : null}
      {state === "requested" ? (
        <div className={styles.reason}>
          <Notice title="Confirm it by mail">
            We sent you a mail with a link that shows address and amount. Follow it before{" "}
            <When at={withdrawal.confirmBy} plain />; after that the withdrawal is cancelled by
            itself.
          </Notice>
        </div>
      ) : null}
      <div className={styles.columns}>
        <Panel title="The numbers">
          <Numbers withdrawal={withdrawal} leaves={leaves} />
        </Panel>
        <div className={styles.stack}>
          <Panel title="What happened">
            <Timeline events={eventsOf(withdrawal, leaves)} />
          </Panel>
          {cancellableStates.includes(state) ? <Cancel fault={actionData?.fault} /> : null}
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
                label="The journal's entries behind this withdrawal"
              />
            </>
          ),
        },
        { label: "Our fee, taken from it", value: <Amount units={feeUnits} asset={asset} /> },
        { label: "Arrives", value: <Amount units={units - feeUnits} asset={asset} /> },
        usdCents !== null && { label: "Worth when asked for", value: <Usd cents={usdCents} /> },
        { label: "Address", value: <CopyField text={address} label="address" /> },
        txid !== null && {
          label: "Transaction",
          value: <CopyField text={txid} label="transaction id" />,
        },
        !endedAt && !broadcastAt && { label: "Leaves on", value: `${leaves} (UTC day)` },
        { label: "ID", value: <CopyField text={id} label="withdrawal id" /> },
      ]}
    />
  );
}

function Cancel({ fault }: { fault: string | undefined }) {
  return (
    <Panel title="Cancel">
      <Form method="post" preventScrollReset className={styles.form}>
        <FormAlert errors={fault ? [fault] : null} />
        <p className={styles.note}>
          Until it is in a batch you can take it back. The whole amount is available again at once.
        </p>
        <div>
          <SubmitButton variant="outline" color="brick" pendingText="Cancelling…">
            Cancel this withdrawal
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
