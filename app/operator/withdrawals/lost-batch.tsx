import { Textarea } from "@mantine/core";
import { Form } from "react-router";
import { Facts } from "#app/ui/facts.tsx";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { When } from "#app/ui/when.tsx";
import { withdrawalTerms } from "#core/withdrawal.ts";
import type { BatchCase } from "#server/withdrawals/batches/queries.ts";
import { ApprovalNote } from "../approval-note.tsx";
import { ProposalState } from "../proposal-state.tsx";
import { useMay } from "../use-may.ts";
import styles from "./withdrawals.module.css";

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
      <div className={styles.form}>
        {isGone && !endedAt ? <WhatIsGone batch={batch} /> : null}
        {abandonments.map((each) => (
          <Facts
            key={each.id}
            facts={[
              { label: "Proposal", value: <ProposalState state={each.state} /> },
              { label: "Reason", value: each.reason },
              {
                label: "Proposed by",
                value: (
                  <>
                    {each.proposerName}, <When at={each.proposedAt} />
                  </>
                ),
              },
              each.decidedAt !== null && {
                label: each.state === "confirmed" ? "Confirmed by" : "Declined by",
                value: (
                  <>
                    {each.deciderName}, <When at={each.decidedAt} />
                  </>
                ),
              },
            ]}
          />
        ))}
        <FormAlert errors={failed ? [failed.fault] : null} />
        {standing && !endedAt ? (
          <Decide
            abandonmentId={standing.id}
            isOwn={standing.proposedBy === operatorId}
            isConfirmed={standing.state === "confirmed"}
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
    <p className={styles.note}>
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
    <Form method="post" preventScrollReset className={styles.form}>
      <p className={styles.note}>
        {isGone
          ? "No version of this batch can be mined any more. "
          : "No version of this batch was taken away to be signed, so none can be mined. "}
        When a colleague confirms, the batch ends, its coins are free, and its customers have their
        coins back in their balances.
      </p>
      <input type="hidden" name="number" value={1} />
      <Textarea
        name="reason"
        label="Reason"
        description="Staff read it, and the audit log keeps it"
        rows={2}
        required
        withAsterisk={false}
        maxLength={withdrawalTerms.reasonMax}
        defaultValue={reason}
      />
      <div>
        <SubmitButton name="intent" value="propose-abandonment" variant="default">
          Propose to end the batch
        </SubmitButton>
      </div>
    </Form>
  );
}

interface DecideProps {
  abandonmentId: string;
  isOwn: boolean;
  /** It is carried out within a minute, as long as the coin stays gone. */
  isConfirmed: boolean;
}

function Decide({ abandonmentId, isOwn, isConfirmed }: DecideProps) {
  const may = useMay();
  const canConfirm = may("withdrawals/confirm-abandonment") && !isOwn && !isConfirmed;
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      {canConfirm || isConfirmed ? null : <p className={styles.note}>A colleague confirms it.</p>}
      <input type="hidden" name="number" value={1} />
      <input type="hidden" name="abandonmentId" value={abandonmentId} />
      {canConfirm ? <ApprovalNote /> : null}
      <div className={styles.buttons}>
        {canConfirm ? (
          <SubmitButton name="intent" value="confirm-abandonment" pendingText="Confirming…">
            Confirm: end the batch
          </SubmitButton>
        ) : null}
        {may("withdrawals/decline-abandonment") ? (
          <SubmitButton name="intent" value="decline-abandonment" variant="default">
            {isOwn && !isConfirmed ? "Cancel proposal" : "Decline"}
          </SubmitButton>
        ) : null}
      </div>
    </Form>
  );
}
