import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { ApprovalProposal } from "#server/deposits/find-approval.ts";
import type { DepositForReview } from "#server/deposits/find-deposit-for-review.ts";
import { FourEyes, type FourEyesAnswer, proposalFacts } from "../parts/four-eyes.tsx";
import { ProposalState } from "../parts/proposal-state.tsx";
import styles from "./deposit.module.css";

interface Props {
  proposal: ApprovalProposal;
  deposit: DepositForReview;
  operatorId: string;
  /** Why a decision was refused. */
  answer: FourEyesAnswer | null;
}

/** What a colleague said that arrived, of which the chain shows nothing: a second person confirms it. */
export function ProposalPanel({ proposal, deposit, operatorId, answer }: Props) {
  const { id, quantityUnits, txid, outputIndex, usdCents, state, proposedBy } = proposal;
  return (
    <Panel title="Two people approve it" aside={<ProposalState state={state} />}>
      <div className={styles.form}>
        <Facts
          facts={[
            {
              label: "To be credited",
              value: <Amount units={quantityUnits} asset={deposit.asset} />,
            },
            { label: "Transaction", code: txid },
            { label: "Output", value: outputIndex },
            { label: "USD amount", value: <Usd cents={usdCents} /> },
            ...proposalFacts({ ...proposal, reason: null }),
          ]}
        />
        {state === "open" ? (
          <FourEyes
            isOwn={proposedBy === operatorId}
            confirm={{
              needs: "deposits/confirm-approval",
              intent: "confirm-approval",
              button: "Confirm and post",
              pendingText: "Posting…",
            }}
            decline={{
              needs: "deposits/decline-approval",
              intent: "decline-approval",
              button: "Decline",
            }}
            hidden={{ approvalId: id }}
            answer={answer}
          >
            <p className={layout.note}>
              The chain showed no such payment at this customer's own address when this was
              proposed. Look it up in your wallet or your node yourself: once you confirm, it is
              credited and cannot be edited.
            </p>
          </FourEyes>
        ) : null}
      </div>
    </Panel>
  );
}
