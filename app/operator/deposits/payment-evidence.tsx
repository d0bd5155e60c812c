import { Link } from "react-router";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { DepositForReview } from "#server/deposits/find-deposit-for-review.ts";

/** What stands in a slip's place: the payment on chain that made the deposit. */
export function PaymentEvidence({ deposit }: { deposit: DepositForReview }) {
  const { txid, outputIndex, method, confirmations, finalized, orphanedAt, state } = deposit;
  const isOperators = deposit.resolvedAs === "operators";
  return (
    <Panel title="Payment">
      {state === "orphaned" ? (
        <Notice tone="warning" title="The credit cannot be taken back whole">
          {isOperators
            ? "Two people found that it was the operator's own, after coins of it were used. What was left is put aside, and the rest is taken from what arrives in the customer's account."
            : "Its block left the chain after coins of it were used. What was left is put aside; the rest is missing in the wallets until the payment confirms again or the customer pays."}
        </Notice>
      ) : null}
      <Facts
        facts={[
          { label: "Came by", value: "A payment to the customer's own address, without a slip" },
          { label: "Transaction", code: txid },
          {
            label: method === "Bitcoin" ? "Output" : "Place in the transaction",
            value: outputIndex,
          },
          confirmations !== null && {
            label: "Credited after",
            value: finalized
              ? `its block was final, ${confirmations} confirmations later`
              : `${confirmations} confirmations, as was asked for`,
          },
          {
            label: isOperators ? "Found to be the operator's own" : "Left the chain",
            value: orphanedAt,
          },
          deposit.paymentId !== null && {
            label: "Whose it is",
            value: (
              <Link to={`/operator/chain/payments/${deposit.paymentId}`}>See the payment</Link>
            ),
          },
        ]}
      />
    </Panel>
  );
}
