import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Age, When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { type AdjustmentKind, adjustmentKindWords, feeCoinOf } from "#core/payments/adjustments.ts";
import type { AdjustmentCase } from "#server/adjustments/find-adjustment.ts";
import { MayLink } from "../parts/may-link.tsx";
import styles from "./adjustments.module.css";

interface CaseFactsProps {
  adjustment: AdjustmentCase;
  /** What it takes back. */
  original: AdjustmentCase | null;
  now: Date;
}

/** What is proposed, by whom and why. */
export function CaseFacts({ adjustment, original, now }: CaseFactsProps) {
  const { customerId, customerName, customerEmail, reversalId, reversalState } = adjustment;
  return (
    <Panel
      title="Proposal"
      aside={<StatusBadge status={stateWord(adjustment)} tone={toneOf(adjustment)} />}
    >
      <Facts
        facts={[
          {
            label: "Amount",
            value: <Amount units={adjustment.units} asset={adjustment.asset} />,
          },
          { label: "From and to", value: direction(adjustment, original) },
          customerId !== null && {
            label: "Customer",
            value: (
              <span className={layout.inline}>
                <MayLink needs="customers/read" to={`/operator/customers/${customerId}`}>
                  {customerName}
                </MayLink>
                {customerEmail}
              </span>
            ),
          },
          original !== null && {
            label: "Takes back",
            value: (
              <Link to={`/operator/adjustments/${original.id}`}>
                {adjustmentKindWords[original.kind]}: {original.reason}
              </Link>
            ),
          },
          reversalId !== null && {
            label: reversalState === "approved" ? "Taken back by" : "To be taken back",
            value: <Link to={`/operator/adjustments/${reversalId}`}>the reversal</Link>,
          },
          {
            label: customerId === null ? "Reason" : "Reason, for the customer",
            value: <p className={styles.words}>{adjustment.reason}</p>,
          },
          adjustment.note !== "" && {
            label: "Note for colleagues",
            value: <p className={styles.words}>{adjustment.note}</p>,
          },
          { label: "Transaction", code: adjustment.txid },
          adjustment.refusedPayoutId !== null && {
            label: "Was entered as",
            value: (
              <MayLink needs="payouts/read" to={`/operator/payouts/${adjustment.refusedPayoutId}`}>
                a payout of a pool, which was refused
              </MayLink>
            ),
          },
          adjustment.feeUnits !== null && {
            label: "Network fee",
            value: <Amount units={adjustment.feeUnits} asset={feeCoinOf(adjustment.asset)} />,
          },
          adjustment.feeUnits !== null && {
            label: "On chain",
            value: adjustment.isOnChain
              ? "Our node showed the transaction in a block, with this fee"
              : "Our node has not seen it: the proposer entered the fee",
          },
          {
            label: "Proposed",
            value: (
              <span className={layout.inline}>
                by {adjustment.proposerName} <Age at={adjustment.proposedAt} now={now} />
                <When at={adjustment.proposedAt} />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function stateWord({ state, reversedBy }: AdjustmentCase): string {
  if (reversedBy) return "taken back";
  return state === "open" ? "waiting" : state;
}

function toneOf({ state, reversedBy }: AdjustmentCase) {
  if (reversedBy || state === "withdrawn") return "plain";
  return state === "open" ? "waiting" : state === "approved" ? "good" : "bad";
}

const places: Partial<Record<AdjustmentKind, [string, string]>> = {
  "equity-funding": ["the wallets for customers", "the operator's own money"],
  "equity-drawing": ["the wallets for customers", "the operator"],
  "wallet-transfer": ["one of our wallets", "another of our wallets"],
};

function direction({ kind }: AdjustmentCase, original: AdjustmentCase | null): string {
  const what = original?.kind ?? kind;
  const [from, to] = places[what] ?? [
    "the operator's own money",
    "the customer's available balance",
  ];
  return kind === "reversal" ? `From ${to} back to ${from}` : `From ${from} to ${to}`;
}
