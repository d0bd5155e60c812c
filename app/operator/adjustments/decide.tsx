import { Textarea } from "@mantine/core";
import { Form } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { When } from "#app/ui/when.tsx";
import { adjustmentNoteMax, adjustmentReasonMax, feeCoinOf } from "#core/adjustments.ts";
import type { AdjustmentCase } from "#server/adjustments/queries.ts";
import { ApprovalNote } from "../approval-note.tsx";
import grid from "../deposit.module.css";
import { useMay } from "../use-may.ts";
import styles from "./adjustments.module.css";

/** What the page says after a form was refused. */
export interface CaseAnswer {
  intent: string;
  reason: string;
  fault: string;
  /** Somebody else had decided by then. */
  late: boolean;
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

/** What was decided; or the decision, for who may and has not proposed it himself. */
export function Decide({ adjustment, equity, giftable, isOwn, answer }: DecideProps) {
  const may = useMay();
  if (adjustment.state !== "open") return <Decided adjustment={adjustment} />;
  if (isOwn) return <Own answer={answer} canWithdraw={may("adjustments/withdraw")} />;
  if (!may("adjustments/approve")) {
    return (
      <Notice title="Waits for an approver">
        Your role sees this case; approving and rejecting is for others.
      </Notice>
    );
  }
  return (
    <>
      <Approve adjustment={adjustment} equity={equity} giftable={giftable} answer={answer} />
      {may("adjustments/reject") ? <Reject answer={answer} /> : null}
    </>
  );
}

const faultOf = (answer: CaseAnswer | undefined, intent: string) =>
  answer?.intent === intent && !answer.late ? answer : null;

function Approve({ adjustment, equity, giftable, answer }: Omit<DecideProps, "isOwn">) {
  const { asset } = adjustment;
  const fault = faultOf(answer, "approve");
  const taken = takenFromOwnMoney(adjustment);
  const isGift = adjustment.customerId !== null && taken > 0n;
  return (
    <Panel title="Approve">
      <Form method="post" preventScrollReset className={styles.form}>
        <FormAlert errors={fault ? [fault.fault] : null} />
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
            The own money in {asset} does not suffice. Somebody has to pay in more first.
          </Notice>
        ) : null}
        <ApprovalNote />
        <div className={styles.acts}>
          <SubmitButton name="intent" value="approve" pendingText="Posting…" data-key="a">
            Approve
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

/** How much less of this coin is the operator's own once it is approved. */
function takenFromOwnMoney({ kind, units, asset, feeUnits }: AdjustmentCase): bigint {
  const fee = feeCoinOf(asset) === asset ? (feeUnits ?? 0n) : 0n;
  if (kind === "goodwill" || kind === "subsidy") return units;
  if (kind === "equity-drawing") return units + fee;
  return kind === "wallet-transfer" ? fee : 0n;
}

function Reject({ answer }: { answer: CaseAnswer | undefined }) {
  const fault = faultOf(answer, "reject");
  return (
    <details className={grid.fold} open={fault !== null}>
      <summary className={grid.summary}>Reject</summary>
      <div className={grid.folded}>
        <Form method="post" preventScrollReset className={styles.form}>
          <FormAlert errors={fault ? [fault.fault] : null} />
          <Textarea
            name="reason"
            label="Why not"
            description="Who proposed it reads it, the customer does not"
            rows={3}
            required
            withAsterisk={false}
            maxLength={1000}
            defaultValue={fault?.reason ?? ""}
            data-key="r"
          />
          <div>
            <SubmitButton name="intent" value="reject" variant="outline" color="brick">
              Reject
            </SubmitButton>
          </div>
        </Form>
      </div>
    </details>
  );
}

function Own({ answer, canWithdraw }: { answer: CaseAnswer | undefined; canWithdraw: boolean }) {
  const fault = faultOf(answer, "withdraw");
  return (
    <Panel title="Waits for a colleague">
      <Form method="post" preventScrollReset className={styles.form}>
        <FormAlert errors={fault ? [fault.fault] : null} />
        <p className={styles.note}>
          You proposed this, so a colleague decides. Until then you can cancel it.
        </p>
        {canWithdraw ? (
          <div>
            <SubmitButton name="intent" value="withdraw" variant="outline">
              Cancel proposal
            </SubmitButton>
          </div>
        ) : null}
      </Form>
    </Panel>
  );
}

function Decided({ adjustment }: { adjustment: AdjustmentCase }) {
  const { deciderName, decidedAt, rejectionReason, transferId } = adjustment;
  return (
    <Panel title="Decision">
      <Facts
        facts={[
          { label: words[adjustment.state] ?? "Decided by", value: deciderName },
          decidedAt !== null && { label: "At", value: <When at={decidedAt} /> },
          rejectionReason !== null && { label: "Why not", value: rejectionReason },
          transferId !== null && {
            label: "Transfer",
            value: <code className={styles.code}>{transferId}</code>,
          },
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
    <details className={grid.fold} open={fault !== null}>
      <summary className={grid.summary}>Propose reversal</summary>
      <div className={grid.folded}>
        <Form method="post" preventScrollReset className={styles.form}>
          <FormAlert errors={fault ? [fault.fault] : null} />
          <p className={styles.note}>
            A second transfer undoes the first, whole, once a colleague has approved it. Both stay
            visible, to the customer too.
          </p>
          <input type="hidden" name="submissionKey" value={submissionKey} />
          <Textarea
            name="reason"
            label="Reason"
            description="The customer reads it"
            rows={2}
            required
            withAsterisk={false}
            maxLength={adjustmentReasonMax}
            defaultValue={fault?.reason ?? ""}
          />
          <Textarea
            name="note"
            label="Note for colleagues"
            description="Optional"
            rows={2}
            maxLength={adjustmentNoteMax}
          />
          <div>
            <SubmitButton name="intent" value="reverse" variant="outline" color="brick">
              Propose reversal
            </SubmitButton>
          </div>
        </Form>
      </div>
    </details>
  );
}
