import { Form } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { SubmitButton } from "#app/ui/form-fields.tsx";
import { When } from "#app/ui/when.tsx";
import type { PaymentRulingRow } from "#server/deposits/queries.ts";
import { ApprovalNote } from "./approval-note.tsx";
import styles from "./deposit.module.css";
import { rulingWords } from "./payment-words.ts";
import { ProposalState } from "./proposal-state.tsx";
import { useMay } from "./use-may.ts";

/** What was proposed of a payment or a deposit, why, and by whom. */
export function RulingFacts({ ruling }: { ruling: PaymentRulingRow }) {
  return <Facts facts={factsOf(ruling)} />;
}

function factsOf({ says, state, reason, payments, units, asset, ...rest }: PaymentRulingRow) {
  return [
    { label: "Proposed", value: rulingWords[says] },
    payments > 1 && {
      label: "For",
      value: (
        <>
          {payments} payments, <Amount units={units ?? 0n} asset={asset} />
        </>
      ),
    },
    { label: "State", value: <ProposalState state={state} /> },
    { label: "Why", value: reason },
    {
      label: "By",
      value: (
        <>
          {rest.proposerName}, <When at={rest.proposedAt} />
        </>
      ),
    },
    rest.decidedAt !== null && {
      label: state === "declined" ? "Declined by" : "Confirmed by",
      value: (
        <>
          {rest.deciderName}, <When at={rest.decidedAt} />
        </>
      ),
    },
  ];
}

/** Confirms what a colleague proposed, or declines it, or takes back one's own. */
export function DecideRuling({ ruling, isOwn }: { ruling: PaymentRulingRow; isOwn: boolean }) {
  const may = useMay();
  const canConfirm = may("deposits/confirm-ruling") && !isOwn;
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      {canConfirm ? null : <p className={styles.note}>A colleague has to confirm it.</p>}
      <input type="hidden" name="rulingId" value={ruling.id} />
      {canConfirm ? <ApprovalNote /> : null}
      <div className={styles.buttons}>
        {canConfirm ? (
          <SubmitButton name="intent" value="confirm-ruling" pendingText="Confirming…">
            Confirm proposal
          </SubmitButton>
        ) : null}
        {may("deposits/decline-ruling") ? (
          <SubmitButton name="intent" value="decline-ruling" variant="default">
            {isOwn ? "Cancel proposal" : "Decline"}
          </SubmitButton>
        ) : null}
      </div>
    </Form>
  );
}
