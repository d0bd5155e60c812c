import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { resolutionTerms } from "#core/payments/payment-resolution.ts";
import type { DepositForReview } from "#server/deposits/find-deposit-for-review.ts";
import type { PaymentResolutionRow } from "#server/deposits/payments/list-resolutions.ts";
import { DecideResolution, ResolutionFacts } from "../chain/resolution-parts.tsx";
import { useMay } from "../parts/use-may.ts";
import styles from "./deposit.module.css";

interface Props {
  deposit: DepositForReview;
  resolutions: PaymentResolutionRow[];
  operatorId: string;
  /** What was typed, and why it was refused. */
  answer: { reason: string; fault: string } | null;
}

/** That staff approved a deposit by mistake: one person proposes to take it back, another confirms it. */
export function MistakePanel({ deposit, resolutions, operatorId, answer }: Props) {
  const may = useMay();
  const open = resolutions.find(({ state }) => state === "open");
  const canPropose =
    deposit.state === "approved" &&
    deposit.resolutionId === null &&
    !open &&
    may("deposits/propose-resolution");
  if (resolutions.length === 0 && !canPropose) return null;
  return (
    <Panel title="Approved by mistake?">
      <div className={styles.form}>
        {resolutions.map((resolution) => (
          <ResolutionFacts key={resolution.id} resolution={resolution} />
        ))}
        <FormAlert errors={answer ? [answer.fault] : null} />
        {open ? (
          <DecideResolution resolution={open} isOwn={open.proposedBy === operatorId} />
        ) : null}
        {canPropose ? <Propose reason={answer?.reason ?? ""} /> : null}
      </div>
    </Panel>
  );
}

function Propose({ reason }: { reason: string }) {
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <p className={layout.note}>
        If the quantity, the transaction or the customer is wrong, we reverse this deposit whole. No
        balance falls below zero: what the customer has used is taken from what arrives later. Then
        the transaction can be approved again. A colleague confirms it.
      </p>
      <TextArea
        name="mistake"
        label="Why, as the customer will read it"
        rows={3}
        required
        maxLength={resolutionTerms.reasonMax}
        defaultValue={reason}
      />
      <div>
        <SubmitButton name="intent" value="propose-resolution" look="quiet">
          Propose to reverse deposit
        </SubmitButton>
      </div>
    </Form>
  );
}
