import { TextArea } from "#app/ui/controls/text-area.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { adjustmentNoteMax, adjustmentReasonMax, feeCoinOf } from "#core/payments/adjustments.ts";
import type { AdjustmentCase } from "#server/adjustments/find-adjustment.ts";
import { PlainForm } from "../parts/act-form.tsx";
import { Folded } from "../parts/folded.tsx";
import { FourEyes } from "../parts/four-eyes.tsx";

/** What the page says after a form was refused. */
export interface CaseAnswer {
  intent: string;
  reason: string;
  fault: string;
}

interface DecideProps {
  adjustment: AdjustmentCase;
  /** The operator's own money in this coin now. */
  equity: bigint;
  /** What was paid in for gifts, and is not given yet. */
  giftable: bigint;
  /** Whether who looks at it has proposed it. */
  isOwn: boolean;
  answer: CaseAnswer | undefined;
}

/** What was decided; or the decision, which is a colleague's. */
export function Decide({ adjustment, equity, giftable, isOwn, answer }: DecideProps) {
  if (adjustment.state !== "open") return <Decided adjustment={adjustment} />;
  const { asset, customerId } = adjustment;
  const taken = takenFromOwnMoney(adjustment);
  const isGift = customerId !== null && taken > 0n;
  return (
    <Panel title={isOwn ? "Waits for a colleague" : "Approve"}>
      <FourEyes
        isOwn={isOwn}
        confirm={{
          needs: "adjustments/approve",
          intent: "approve",
          button: "Approve",
          pendingText: "Posting…",
        }}
        decline={{
          needs: "adjustments/reject",
          intent: "reject",
          button: "Reject",
          reason: {
            label: "Why not",
            description: "The person who proposed it reads it, the customer does not",
          },
        }}
        cancel={{ needs: "adjustments/withdraw", intent: "withdraw", button: "Cancel proposal" }}
        answer={answer}
      >
        <Facts
          facts={[
            { label: "Own money now", value: <Amount units={equity} asset={asset} /> },
            taken > 0n && {
              label: "Own money afterwards",
              value: <Amount units={equity - taken} asset={asset} />,
            },
          ]}
        />
        {equity < taken || (isGift && giftable < taken) ? (
          <Notice tone="warning">
            There is not enough own money in {asset}. Pay in more first.
          </Notice>
        ) : null}
      </FourEyes>
    </Panel>
  );
}

const faultOf = (answer: CaseAnswer | undefined, intent: string) =>
  answer?.intent === intent ? answer : null;

/** How much less of this coin is the operator's own once it is approved. */
function takenFromOwnMoney({ kind, units, asset, feeUnits }: AdjustmentCase): bigint {
  const fee = feeCoinOf(asset) === asset ? (feeUnits ?? 0n) : 0n;
  if (kind === "goodwill" || kind === "subsidy") return units;
  if (kind === "equity-drawing") return units + fee;
  return kind === "wallet-transfer" ? fee : 0n;
}

function Decided({ adjustment }: { adjustment: AdjustmentCase }) {
  const { deciderName, decidedAt, rejectionReason, transferId } = adjustment;
  return (
    <Panel title="Decision">
      <Facts
        facts={[
          { label: words[adjustment.state] ?? "Decided by", value: deciderName },
          { label: "At", value: decidedAt },
          { label: "Why not", value: rejectionReason },
          { label: "Transfer", code: transferId },
        ]}
      />
    </Panel>
  );
}

const words: Record<string, string> = {
  approved: "Approved by",
  rejected: "Rejected by",
  withdrawn: "Withdrawn by",
};

/** Folded away: proposes to take an approved adjustment back, which again takes two. */
export function ReverseForm({
  submissionKey,
  answer,
}: {
  submissionKey: string;
  answer: CaseAnswer | undefined;
}) {
  const fault = faultOf(answer, "reverse");
  return (
    <Folded title="Propose reversal" look="grave" open={fault !== null}>
      <PlainForm intent="reverse" fault={fault?.fault} button="Propose reversal" tone="danger">
        <FormKey fresh={submissionKey} />
        <p className={layout.note}>
          A second transfer undoes the first, whole, once a colleague has approved it. Both stay
          visible, to the customer too.
        </p>
        <TextArea
          name="reason"
          label="Reason"
          description="The customer reads it"
          rows={2}
          required
          maxLength={adjustmentReasonMax}
          defaultValue={fault?.reason ?? ""}
        />
        <TextArea
          name="note"
          label="Note for colleagues"
          description="Optional"
          rows={2}
          maxLength={adjustmentNoteMax}
        />
      </PlainForm>
    </Folded>
  );
}
