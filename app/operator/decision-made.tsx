import { Amount, Usd } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { When } from "#app/ui/when.tsx";
import { coinOfMethod } from "#core/deposit.ts";
import type { DepositForReview } from "#server/deposits/queries.ts";
import styles from "./deposit.module.css";

/** What was decided, by whom and when. It cannot be changed here or anywhere. */
export function DecisionMade({ deposit }: { deposit: DepositForReview }) {
  const { quantityUnits, usdCents, claimedUsdCents } = deposit;
  return (
    <Panel title="Decision" aside={<StatusBadge status={deposit.status} />}>
      <Facts
        facts={[
          { label: "Decided by", value: deposit.reviewerName ?? "A command on the server" },
          deposit.reviewedAt !== null && {
            label: "Decided",
            value: <When at={deposit.reviewedAt} />,
          },
          quantityUnits !== null && {
            label: "Credited",
            value: <Amount units={quantityUnits} asset={coinOfMethod[deposit.method]} />,
          },
          deposit.txid !== null && {
            label: "Transaction",
            value: <code className={styles.code}>{deposit.txid}</code>,
          },
          deposit.outputIndex !== null && { label: "Output", value: deposit.outputIndex },
          deposit.state === "approved" && {
            label: "USD amount",
            value: (
              <>
                <Usd cents={usdCents} />
                {usdCents === claimedUsdCents ? (
                  " as claimed"
                ) : (
                  <>
                    , corrected from <Usd cents={claimedUsdCents} />
                  </>
                )}
              </>
            ),
          },
          deposit.rejectionReason !== null && { label: "Reason", value: deposit.rejectionReason },
        ]}
      />
    </Panel>
  );
}
