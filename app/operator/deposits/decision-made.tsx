import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Worth } from "#app/ui/figures/worth.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { coinOfMethod } from "#core/payments/deposit.ts";
import type { DepositForReview } from "#server/deposits/find-deposit-for-review.ts";

/** What was decided, by whom and when. It cannot be changed here or anywhere. */
export function DecisionMade({ deposit }: { deposit: DepositForReview }) {
  const { quantityUnits, usdCents, claimedUsdCents } = deposit;
  return (
    <Panel title="Decision" aside={<StatusBadge status={deposit.status} />}>
      <Facts
        facts={[
          { label: "Decided by", value: deciderOf(deposit) },
          { label: "Decided", value: deposit.reviewedAt },
          quantityUnits !== null && {
            label: "Credited",
            value: <Amount units={quantityUnits} asset={coinOfMethod[deposit.method]} />,
          },
          { label: "Transaction", code: deposit.txid },
          { label: "Output", value: deposit.outputIndex },
          quantityUnits !== null && {
            label: "USD amount",
            value: (
              <>
                <Worth cents={usdCents} />
                {claimedUsdCents === null ? null : (
                  <Against usdCents={usdCents} claimedUsdCents={claimedUsdCents} />
                )}
              </>
            ),
          },
          deposit.state === "orphaned" && {
            label: "Put aside",
            value: <Amount units={deposit.heldUnits} asset={deposit.asset} />,
          },
          deposit.mistake !== null && {
            label: deposit.state === "reversed" ? "Taken back" : "To be taken back",
            value: `approved by mistake: ${deposit.mistake}`,
          },
          { label: "Reason", value: deposit.rejectionReason },
        ]}
      />
    </Panel>
  );
}

function deciderOf({ reviewerName, paymentId }: DepositForReview): string {
  if (paymentId !== null) return "Its payment, confirmed on chain";
  return reviewerName ?? "A command on the server";
}

function Against(amounts: { usdCents: bigint | null; claimedUsdCents: bigint }) {
  const { usdCents, claimedUsdCents } = amounts;
  if (usdCents === claimedUsdCents) return " as claimed";
  return (
    <>
      , corrected from <Usd cents={claimedUsdCents} />
    </>
  );
}
