import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import phone from "#app/ui/tables/phone-columns.module.css";
import { healthTexts } from "#core/payments/source-health.ts";
import { chainNames } from "#core/wallet/wallet-terms.ts";
import type { listIncidents } from "#server/chain/list-incidents.ts";
import type { listReorgs } from "#server/chain/list-reorgs.ts";
import type { Needed } from "#server/chain/payment.ts";
import type { listReversals } from "#server/deposits/list-reversals.ts";
import type {
  PaymentForStaff,
  RefusedPayments,
} from "#server/deposits/payments/list-payments-for-staff.ts";
import type { PaymentResolutionRow } from "#server/deposits/payments/list-resolutions.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { confirmationsOf, PaymentState } from "./payment-state.tsx";
import { refusalWords, resolutionWords } from "./payment-words.ts";
import { ShortTxid } from "./short-txid.tsx";

type Payment = PaymentForStaff & { needed: Needed; isConfirmed: boolean };
type Refused = RefusedPayments & { isAsked: boolean };

export function PaymentTable({ payments }: { payments: Payment[] }) {
  if (payments.length === 0) {
    return <p className={styles.empty}>Nothing has arrived at a customer's own address yet.</p>;
  }
  return (
    <ConsoleTable
      label="Payments seen"
      bare
      rows={payments}
      columns={[
        {
          head: "Customer",
          cell: (payment) => (
            <>
              <Link to={`/operator/customers/${payment.customerId}`} className={styles.link}>
                {payment.customerFirstName} {payment.customerLastName}
              </Link>
              <div className={phone.narrow}>
                <StateLink payment={payment} />
              </div>
            </>
          ),
        },
        {
          head: "Quantity",
          kind: "number",
          cell: (payment) => <Amount units={payment.units} asset={payment.asset} />,
        },
        {
          head: "State",
          className: phone.wide,
          cell: (payment) => <StateLink payment={payment} />,
        },
        {
          head: "Confirmations",
          kind: "number",
          className: phone.wide,
          cell: (payment) => confirmationsOf(payment) ?? "–",
        },
        { head: "First seen", className: phone.wide, value: "seenAt" },
        {
          head: "Transaction",
          to: (payment) => `/operator/chain/payments/${payment.id}`,
          cell: (payment) => (
            <ShortTxid
              txid={payment.txid}
              output={payment.chain === "bitcoin" ? payment.outputIndex : null}
            />
          ),
        },
      ]}
    />
  );
}

/** To the deposit that it became, or else to the payment. */
function StateLink({ payment }: { payment: Payment }) {
  const { id, state, settledAt, depositId } = payment;
  const isDeposit = state === "mined" && settledAt !== null && depositId !== null;
  const to = isDeposit ? `/operator/deposits/${depositId}` : `/operator/chain/payments/${id}`;
  return (
    <Link to={to} className={styles.plain}>
      <PaymentState payment={payment} />
    </Link>
  );
}

/** Payments that cannot be credited, one line for each address and reason. */
export function RefusedTable({ refused }: { refused: Refused[] }) {
  return (
    <ConsoleTable
      label="Payments that cannot be credited, oldest first"
      bare
      rows={refused}
      rowKey={(each) => each.paymentId}
      columns={[
        {
          head: "Customer",
          cell: (each) => (
            <>
              <Link to={`/operator/chain/payments/${each.paymentId}`} className={styles.link}>
                {each.customerFirstName} {each.customerLastName}
              </Link>
              <div className={phone.narrow}>
                <WhyRefused refused={each} />
              </div>
            </>
          ),
        },
        { head: "Payments", kind: "number", className: phone.wide, value: "payments" },
        {
          head: "Quantity",
          kind: "number",
          cell: (each) => (
            <>
              <Amount units={each.units ?? 0n} asset={each.asset} />
              <div className={`${styles.second} ${phone.narrow}`}>
                {each.payments === 1 ? "1 payment" : `${each.payments} payments`}
              </div>
            </>
          ),
        },
        {
          head: "Why",
          kind: "what",
          headClass: phone.wide,
          cellClass: phone.wide,
          cell: (each) => <WhyRefused refused={each} />,
        },
        { head: "Since", className: phone.wide, value: "oldestAt" },
      ]}
    />
  );
}

function WhyRefused({ refused: { refusal, isAsked } }: { refused: Refused }) {
  return (
    <>
      {refusalWords(refusal ?? "")}
      {isAsked ? (
        <div>
          <StatusBadge status="Waits for a colleague" tone="waiting" />
        </div>
      ) : null}
    </>
  );
}

/** What was said of payments and waits for a colleague. */
export function OpenResolutionTable({ resolutions }: { resolutions: PaymentResolutionRow[] }) {
  return (
    <ConsoleTable
      label="Proposals about payments and deposits, oldest first"
      bare
      rows={resolutions}
      rowKey={({ id }) => id}
      columns={[
        {
          head: "Proposed",
          kind: "what",
          cell: ({ paymentId, depositId, says, proposerName, proposedAt }) => (
            <>
              <Link
                to={
                  depositId
                    ? `/operator/deposits/${depositId}`
                    : `/operator/chain/payments/${paymentId}`
                }
                className={styles.link}
              >
                {resolutionWords[says]}
              </Link>
              <div className={`${styles.second} ${phone.narrow}`}>
                {proposerName}, <When at={proposedAt} />
              </div>
            </>
          ),
        },
        {
          head: "Payments",
          kind: "number",
          className: phone.wide,
          cell: ({ depositId, payments }) => (depositId ? "–" : payments),
        },
        {
          head: "Quantity",
          kind: "number",
          cell: ({ depositId, payments, units, asset }) => (
            <>
              <Amount units={units ?? 0n} asset={asset} />
              {depositId ? null : (
                <div className={`${styles.second} ${phone.narrow}`}>
                  {payments === 1 ? "1 payment" : `${payments} payments`}
                </div>
              )}
            </>
          ),
        },
        { head: "By", className: phone.wide, value: "proposerName" },
        { head: "When", className: phone.wide, value: "proposedAt" },
      ]}
    />
  );
}

type Reversal = Awaited<ReturnType<typeof listReversals>>[number];

export function ReversalTable({ label, reversals }: { label: string; reversals: Reversal[] }) {
  return (
    <ConsoleTable
      label={label}
      bare
      rows={reversals}
      rowKey={({ depositId }) => depositId}
      columns={[
        {
          head: "Customer",
          to: ({ depositId }) => `/operator/deposits/${depositId}`,
          cell: ({ customerFirstName, customerLastName }) =>
            `${customerFirstName} ${customerLastName}`,
        },
        {
          head: "Credited",
          kind: "number",
          cell: ({ quantityUnits, asset }) => <Amount units={quantityUnits ?? 0n} asset={asset} />,
        },
        {
          head: "Put aside",
          kind: "number",
          cell: ({ heldUnits, asset }) =>
            heldUnits > 0n ? <Amount units={heldUnits} asset={asset} /> : "–",
        },
        {
          head: "State",
          cell: ({ state }) =>
            state === "orphaned" ? (
              <StatusBadge status="Coins were used" tone="bad" />
            ) : (
              <StatusBadge status="Taken back" tone="plain" />
            ),
        },
        { head: "Since", value: "orphanedAt" },
      ]}
    />
  );
}

export function ReorgTable({ reorgs }: { reorgs: Awaited<ReturnType<typeof listReorgs>> }) {
  if (reorgs.length === 0) return <p className={styles.empty}>No chain reorganisation so far.</p>;
  return (
    <ConsoleTable
      label="Branches, newest first"
      bare
      rows={reorgs}
      columns={[
        { head: "Chain", cell: ({ chain }) => chainNames[chain] },
        { head: "Found", value: "foundAt" },
        { head: "Last common block", kind: "number", value: "forkHeight" },
        {
          head: "Blocks left",
          kind: "number",
          cell: ({ forkHeight, oldHeight }) => oldHeight - forkHeight,
        },
        { head: "Payments in them", kind: "number", value: "payments" },
      ]}
    />
  );
}

export function IncidentTable({
  incidents,
}: {
  incidents: Awaited<ReturnType<typeof listIncidents>>;
}) {
  if (incidents.length === 0) {
    return <p className={styles.empty}>The nodes answered every time.</p>;
  }
  return (
    <ConsoleTable
      label="Incidents, newest first"
      bare
      rows={incidents}
      columns={[
        { head: "Chain", cell: ({ chain }) => chainNames[chain] },
        { head: "What", kind: "what", cell: ({ health }) => healthTexts[health] },
        { head: "From", value: "beganAt" },
        { head: "To", cell: ({ endedAt }) => (endedAt ? <When at={endedAt} /> : "still") },
        { head: "It said", kind: "memo", value: "detail" },
      ]}
    />
  );
}
