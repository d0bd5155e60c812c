import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import type { BatchCase } from "#server/withdrawals/batches/find-batch.ts";
import { FourEyes, proposalFacts } from "../parts/four-eyes.tsx";
import { ProposalState } from "../parts/proposal-state.tsx";
import { useMay } from "../parts/use-may.ts";

interface LostBatchPanelProps {
  batch: BatchCase;
  operatorId: string;
  answer: { intent: string; reason: string; fault: string } | undefined;
}

/** A batch of which no version can be mined: two people end it. */
export function LostBatchPanel({ batch, operatorId, answer }: LostBatchPanelProps) {
  const { anchorGoneHeight, isLost, abandonments, endedAt } = batch;
  const failed = answer?.intent.endsWith("-abandonment") ? answer : null;
  const standing = abandonments.find(({ state }) => state !== "declined");
  const canPropose = isLost && abandonments.every(({ state }) => state === "declined");
  const isGone = anchorGoneHeight !== null;
  if (!isGone && abandonments.length === 0 && !isLost && !failed) return null;
  return (
    <Panel title="End the batch without sending it">
      <div className={layout.form}>
        {isGone && !endedAt ? <WhatIsGone batch={batch} /> : null}
        {abandonments.map((each) => (
          <Facts
            key={each.id}
            facts={[
              { label: "Proposal", value: <ProposalState state={each.state} /> },
              ...proposalFacts(each),
            ]}
          />
        ))}
        <FormAlert errors={failed ? [failed.fault] : null} />
        {standing && !endedAt ? (
          <FourEyes
            isOwn={standing.proposedBy === operatorId && standing.state === "open"}
            // Confirmed, it is carried out within a minute, as long as the coin stays gone.
            canConfirm={standing.state === "open"}
            confirm={{
              needs: "withdrawals/confirm-abandonment",
              intent: "confirm-abandonment",
              button: "Confirm: end the batch",
            }}
            decline={{
              needs: "withdrawals/decline-abandonment",
              intent: "decline-abandonment",
              button: "Decline",
            }}
            hidden={{ number: "1", abandonmentId: standing.id }}
          />
        ) : null}
        {canPropose ? <Propose isGone={isGone} reason={failed?.reason ?? ""} /> : null}
      </div>
    </Panel>
  );
}

function WhatIsGone({
  batch: { anchorGoneHeight, searchedHeight, anchorTxid },
}: {
  batch: BatchCase;
}) {
  const blocks = (searchedHeight ?? 0) - (anchorGoneHeight ?? 0);
  return (
    <p className={layout.note}>
      The coin that every version spends is no longer in the chain: the payment {anchorTxid} left
      it, and no block spends it. It has been gone for {blocks} of{" "}
      {withdrawalTerms.abandonAfterBlocks} blocks. If the payment comes back, the batch continues.
    </p>
  );
}

function Propose({ isGone, reason }: { isGone: boolean; reason: string }) {
  const may = useMay();
  if (!may("withdrawals/propose-abandonment")) return null;
  return (
    <Form method="post" preventScrollReset className={layout.form}>
      <p className={layout.note}>
        {isGone
          ? "No version of this batch can be mined any more. "
          : "No version of this batch was taken away to be signed, so none can be mined. "}
        When a colleague confirms, the batch ends, its coins are free, and its customers have their
        coins back in their balances.
      </p>
      <input type="hidden" name="number" value={1} />
      <TextArea
        name="reason"
        label="Reason"
        description="Staff read it, and the audit log keeps it"
        rows={2}
        required
        maxLength={withdrawalTerms.reasonMax}
        defaultValue={reason}
      />
      <div>
        <SubmitButton name="intent" value="propose-abandonment" look="quiet">
          Propose to end the batch
        </SubmitButton>
      </div>
    </Form>
  );
}
