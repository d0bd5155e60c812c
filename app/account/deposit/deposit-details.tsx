import { data, Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { formatFileSize } from "#app/ui/figures/format-file-size.ts";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Worth } from "#app/ui/figures/worth.tsx";
import { StoredPrice } from "#app/ui/market/stored-price.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { Timeline, type TimelineEvent } from "#app/ui/page/timeline.tsx";
import { type Claimed, isClaimed } from "#core/payments/deposit.ts";
import { formatDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { findDeposit } from "#server/deposits/find-deposit.ts";
import type { Deposit } from "#server/deposits/select-deposits.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findStoredPrice } from "#server/markets/find-stored-price.ts";
import type { Route } from "./+types/deposit-details";
import styles from "./deposit-details.module.css";

export const meta = titled("Deposit");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id } = context.get(customerContext);
  const deposit = await findDeposit(db, id, params.depositId);
  if (!deposit) throw data(null, { status: 404, statusText: "Not Found" });
  return { deposit, price: deposit.priceId && (await findStoredPrice(db, deposit.priceId)) };
}

export default function DepositDetails({ loaderData }: Route.ComponentProps) {
  const { deposit, price } = loaderData;
  const { quantityUnits: units, asset: coin } = deposit;
  return (
    <>
      <PageHeader
        title={
          <>
            {deposit.method} deposit{" "}
            {deposit.usdCents === null ? null : (
              <>
                of <Usd cents={deposit.usdCents} />
              </>
            )}
          </>
        }
        description={<StatusBadge status={deposit.status} />}
        actions={
          <>
            <ButtonLink
              to={`/account/messages/new?about=deposit:${deposit.depositId}`}
              look="quiet"
            >
              Write to us
            </ButtonLink>
            <ButtonLink to="/account/deposit" look="quiet">
              All deposits
            </ButtonLink>
          </>
        }
      />
      {deposit.rejectionReason ? (
        <div className={styles.reason}>
          <Notice tone="error" title="This deposit was rejected" role="status">
            {deposit.rejectionReason}
          </Notice>
        </div>
      ) : null}
      {deposit.state === "orphaned" || deposit.state === "reversed" ? (
        <div className={styles.reason}>
          <TakenBack deposit={deposit} />
        </div>
      ) : null}
      <div className={styles.columns}>
        <div className={styles.column}>
          <Panel title="The numbers">
            <Numbers deposit={deposit} />
          </Panel>
          <Panel title="What happened">
            <Timeline events={eventsOf(deposit)} />
          </Panel>
        </div>
        {isClaimed(deposit) ? (
          <Panel title="Payment slip">
            <SlipView deposit={deposit} />
          </Panel>
        ) : null}
        {units === null ? null : (
          <div className={styles.wide}>
            <StoredPrice units={units} coin={coin} price={price || null} />
          </div>
        )}
      </div>
    </>
  );
}

function TakenBack({ deposit }: { deposit: Deposit }) {
  const isDone = deposit.state === "reversed";
  return (
    <Notice
      tone="error"
      title={isDone ? "We reversed this credit" : "We have to reverse this credit"}
      role="status"
    >
      {deposit.mistake === null ? <Lost deposit={deposit} /> : <Mistake deposit={deposit} />}
    </Notice>
  );
}

function Lost({ deposit: { state, resolvedAs } }: { deposit: Deposit }) {
  const isDone = state === "reversed";
  if (resolvedAs === "operators") {
    return isDone
      ? "The payment was our own and not meant for you."
      : "The payment was our own and not meant for you. You had used part of the coins. We hold what was left, and take the rest from coins that arrive later.";
  }
  return isDone
    ? "The network replaced the block of this payment with one that does not contain it. If the payment confirms again, we credit it as a new deposit."
    : "The network replaced the block of this payment with one that does not contain it. You had used part of the coins, and we hold what was left. If the payment confirms again, all of it is yours again.";
}

function Mistake({ deposit: { state, mistake } }: { deposit: Deposit }) {
  return (
    <>
      We approved this deposit by mistake: {mistake}{" "}
      {state === "reversed"
        ? "If you made this payment, declare the deposit again."
        : "You had used part of the coins. We hold what was left, and take the rest from coins that arrive later."}
    </>
  );
}

function Numbers({ deposit }: { deposit: Deposit }) {
  const { usdCents, claimedUsdCents, quantityUnits, transferId } = deposit;
  const corrected = claimedUsdCents !== null && usdCents !== claimedUsdCents;
  return (
    <Facts
      facts={[
        { label: "Amount", value: <Worth cents={usdCents} /> },
        corrected && { label: "Claimed", value: <Usd cents={claimedUsdCents} /> },
        { label: "Method", value: deposit.method },
        {
          label: "Credited",
          value:
            quantityUnits !== null && transferId !== null ? (
              <span className={styles.credited}>
                <Amount units={quantityUnits} asset={deposit.asset} />
                <Hallmark
                  to={`/account/evidence/${transferId}`}
                  label="The ledger's entries behind this deposit"
                />
              </span>
            ) : (
              <span className={styles.credited}>
                Nothing yet
                <Hallmark reason={uncreditedReason[deposit.state]} />
              </span>
            ),
        },
        deposit.txid !== null && {
          label: "Transaction",
          value: <CopyField text={deposit.txid} label="transaction id" short />,
        },
        deposit.outputIndex !== null &&
          deposit.method === "Bitcoin" && { label: "Output", value: deposit.outputIndex },
        deposit.confirmations !== null && {
          label: "Confirmations",
          term: "confirmations",
          value: deposit.finalized
            ? `${deposit.confirmations}, and its block was final`
            : `credited after ${deposit.confirmations}`,
        },
        deposit.reversalId !== null && {
          label: "Reversed",
          value: <Link to={`/account/evidence/${deposit.reversalId}`}>The ledger's entries</Link>,
        },
        { label: "Date", value: formatDay(deposit.declaredOn) },
        { label: "ID", value: <CopyField text={deposit.depositId} label="deposit id" short /> },
      ]}
    />
  );
}

const uncreditedReason = {
  pending: "the deposit has not been reviewed yet",
  approved: "the deposit has not been reviewed yet",
  rejected: "the deposit was rejected",
  orphaned: "the credit has to be reversed",
  reversed: "the credit was reversed",
};

function eventsOf(deposit: Deposit): TimelineEvent[] {
  const { createdAt: at, claimedUsdCents, method } = deposit;
  const begun: TimelineEvent =
    claimedUsdCents === null
      ? { title: "Seen on chain, at your own address", at, tone: "plain" }
      : {
          title: "Declared, with the slip",
          at,
          tone: "plain",
          body: (
            <>
              <Usd cents={claimedUsdCents} /> by {method}
            </>
          ),
        };
  return [begun, ...outcomeOf(deposit), ...endOf(deposit)];
}

function outcomeOf(deposit: Deposit): TimelineEvent[] {
  const { reviewedAt: at, quantityUnits, confirmations } = deposit;
  if (deposit.state === "pending") {
    const body =
      "Our staff compare the slip with what arrived, or we match the payment automatically. We e-mail you when it is approved or rejected.";
    return [{ title: "Waiting for review", tone: "waiting", body }];
  }
  if (deposit.state === "rejected") {
    return [{ title: "Rejected", at, tone: "bad", body: deposit.rejectionReason }];
  }
  const approved: TimelineEvent =
    confirmations === null
      ? {
          title: "Approved by our staff, who compared it with the transaction",
          at,
          tone: "good",
          body: <Correction deposit={deposit} />,
        }
      : {
          title: deposit.finalized ? "Its block is final" : `Confirmed by ${confirmations} blocks`,
          at,
          tone: "good",
        };
  const body = <Amount units={quantityUnits ?? 0n} asset={deposit.asset} />;
  return [approved, { title: "Credited", at, tone: "good", body }];
}

function Correction({ deposit: { usdCents, claimedUsdCents } }: { deposit: Deposit }) {
  if (usdCents === null || usdCents === claimedUsdCents) return null;
  return (
    <>
      The slip shows <Usd cents={usdCents} />, which replaces the amount you declared.
    </>
  );
}

function endOf({ state, orphanedAt: at, mistake, resolvedAs }: Deposit): TimelineEvent[] {
  const cause = mistake
    ? "approved by mistake"
    : resolvedAs === "operators"
      ? "the payment was our own"
      : "its block left the chain";
  if (state === "reversed") return [{ title: `Reversed: ${cause}`, at, tone: "bad" }];
  if (state !== "orphaned") return [];
  return [{ title: `To be reversed: ${cause}`, at, tone: "bad" }];
}

function SlipView({ deposit }: { deposit: Claimed<Deposit> }) {
  const path = `/account/deposit/${deposit.depositId}/slip`;
  return (
    <>
      {deposit.slipMediaType === "image/jpeg" ? (
        <a href={path} target="_blank" rel="noreferrer">
          <img className={styles.slip} src={path} alt="The payment slip" loading="lazy" />
        </a>
      ) : null}
      <Facts
        facts={[
          {
            label: "File",
            value: (
              <a href={path} target="_blank" rel="noreferrer">
                {deposit.slipName}
              </a>
            ),
          },
          { label: "Size", value: formatFileSize(deposit.slipByteSize) },
          { label: "Received", value: <When at={deposit.createdAt} /> },
          {
            label: "SHA-256",
            value: <CopyField text={deposit.slipSha256 ?? ""} label="SHA-256 of the slip" short />,
          },
        ]}
      />
    </>
  );
}
